import { defineEntity, p, Type } from '@mikro-orm/postgresql';

import type { Role } from '../../../kernel/rules/caller.ts';
import type { Language } from '../../../kernel/rules/languages.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';
import type {
  ChannelMapping,
  InvitationLetterState,
  TenantConfig,
  TenantStatus,
  TenantType,
} from '../../../tenants/rules/tenant.ts';

/** An instant in milliseconds, `timestamptz(3)` in the table. */
class InstantType extends Type<Instant | null, Date | string | null> {
  /** Also called for conditions, with null for absent values. */
  override convertToDatabaseValue(at: Instant | null): string | null {
    return at === null ? null : new Date(at).toISOString();
  }

  override convertToJSValue(at: Date | string | null): Instant | null {
    return at === null ? null : new Date(at).getTime();
  }

  override getColumnType(): string {
    return 'timestamptz(3)';
  }
}

const times = {
  createdAt: p.type(InstantType).defaultRaw('app_now()'),
  updatedAt: p.type(InstantType).defaultRaw('app_now()'),
  removedAt: p.type(InstantType).fieldName('deleted_at').nullable(),
};

/** Administration entities have the domain's names: records are read and written as they are. */
export const TenantEntity = defineEntity({
  name: 'Tenant',
  tableName: 'tenants',
  properties: {
    tenantId: p.text().primary(),
    name: p.string().length(200),
    type: p.string().$type<TenantType>(),
    status: p.string().$type<TenantStatus>(),
    config: p.json<TenantConfig>(),
    subscription: p.json<Record<string, unknown>>(),
    ...times,
  },
});

export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    tenantId: p.text().primary(),
    id: p.uuid().primary(),
    issuer: p.string().length(500).fieldName('iss'),
    subject: p.string().length(255).fieldName('sub'),
    name: p.string().length(200).nullable(),
    email: p.string().length(254).nullable(),
    ...times,
  },
});

/** One per user, with the user's id. */
export const AssociationEntity = defineEntity({
  name: 'Association',
  tableName: 'user_tenant_associations',
  properties: {
    tenantId: p.text().primary(),
    id: p.uuid().primary().fieldName('user_id'),
    role: p.string().$type<Role>(),
    ...times,
  },
});

export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    tenantId: p.text().primary(),
    id: p.uuid().primary(),
    email: p.string().length(254),
    name: p.string().length(200).nullable(),
    role: p.string().$type<Role>(),
    expiresAt: p.type(InstantType),
    invitedBy: p.text().nullable(),
    acceptedAt: p.type(InstantType).nullable(),
    letterLanguage: p.string().length(2).$type<Language>().nullable(),
    letterState: p.string().length(10).$type<InvitationLetterState>().nullable(),
    letterAt: p.type(InstantType).nullable(),
    letterDueAt: p.type(InstantType).nullable(),
    letterSentAt: p.type(InstantType).nullable(),
    letterAttempts: p.integer().nullable(),
    letterError: p.string().length(100).nullable(),
    letters: p.integer().nullable(),
    lettersSince: p.type(InstantType).nullable(),
    ...times,
  },
});

export const ChannelMappingEntity = defineEntity({
  name: 'ChannelMapping',
  tableName: 'channel_mappings',
  properties: {
    tenantId: p.text().primary(),
    id: p.uuid().primary(),
    propertyId: p.string().length(50),
    roomType: p.string().length(50),
    channelName: p.string().length(100),
    channelCode: p.string().length(100),
    externalRoomId: p.string().length(100),
    mappingConfig: p.json<ChannelMapping['mappingConfig']>(),
    ...times,
  },
});
