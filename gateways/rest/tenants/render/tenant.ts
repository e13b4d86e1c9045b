import { DEFAULT_POLICIES } from '../../../../src/properties/rules/property.ts';
import type * as answers from '../../../../src/tenants/contracts/tenants.ts';
import type { ListedInvitation } from '../../../../src/tenants/operations/invite-users.ts';
import {
  type ChannelMapping,
  type StoredRecord,
  type Recorded,
  settingsOf,
  type Tenant,
} from '../../../../src/tenants/rules/tenant.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/**
 * The tenant as its owner sees it: what it has set, and what holds
 * (docs/concepts/tenants-and-roles.md#settings-of-a-tenant).
 */
export function renderTenant(tenant: Tenant): AnswerOf<typeof answers.tenantAnswer> {
  const { config } = tenant;
  const { cancellationPolicies: _policies, taxes: _taxes, ageBands: _bands, ...defaults } = DEFAULT_POLICIES;
  return { ...tenant, effectiveConfig: { ...settingsOf(config), policies: { ...defaults, ...config.policies } } };
}

export function renderUser(user: StoredRecord<'user'>): AnswerOf<typeof answers.userAnswer> {
  return { ...user, userId: user.id, name: user.name ?? null, email: user.email ?? null };
}

export function renderAssociation(
  association: StoredRecord<'association'>,
): AnswerOf<typeof answers.associationAnswer> {
  return { ...association, associationId: association.id, userId: association.id };
}

export function renderInvitation(invitation: ListedInvitation): AnswerOf<typeof answers.invitationAnswer> {
  const { letterLanguage: language, letterState: state, letterAt: orderedAt, letterSentAt, letterError } = invitation;
  const letter =
    language === undefined || state === undefined || orderedAt === undefined
      ? null
      : {
          language,
          orderedAt,
          sentAt: letterSentAt ?? null,
          reason: letterError ?? null,
          // That it is being sent is over within seconds.
          status: state === 'SENDING' ? ('WAITING' as const) : state,
        };
  return { ...invitation, invitationId: invitation.id, name: invitation.name ?? null, letter };
}

export function mappingAnswer(mapping: ChannelMapping & Recorded): AnswerOf<typeof answers.channelMappingAnswer> {
  return { ...mapping, mappingId: mapping.id };
}
