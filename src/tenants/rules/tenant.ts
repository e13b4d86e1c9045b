import type { Role } from '../../kernel/rules/caller.ts';
import type { TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Policies } from '../../properties/rules/property.ts';

/** What kind of customer it is; no rule depends on it. */
export const TENANT_TYPES = ['INDEPENDENT', 'CHAIN', 'FRANCHISE', 'MANAGEMENT_COMPANY'] as const;
export type TenantType = (typeof TENANT_TYPES)[number];

/**
 * What each lets one do is in gateways/auth/tenant-rules.ts (docs/concepts/tenants-and-roles.md#status-of-a-tenant).
 */
export const TENANT_STATUSES = ['TRIAL', 'ACTIVE', 'SUSPENDED', 'INACTIVE', 'CANCELLED'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** Policies that a tenant may set for its properties; those that a property names itself are its own affair. */
export type PropertyPolicies = Omit<Policies, 'cancellationPolicies' | 'taxes'>;

/**
 * What a tenant has instead of the defaults (docs/concepts/tenants-and-roles.md#settings-of-a-tenant); what is absent
 * has its default.
 */
export type TenantConfig = {
  /** Amounts in minor units. A property's own policies come first. */
  policies?: Partial<PropertyPolicies>;
  notifications?: Partial<NotificationSettings>;
  analysisCacheSeconds?: number;
  competitorRefreshHours?: number;
};

export type NotificationSettings = {
  /** Whether guests are notified of confirmations, changes and cancellations. */
  confirmations: boolean;
  reminders: boolean;
  /** How long before check-in time. */
  reminderHours: number;
};

/** What holds for a tenant besides the policies of its properties. */
export type StoredSettings = Required<Omit<TenantConfig, 'policies' | 'notifications'>> & {
  notifications: NotificationSettings;
};

/** Defaults, besides the policies of a property. */
export const DEFAULT_SETTINGS = {
  notifications: { confirmations: true, reminders: true, reminderHours: 24 },
  analysisCacheSeconds: 3_600,
  competitorRefreshHours: 6,
} as const satisfies StoredSettings;

/** What holds for a tenant: its own word, else the default. */
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
  /** What the operator has agreed with it. */
  subscription: Record<string, unknown>;
  createdAt: Instant;
  updatedAt: Instant;
};

/** When a record was made, last changed, and taken away, if it was. */
export type Recorded = { createdAt: Instant; updatedAt: Instant; removedAt?: Instant };

/** A user of an issuer of tokens, in one tenant. */
export type User = { id: string; issuer: string; subject: string; name?: string; email?: string };

/** What a user may do in the tenant: one association for each user, under the user's id. */
type UserAssociation = { id: string; role: Role };

/** Which room type of a property a channel sells as which of its own (docs/reference/set-up.md#property). */
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
  /** Rate codes of the channel by those of the property. */
  rateMapping?: Record<string, string>;
  availabilitySync?: boolean;
  rateSyncEnabled?: boolean;
  minRate?: Minor;
  maxRate?: Minor;
  /** Percent. */
  commission?: number;
};

/** Records of a tenant beside its properties, by kind. */
export type TenantRecord = { user: User; association: UserAssociation; channelMapping: ChannelMapping };
export type RecordKind = keyof TenantRecord;
export type StoredRecord<K extends RecordKind> = TenantRecord[K] & Recorded;

/** A tenant as an operator sees it: nothing of its data. */
export type TenantInShort = Pick<Tenant, 'tenantId' | 'name' | 'type' | 'status' | 'createdAt' | 'updatedAt'>;
