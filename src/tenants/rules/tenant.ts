import type { Role } from '../../kernel/rules/caller.ts';
import type { TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import type { Language } from '../../kernel/rules/languages.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Policies } from '../../properties/rules/property.ts';

/** Kinds of customers; no rule depends on them. */
export const TENANT_TYPES = ['INDEPENDENT', 'CHAIN', 'FRANCHISE', 'MANAGEMENT_COMPANY'] as const;
export type TenantType = (typeof TENANT_TYPES)[number];

/**
 * Rights of each status are in gateways/auth/tenant-rules.ts (docs/concepts/tenants-and-roles.md#status-of-a-tenant).
 */
export const TENANT_STATUSES = ['TRIAL', 'ACTIVE', 'SUSPENDED', 'INACTIVE', 'CANCELLED'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** Policies that a tenant may set for its properties; a property's own ones take precedence. */
export type PropertyPolicies = Omit<Policies, 'cancellationPolicies' | 'taxes' | 'ageBands'>;

/** Settings of a tenant (docs/concepts/tenants-and-roles.md#settings-of-a-tenant); absent ones have their defaults. */
export type TenantConfig = {
  /** Amounts in minor units. A property's own policies take precedence. */
  policies?: Partial<PropertyPolicies>;
  notifications?: Partial<NotificationSettings>;
  analysisCacheSeconds?: number;
  competitorRefreshHours?: number;
};

export type NotificationSettings = {
  /** Whether guests are notified of confirmations, changes and cancellations. */
  confirmations: boolean;
  reminders: boolean;
  /** Hours before check-in time. */
  reminderHours: number;
};

/** Effective settings of a tenant, except for the policies of its properties. */
export type StoredSettings = Required<Omit<TenantConfig, 'policies' | 'notifications'>> & {
  notifications: NotificationSettings;
};

/** Defaults, except for the policies of a property. */
export const DEFAULT_SETTINGS = {
  notifications: { confirmations: true, reminders: true, reminderHours: 24 },
  analysisCacheSeconds: 3_600,
  competitorRefreshHours: 6,
} as const satisfies StoredSettings;

/** Effective settings: the tenant's own, else the defaults. */
export function settingsOf({ policies: _ofProperties, notifications, ...own }: TenantConfig): StoredSettings {
  return { ...DEFAULT_SETTINGS, ...own, notifications: { ...DEFAULT_SETTINGS.notifications, ...notifications } };
}

/** A customer of this installation (docs/reference/set-up.md#tenant). */
export type Tenant = {
  tenantId: TenantId;
  name: string;
  type: TenantType;
  status: TenantStatus;
  config: TenantConfig;
  /** Agreement with the operator. */
  subscription: Record<string, unknown>;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Times of creation, last change, and removal, if any. */
export type Recorded = { createdAt: Instant; updatedAt: Instant; removedAt?: Instant };

/** A subject of a token issuer, in one tenant. */
export type User = { id: string; issuer: string; subject: string; name?: string; email?: string };

/** Role of a user in the tenant: one association per user, under the user's id. */
type UserAssociation = { id: string; role: Role };

/** Who signs in with the address becomes a user with the role (docs/reference/set-up.md#invitations). */
export type Invitation = {
  id: string;
  /** In lower case. */
  email: string;
  name?: string;
  role: Role;
  expiresAt: Instant;
  /** Subject of who has invited. */
  invitedBy?: string;
  acceptedAt?: Instant;
} & Partial<InvitationLetter>;

/** States of the letter of an invitation, the last three of which are ends. UNKNOWN may have arrived. */
export type InvitationLetterState = 'WAITING' | 'SENDING' | 'SENT' | 'FAILED' | 'UNKNOWN';

/** The letter that brings an invitation (docs/reference/set-up.md#letters-of-invitations); an invitation has one. */
export type InvitationLetter = {
  letterLanguage: Language;
  letterState: InvitationLetterState;
  /** When it was ordered. */
  letterAt: Instant;
  letterDueAt: Instant;
  letterSentAt?: Instant;
  letterAttempts: number;
  letterError?: string;
  /** Letters of this invitation in the 24 hours that began with the first of them. */
  letters: number;
  lettersSince: Instant;
};

/** Maps a room type of a property to one of a channel (docs/reference/set-up.md#property). */
export type ChannelMapping = {
  id: string;
  propertyId: PropertyId;
  roomType: string;
  channelName: string;
  channelCode: string;
  externalRoomId: string;
  mappingConfig: MappingConfig;
};

type MappingConfig = {
  /** Rate codes of the channel, by rate code of the property. */
  rateMapping?: Record<string, string>;
  availabilitySync?: boolean;
  rateSyncEnabled?: boolean;
  minRate?: Minor;
  maxRate?: Minor;
  /** Percent. */
  commission?: number;
};

/** Records of a tenant other than its properties, by kind. */
export type TenantRecord = {
  user: User;
  association: UserAssociation;
  invitation: Invitation;
  channelMapping: ChannelMapping;
};
export type RecordKind = keyof TenantRecord;
export type StoredRecord<K extends RecordKind> = TenantRecord[K] & Recorded;

/** A tenant for operators, without its data. */
export type TenantInShort = Pick<Tenant, 'tenantId' | 'name' | 'type' | 'status' | 'createdAt' | 'updatedAt'>;
