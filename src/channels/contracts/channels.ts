import { z } from 'zod';

import { at, count, dayField, idField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import {
  amount,
  date,
  instant,
  notes,
  optionalEmail,
  optionalText,
  party,
  priceField,
  propertyId,
  roomTypeCode,
  text,
} from '../../kernel/contracts/fields.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { percent } from '../../properties/contracts/properties.ts';
import { RESERVATION_STATUSES } from '../../stay/rules/reservation.ts';
import { CHANNEL_ADAPTERS, CHANNEL_PAUSE_REASONS, CHANNEL_STATUSES, MAX_CHANNEL_LINES } from '../rules/channel.ts';

/** Bodies and answers of channels (docs/reference/channels.md#channels). */

const line = z.strictObject({
  roomType: roomTypeCode,
  ratePlan: text(50),
  externalRoom: text(100),
  externalRate: text(100),
});

const settings = {
  channelCode: text(100),
  name: text(100),
  adapter: z.enum(CHANNEL_ADAPTERS),
  url: text(2_000).describe('Where messages are sent: https, at a public address.'),
  authorization: z
    .string()
    .regex(/^[\x20-\x7e]{1,500}$/, 'has 1 to 500 printable characters')
    .optional()
    .describe('Header `authorization` of requests. It is never shown again.'),
  availabilitySync: z.boolean().default(true).describe('Whether rooms and restrictions are sent.'),
  rateSyncEnabled: z.boolean().default(true).describe('Whether rates are sent.'),
  minRate: priceField.optional().describe('Lower rates are sent as this one.'),
  maxRate: priceField.optional().describe('Higher rates are sent as this one.'),
  commission: percent.optional(),
  stopSellOnFailure: z
    .boolean()
    .default(false)
    .describe('After 5 s out of reach, nights that may be oversold are closed before anything else is sent.'),
  mappings: z.array(line).min(1).max(MAX_CHANNEL_LINES),
};

type Bounds = { minRate?: number | undefined; maxRate?: number | undefined };
const inOrder = ({ minRate = 0, maxRate = Infinity }: Bounds): boolean => minRate <= maxRate;
const REVERSED = { message: 'is below minRate', path: ['maxRate'], params: { field: 'REVERSED' } };

export const createChannelBody = z.strictObject({ propertyId, ...settings }).refine(inOrder, REVERSED);
export type CreateChannelBody = z.infer<typeof createChannelBody>;

/** `PUT` replaces the settings; the header stays as it is when absent. */
export const changeChannelBody = z
  .strictObject({
    ...settings,
    authorization: settings.authorization.nullable().describe('Null takes the header away; it stays when absent.'),
    status: z.enum(CHANNEL_STATUSES).optional().describe('As it is when absent. `ACTIVE` sends what has changed.'),
  })
  .refine(inOrder, REVERSED);
export type ChangeChannelBody = z.infer<typeof changeChannelBody>;

export const channelsQuery = z.object({ propertyId: propertyId.optional() });
export type ChannelsQuery = z.infer<typeof channelsQuery>;

export const channelAnswer = z.object({
  channelId: idField,
  propertyId: z.string(),
  channelCode: z.string(),
  name: z.string(),
  adapter: z.enum(CHANNEL_ADAPTERS),
  url: z.string(),
  isAuthorized: z.boolean().describe('Whether requests carry a header `authorization`.'),
  availabilitySync: z.boolean(),
  rateSyncEnabled: z.boolean(),
  minRate: moneyField.nullable(),
  maxRate: moneyField.nullable(),
  commission: z.number().nullable(),
  stopSellOnFailure: z.boolean(),
  mappings: z.array(
    z.object({
      roomType: z.string(),
      ratePlan: z.string(),
      externalRoom: z.string(),
      externalRate: z.string(),
    }),
  ),
  status: z.enum(CHANNEL_STATUSES),
  pausedBecause: z
    .enum(CHANNEL_PAUSE_REASONS)
    .nullable()
    .describe('Somebody asked, nothing was taken for three days, or the address answered 410.'),
  pausedAt: at.nullable(),
  createdAt: at,
  changedAt: at,
});
export const channelListAnswer = listOf(channelAnswer);

export const channelStatusAnswer = z.object({
  channelId: idField,
  status: z.enum(CHANNEL_STATUSES),
  lag: z.number().describe('Seconds that the oldest change waits that the channel was not sent.'),
  queued: count.describe('Changes of the property that the channel was not sent.'),
  rejected: count.describe('Values that the channel did not take; each is sent again when it changes.'),
  atRisk: count.describe('Nights on which the channel may sell more rooms than there are, at the last attempt.'),
  drift: count.nullable().describe('Nights that differed at the last audit. Null where it cannot say what it has.'),
  auditedAt: at.nullable(),
  lastTakenAt: at.nullable(),
  lastError: z.string().nullable(),
  lastErrorAt: at.nullable(),
  failingSince: at.nullable(),
  nextAttemptAt: at.nullable(),
});

const nightRate = z.strictObject({ date, rate: amount });

const guest = z.strictObject({
  firstName: text(100),
  lastName: text(100),
  email: optionalEmail.transform((address = '') => address),
  phone: optionalText(30),
});

/** A booking of a channel, as it is now. A cancellation need not say more than that. */
export const channelBookingBody = z
  .strictObject({
    status: z.enum(['BOOKED', 'CANCELLED']).default('BOOKED'),
    externalRoom: text(100).optional().describe('As in the mappings.'),
    externalRate: text(100)
      .optional()
      .describe('As in the mappings; the room alone is enough where it has one rate.'),
    checkIn: date.optional(),
    checkOut: date.optional(),
    ...party,
    guest: guest.optional(),
    total: amount.optional().describe('What the guest pays, taxes and fees included.'),
    nights: z
      .array(nightRate)
      .max(MAX_NIGHTS)
      .optional()
      .describe('Rates of the nights; taxes and fees of the property come on top. `total` goes before them.'),
    currency: z.string().length(3).optional().describe("The property's."),
    collectedBy: z.enum(['CHANNEL', 'PROPERTY']).default('PROPERTY').describe('Who takes the money of the guest.'),
    specialRequests: z.array(notes(500)).max(20).default([]),
    updatedAt: instant.optional().describe("The channel's own time of the change: an older one changes nothing."),
  })
  .superRefine((body, context) => {
    if (body.status === 'CANCELLED') return;
    for (const name of ['externalRoom', 'checkIn', 'checkOut', 'guest'] as const)
      if (body[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'is required', params: { field: 'MISSING' } });
  });
export type ChannelBookingBody = z.infer<typeof channelBookingBody>;

export const channelBookingAnswer = z.object({
  channelId: idField,
  externalId: z.string(),
  reservationId: idField.nullable().describe('Null, as what follows, where a cancellation came before its booking.'),
  confirmationNumber: z.string().nullable(),
  status: z.enum(RESERVATION_STATUSES),
  checkIn: dayField.nullable(),
  checkOut: dayField.nullable(),
  roomType: z.string().nullable(),
  ratePlan: z.string().nullable(),
  total: moneyField.nullable(),
  currency: z.string().nullable(),
  overbooked: z.array(dayField).describe('Nights that were sold out: the desk has a task.'),
  changed: z.boolean().describe('Whether this request has changed anything.'),
});
