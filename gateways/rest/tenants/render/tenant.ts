import { DEFAULT_POLICIES } from '../../../../src/properties/rules/property.ts';
import {
  type ChannelMapping,
  type PropertyPolicies,
  type StoredRecord,
  type Recorded,
  settingsOf,
  type Tenant,
  type TenantInShort,
} from '../../../../src/tenants/rules/tenant.ts';
import { wireMoney } from '../../../http/money.ts';
import { iso } from '../../stay/render/reservation.ts';

type Json = Record<string, unknown>;

/**
 * The tenant as its owner sees it: what it has set, and what holds
 * (docs/concepts/tenants-and-roles.md#settings-of-a-tenant).
 */
export function renderTenant(tenant: Tenant): Json {
  const { config, createdAt, updatedAt, ...rest } = tenant;
  const { policies } = config;
  const { cancellationPolicies: _ofProperties, ...defaults } = DEFAULT_POLICIES;
  return {
    ...rest,
    config: { ...config, ...(policies && { policies: policiesAnswer(policies) }) },
    effectiveConfig: { ...settingsOf(config), policies: policiesAnswer({ ...defaults, ...policies }) },
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}

export function tenantInShort({ createdAt, updatedAt, ...tenant }: TenantInShort): Json {
  return { ...tenant, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

export function renderUser(user: StoredRecord<'user'>): Json {
  const { id, issuer, subject, name = null, email = null } = user;
  return { userId: id, issuer, subject, name, email, ...times(user) };
}

export function renderAssociation(association: StoredRecord<'association'>): Json {
  const { id, role } = association;
  return { associationId: id, userId: id, role, ...times(association) };
}

export function mappingAnswer(mapping: ChannelMapping & Recorded): Json {
  const { id, propertyId, roomType, channelName, channelCode, externalRoomId, mappingConfig } = mapping;
  const { minRate, maxRate, ...config } = mappingConfig;
  const limits = {
    ...(minRate !== undefined && { minRate: wireMoney(minRate) }),
    ...(maxRate !== undefined && { maxRate: wireMoney(maxRate) }),
  };
  return {
    mappingId: id,
    propertyId,
    roomType,
    channelName,
    channelCode,
    externalRoomId,
    mappingConfig: { ...config, ...limits },
    ...times(mapping),
  };
}

function policiesAnswer(policies: Partial<PropertyPolicies>): Json {
  const { feePerNight, feePerPersonNight, ...rest } = policies;
  return {
    ...rest,
    ...(feePerNight !== undefined && { feePerNight: wireMoney(feePerNight) }),
    ...(feePerPersonNight !== undefined && { feePerPersonNight: wireMoney(feePerPersonNight) }),
  };
}

const times = ({ createdAt, updatedAt }: Recorded): Json => ({
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});
