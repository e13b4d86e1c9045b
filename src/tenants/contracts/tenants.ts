import { z } from 'zod';

import { at, count, listOf, moneyField, figure, idField } from '../../kernel/contracts/answers.ts';
import {
  email,
  optionalEmail,
  optionalText,
  page,
  priceField,
  roomTypeCode,
  text,
  uuid,
} from '../../kernel/contracts/fields.ts';
import { ROLES } from '../../kernel/rules/caller.ts';
import { LANGUAGES } from '../../kernel/rules/languages.ts';
import { percent, policies } from '../../properties/contracts/properties.ts';
import { policiesOfTenant } from '../../properties/contracts/property-answers.ts';
import { CANCELLATION_POLICIES } from '../../properties/rules/cancellation-policy.ts';
import { LIMIT_NAMES, LIMIT_SOURCES } from '../rules/limits.ts';
import { TENANT_STATUSES, TENANT_TYPES } from '../rules/tenant.ts';

/** Tenants, users, associations, channel mappings (docs/reference/set-up.md#tenant). */

/** Names of properties of every object: a forgotten own-property check would confuse such a tenant with them. */
const NAMES_OF_OBJECTS = new Set(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()));

/** Id of a new tenant: lower case only, so that no two differ by case alone in logs, topics and files. */
const tenantId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,49}$/, 'has 1 to 50 of a-z, 0-9 and -, and does not begin with -')
  .refine((id) => !NAMES_OF_OBJECTS.has(id), 'is a reserved word');

/** Taxes, age bands, price points, and policies that refer to a property's own ones, are set per property. */
const propertyPolicies = policies
  .omit({ cancellationPolicies: true, taxes: true, ageBands: true, pricePoints: true })
  .extend({ cancellationPolicy: z.enum(CANCELLATION_POLICIES).optional() });

const config = z.strictObject({
  policies: propertyPolicies.optional(),
  notifications: z
    .strictObject({
      confirmations: z.boolean().optional(),
      reminders: z.boolean().optional(),
      reminderHours: z.int().min(1).max(72).optional(),
    })
    .optional(),
  analysisCacheSeconds: z.int().min(0).max(86_400).optional(),
  competitorRefreshHours: z.int().min(1).max(168).optional(),
});

/** `status` has to be the current one: only the operator changes it. */
export const tenantBody = z.strictObject({
  tenantId: tenantId.optional(),
  name: text(200),
  type: z.enum(TENANT_TYPES).optional(),
  status: z.enum(TENANT_STATUSES).optional(),
  config: config.default({}),
});
export type TenantBody = z.infer<typeof tenantBody>;

const who = {
  /** `sub` of the user's tokens. */
  subject: text(255).meta({ description: '`sub` of the access tokens of the user.' }),
  issuer: optionalText(500).meta({ description: '`iss`; that of the installation when absent.' }),
  name: optionalText(200),
  email: optionalEmail,
};
const role = z.enum(ROLES);
export const createUserBody = z.strictObject({
  ...who,
  role: role.optional().meta({ description: 'Role in the tenant; without it an association gives one.' }),
});
export const updateUserBody = z.strictObject({ name: who.name, email: who.email });

export const createInvitationBody = z.strictObject({
  email,
  name: who.name,
  role,
  language: z
    .enum(LANGUAGES)
    .optional()
    .meta({ description: 'Of the letter that the service sends; none is sent without it.' }),
});
export type CreateInvitationBody = z.infer<typeof createInvitationBody>;

export const createAssociationBody = z.strictObject({ userId: uuid, role });
export const updateAssociationBody = z.strictObject({ role });

const mappingConfig = z
  .strictObject({
    rateMapping: z
      .record(text(50), text(100))
      .refine((rates) => Object.keys(rates).length <= 100, 'has more than 100 rates')
      .refine((rates) => new Set(Object.values(rates)).size === Object.keys(rates).length, 'has a rate twice')
      .optional(),
    availabilitySync: z.boolean().optional(),
    rateSyncEnabled: z.boolean().optional(),
    minRate: priceField.optional(),
    maxRate: priceField.optional(),
    commission: percent.optional(),
  })
  .refine(({ minRate = 0, maxRate = Infinity }) => minRate <= maxRate, {
    message: 'is below minRate',
    path: ['maxRate'],
    params: { field: 'REVERSED' },
  });

export const channelMappingBody = z.strictObject({
  roomType: roomTypeCode,
  channelName: text(100),
  channelCode: text(100),
  externalRoomId: text(100),
  mappingConfig: mappingConfig.default({}),
});

