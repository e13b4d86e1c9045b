import { z } from 'zod';

import { at, dayField, listOf, count, figure, moneyField } from '../../kernel/contracts/answers.ts';
import { AMOUNT_POLICIES, type AmountPolicy, ROOM_STATUSES } from '../rules/property.ts';
import { TAX_BASES } from '../rules/tax.ts';

export const postalAddress = z.object({
  addressLine1: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  country: z.string(),
});
export const contact = z.object({ phone: z.string().optional(), email: z.string().optional() });

export const cancellationPolicy = z.object({
  name: z.string(),
  freeCancellationHours: count.nullable(),
  penaltyNights: figure.optional(),
  penaltyPercent: figure.optional(),
});

const taxFields = {
  code: z.string(),
  name: z.string(),
  included: z.boolean(),
  on: z.enum(TAX_BASES),
  minAge: count.optional(),
  maxNights: count.optional(),
  from: dayField.optional(),
  to: dayField.optional(),
};

export const taxAnswer = z.discriminatedUnion('kind', [
  z.object({ ...taxFields, kind: z.literal('PERCENT'), value: figure }),
  z.object({ ...taxFields, kind: z.enum(['PER_NIGHT', 'PER_PERSON_NIGHT', 'PER_STAY']), value: moneyField }),
]);

/** Policies that are amounts are converted; all others are returned as stored. */
const amountPolicies = Object.fromEntries(AMOUNT_POLICIES.map((name) => [name, moneyField])) as Record<
  AmountPolicy,
  typeof moneyField
>;
export const policiesOfTenant = z.looseObject(amountPolicies).partial();

export const propertyAnswer = z.object({
  propertyId: z.string(),
  name: z.string(),
  propertyCode: z.string().optional(),
  brand: z.string().optional(),
  propertyType: z.string(),
  address: postalAddress.optional(),
  contact: contact.optional(),
  metadata: z.looseObject({
    currency: z.string(),
    timezone: z.string(),
    amenities: z.array(z.string()),
    totalRooms: count.describe('Rooms of all room types.'),
    policies: z.looseObject({
      ...amountPolicies,
      pricePoints: z.array(moneyField),
      taxes: z.array(taxAnswer),
      ageBands: z.array(z.object({ code: z.string(), toAge: count })),
      cancellationPolicies: z.array(cancellationPolicy),
    }),
  }),
  effectiveTaxes: z
    .array(taxAnswer)
    .describe('All taxes: what taxPercent, feePerNight and feePerPersonNight say, then `taxes` of the policies.'),
  inherits: z
    .array(z.string())
    .describe('Policies that the property does not set itself: they follow the tenant, or are the defaults.'),
  createdAt: at,
  updatedAt: at,
});

export const propertyListAnswer = listOf(propertyAnswer);

export const roomTypeAnswer = z.object({
  roomType: z.string(),
  name: z.string(),
  maxAdults: count,
  maxChildren: count,
  maxGuests: count,
  totalRooms: count,
  amenities: z.array(z.string()),
});

export const roomTypeListAnswer = listOf(roomTypeAnswer);

export const roomAnswer = z.object({
  roomNumber: z.string(),
  roomType: z.string(),
  floor: count,
  status: z.enum(ROOM_STATUSES),
  features: z.array(z.string()),
  accessible: z.boolean(),
  connectsTo: z.array(z.string()).describe('Rooms that it has a connecting door to.'),
  notes: z.string().optional(),
  reservationId: z.string().optional().meta({ description: 'Whose guest is in it.' }),
  updatedAt: at,
});

export const roomListAnswer = listOf(roomAnswer);