export const createTenantBody = z.strictObject({
  tenantId,
  name: text(200),
  type: z.enum(TENANT_TYPES).default('INDEPENDENT'),
  status: z.enum(TENANT_STATUSES).default('ACTIVE'),
  config: config.default({}),
  subscription: z
    .record(text(50), z.union([z.string().max(500), z.number(), z.boolean()]))
    .refine((members) => Object.keys(members).length <= 50, 'has more than 50 entries')
    .default({}),
  ownerUser: z.strictObject(who),
});
export type CreateTenantBody = z.infer<typeof createTenantBody>;

export const tenantStatusBody = z.strictObject({ status: z.enum(TENANT_STATUSES) });
export type TenantStatusBody = z.infer<typeof tenantStatusBody>;

export const recordsQuery = z.object(page);
export type RecordsQuery = z.infer<typeof recordsQuery>;

export const tenantsQuery = z.object({
  ...page,
  q: text(200).optional().describe('Part of the id or the name, in any case.'),
});
export type TenantsQuery = z.infer<typeof tenantsQuery>;

const changed = { createdAt: at, updatedAt: at };
const inShort = {
  tenantId: z.string(),
  name: z.string().meta({ examples: ['Demo Hotels'] }),
  type: z.enum(TENANT_TYPES),
  status: z.enum(TENANT_STATUSES),
};
const setting = z.record(z.string(), z.unknown());
const configAnswer = z.looseObject({ policies: policiesOfTenant.optional() });

export const tenantAnswer = z.object({
  ...inShort,
  config: configAnswer.meta({
    description: 'Settings that the tenant has made.',
    examples: [{ policies: { freeCancellationHours: 72, taxPercent: 7 }, notifications: { reminderHours: 48 } }],
  }),
  effectiveConfig: configAnswer.meta({ description: 'Effective settings: those of `config`, else the defaults.' }),
  subscription: setting.meta({ examples: [{ plan: 'standard' }] }),
  ...changed,
});

const tenantInShortAnswer = z.object({ ...inShort, ...changed });
export const tenantListAnswer = listOf(tenantInShortAnswer);

export const foundedTenantAnswer = tenantAnswer.extend({
  ownerUser: z.object({ userId: idField, issuer: z.string(), subject: z.string() }),
});

export const userAnswer = z.object({
  userId: idField,
  issuer: z.string().meta({ examples: ['http://127.0.0.1:8086'] }),
  subject: z.string().meta({ examples: ['demo-manager'] }),
  name: z.string().nullable(),
  email: z.string().nullable(),
  ...changed,
});

export const associationAnswer = z.object({
  associationId: idField.meta({ description: 'That of the user: each has one role in a tenant.' }),
  userId: idField,
  role,
  ...changed,
});

export const invitationAnswer = z.object({
  invitationId: idField,
  email: z.string().meta({ examples: ['nora@example.com'] }),
  name: z.string().nullable(),
  role,
  expiresAt: at,
  status: z.enum(['OPEN', 'EXPIRED']),
  letter: z
    .object({
      language: z.enum(LANGUAGES),
      status: z.enum(['WAITING', 'SENT', 'FAILED', 'UNKNOWN']),
      orderedAt: at,
      sentAt: at.nullable(),
      reason: z.string().nullable().meta({ description: 'Why it was not sent, or is sent later.' }),
    })
    .nullable()
    .meta({ description: 'The letter that brings it; null where the service sends none.' }),
  ...changed,
});
export const invitationListAnswer = listOf(invitationAnswer);

const limitAnswer = z.object({
  name: z.enum(LIMIT_NAMES),
  limit: count.nullable().meta({ description: 'Null where there is none.' }),
  setBy: z.enum(LIMIT_SOURCES).meta({ description: 'INSTALLATION: its operator can change it; SERVICE: nobody.' }),
});
export const limitsAnswer = z.object({ items: z.array(limitAnswer) });

/** Limits of a tenant for operators. */
export const tenantUseAnswer = z.object({
  items: z.array(
    limitAnswer.extend({
      used: count.nullable().meta({ description: 'In this second; null for what is not counted by the second.' }),
    }),
  ),
});

export const channelMappingAnswer = z.object({
  mappingId: idField,
  propertyId: z.string(),
  roomType: z.string().meta({ examples: ['DLX'] }),
  channelName: z.string().meta({ examples: ['Example Travel'] }),
  channelCode: z.string().meta({ examples: ['EXT'] }),
  externalRoomId: z.string().meta({ examples: ['4711'] }),
  mappingConfig: z.object({
    rateMapping: z.record(z.string(), z.string()).optional(),
    availabilitySync: z.boolean().optional(),
    rateSyncEnabled: z.boolean().optional(),
    minRate: moneyField.optional(),
    maxRate: moneyField.optional(),
    commission: figure.optional(),
  }),
  ...changed,
});
