import { z } from 'zod';

import {
  adults,
  amount,
  children,
  date,
  instant,
  optionalEmail,
  optionalNotes,
  optionalRoomType,
  optionalText,
  page,
  policyName,
  propertyId,
  rangeInOrder,
  roomNumber,
  roomTypeCode,
  text,
  textOr,
  withoutDuplicates,
} from '../../kernel/contracts/fields.ts';
import { LANGUAGES } from '../../kernel/rules/languages.ts';
import { isCurrency, MAX_AMOUNT, toMinor } from '../../kernel/rules/money.ts';
import { isTimezone } from '../../kernel/rules/property-time.ts';
import { isSandbox } from '../../kernel/rules/sandbox-id.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { CANCELLATION_POLICIES, type CancellationPolicy } from '../rules/cancellation-policy.ts';
import { ROOM_READY_WHEN, ROOM_STATUSES, type Policies } from '../rules/property.ts';
import { firstOverlap, TAX_BASES, TAX_KINDS, type Tax, taxFaults } from '../rules/tax.ts';
import { advicePolicies } from './advice-policies.ts';

/** Bodies and queries of the tenant paths (docs/reference/set-up.md#property). */
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time HH:MM');
const count = z.int().min(0).max(60_000);
export const percent = z.number().min(0).max(100).multipleOf(0.01, 'has more than two decimals');
const hours = z.int().min(0).max(8_760);
const code = z.string().regex(/^[A-Za-z0-9_-]{1,50}$/, 'has 1 to 50 of letters, digits, _ and -');

/** Maximum of taxes of a property. */
const MAX_TAXES = 20;

/** Children are younger; ages of adults are unknown. */
const ADULT_AGE = 18;

/** A percentage, or an amount, depending on the kind. */
const taxValue = z
  .number()
  .min(0)
  .max(MAX_AMOUNT / 100)
  .multipleOf(0.01, 'has more than two decimals');

const tax = z
  .strictObject({
    code,
    name: text(100),
    kind: z.enum(TAX_KINDS),
    value: taxValue.describe('Percent of a PERCENT, an amount of any other.'),
    included: z.boolean().default(false).describe('In the price already; of a PERCENT only.'),
    on: z.enum(TAX_BASES).default('ROOM'),
    minAge: z.int().min(0).max(ADULT_AGE).optional().describe('Children below it do not pay.'),
    maxNights: z.int().min(1).max(MAX_NIGHTS).optional().describe('Only the first nights of a stay pay.'),
    from: date.optional().describe('First business date on which it holds.'),
    to: date.optional().describe('Last one.'),
  })
  .superRefine((tax, context) => {
    const blame = (path: string, message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { field } });
    if (tax.kind === 'PERCENT' && tax.value > 100) blame('value', 'is more than 100 percent', 'TOO_BIG');
    for (const fault of taxFaults(tax)) blame(fault.field, fault.detail, fault.code);
  })
  .transform(({ kind, value, ...tax }): Tax => {
    return { ...tax, kind, value: kind === 'PERCENT' ? value : toMinor(value)! };
  });

/** Free until so many hours before check-in (`null`: never), then the first nights or a percentage of the stay. */
const cancellationPolicy = z
  .strictObject({
    name: policyName.refine(
      (name) => !CANCELLATION_POLICIES.includes(name as never),
      'is one that every property knows',
    ),
    freeCancellationHours: hours.nullable(),
    penaltyNights: z.int().min(1).max(MAX_NIGHTS).optional(),
    penaltyPercent: percent.optional(),
  })
  .refine(
    ({ penaltyNights, penaltyPercent }) => (penaltyNights === undefined) !== (penaltyPercent === undefined),
    'needs one of penaltyNights and penaltyPercent',
  )
  .transform(({ name, freeCancellationHours: freeHours, penaltyNights, penaltyPercent }): CancellationPolicy => {
    const penalty = penaltyNights === undefined ? { percent: penaltyPercent! } : { nights: penaltyNights };
    return { name, freeHours, penalty };
  });

const cancellationPolicies = z
  .array(cancellationPolicy)
  .max(20)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names a policy twice');

/** Overlapping definitions of one tax would charge it twice. */
const taxes = z
  .array(tax)
  .max(MAX_TAXES)
  .superRefine((all, context) => {
    const found = firstOverlap(all);
    if (!found) return;
    const [message, field] = found.isWhole
      ? ['has the code and the dates of an earlier one', 'DUPLICATE']
      : ['holds on dates of an earlier one with its code', 'OVERLAPS'];
    const member = found.isWhole ? 'code' : all[found.index]!.from === undefined ? 'to' : 'from';
    context.addIssue({ code: 'custom', path: [found.index, member], message, params: { field } });
  })
  .describe('Beside what taxPercent, feePerNight and feePerPersonNight say.');

const ageBands = z
  .array(
    z.strictObject({
      code,
      toAge: z
        .int()
        .min(0)
        .max(ADULT_AGE - 1),
    }),
  )
  .max(10)
  .superRefine(withoutDuplicates('code', 'is named already'))
  .superRefine(withoutDuplicates('toAge', 'is the end of another band already'))
  .overwrite((bands) => bands.toSorted((a, b) => a.toAge - b.toAge))
  .describe('Children up to an age, inclusive, by which plans price them; older children pay as adults.');

/** Policies of a property. */
export const policies = z.strictObject({
  taxPercent: percent.optional(),
  feePerNight: amount.optional(),
  feePerPersonNight: amount.optional(),
  taxes: taxes.optional(),
  ageBands: ageBands.optional(),
  cancellationPolicy: policyName.optional(),
  cancellationPolicies: cancellationPolicies.optional(),
  overbookingLimit: count.optional(),
  horizonNights: z.int().min(1).max(1_500).optional(),
  holdDurationSeconds: z.int().min(60).max(86_400).optional(),
  maxHeldPercent: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Rooms of a night and type that holds and unpaid reservations may keep together, in percent of what it can sell, at ' +
        'least 3; 30 when absent, 100 for no bound. Paid bookings are never refused by it.',
    ),
  freeCancellationHours: hours.optional(),
  modificationDeadlineHours: hours.optional(),
  depositPercent: percent.optional(),
  autoConfirmation: z.boolean().optional(),
  paymentRequired: z.boolean().optional(),
  autoAssign: z.boolean().optional(),
  autoAssignHour: z.int().min(0).max(23).optional(),
  nightAuditHour: z.int().min(0).max(11).optional(),
  earlyDepartureNights: z.int().min(0).max(30).optional(),
  noShowGraceMinutes: z
    .int()
    .min(0)
    .max(1_440)
    .optional()
    .describe(
      'So long after check-in time STAFF may mark a no-show, 180 when absent; a MANAGER may from the arrival day.',
    ),
  exchangeRateMaxAgeDays: z
    .int()
    .min(0)
    .max(30)
    .optional()
    .describe('Business days for which an exchange rate counts after the one on which it was set; 1 when absent.'),
  taxOnComp: z
    .boolean()
    .optional()
    .describe('Fees, and taxes by night, person or stay, are due on complimentary nights too; false when absent.'),
  stayOverServiceNights: z
    .int()
    .min(0)
    .max(30)
    .optional()
    .describe('A guest in house gets a service each so many nights; 0, never, when absent.'),
  costPerOccupiedRoom: amount
    .optional()
    .describe('What a room costs for each night on which it is occupied, for plans of profit; 0 when absent.'),
  ...advicePolicies,
  language: z
    .enum(LANGUAGES)
    .optional()
    .describe('Of messages to guests whose own language is not known; en when absent.'),
  roomReadyWhen: z
    .enum(ROOM_READY_WHEN)
    .optional()
    .describe('INSPECTED: a room that was cleaned is ready for a guest once it is inspected; CLEAN when absent.'),
} satisfies Record<keyof Policies, z.ZodType>);

/** Origins of pages that may show the booking page in a frame. */
const MAX_EMBED_ORIGINS = 20;

/** An origin as a browser sends it: scheme and host, without a path. */
const origin = z
  .string()
  .max(255)
  .refine((text) => isOrigin(text), 'is not an origin such as https://www.example.com');

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text;
}

const bookingPage = z
  .strictObject({
    enabled: z.boolean(),
    description: optionalNotes(1_000).describe('What guests read about the property.'),
    ratePlans: z
      .array(text(50))
      .max(50)
      .optional()
      .describe('Codes of the plans sold there; every plan on sale that invoices no company when absent.'),
    extras: z
      .array(text(50))
      .max(100)
      .optional()
      .describe('Codes of the extras that guests add to their stay by themselves; every one on sale when absent.'),
    embedOrigins: z
      .array(origin)
      .max(MAX_EMBED_ORIGINS)
      .default([])
      .describe('Origins of pages that may show it in a frame.'),
  })
  .describe('Sells the property to guests at `/book/{tenant}/{property}`; not at all when absent.');

const metadata = z.strictObject({
  category: optionalText(100),
  starRating: z.int().min(1).max(7).optional(),
  totalRooms: count.optional(),
  checkInTime: time.default('15:00'),
  checkOutTime: time.default('11:00'),
  dayUseUntil: time.optional().describe('When guests leave who have booked day use; 18:00 when absent.'),
  currency: z
    .string()
    .refine(isCurrency, {
      message: 'is not supported: it has to be a currency of ISO 4217 in use, with at most two decimals',
      params: { field: 'CURRENCY_NOT_SUPPORTED' },
    })
    .describe('ISO 4217. Amounts in one without cents, such as JPY, are whole.'),
  timezone: z.string().max(100).refine(isTimezone, 'is not an IANA time zone'),
  amenities: z.array(text(100)).max(100).default([]),
  bookingPage: bookingPage.optional(),
  policies: policies.default({}),
});

const fields = {
  name: text(200),
  propertyCode: optionalText(50),
  brand: optionalText(100),
  propertyType: textOr(50, 'HOTEL'),
  address: z
    .strictObject({
      addressLine1: text(200),
      city: text(100),
      state: text(100),
      zipCode: text(20),
      country: text(100),
    })
    .optional(),
  contact: z.strictObject({ phone: optionalText(30), email: optionalEmail }).optional(),
  metadata,
};

export const createPropertyBody = z.strictObject({
  propertyId: propertyId.refine((id) => !isSandbox(id), 'is the id of a sandbox'),
  ...fields,
});
export type CreatePropertyBody = z.infer<typeof createPropertyBody>;

export const updatePropertyBody = z.strictObject({ propertyId: propertyId.optional(), ...fields });
export type UpdatePropertyBody = z.infer<typeof updatePropertyBody>;

const typeFields = {
  name: text(100),
  maxAdults: adults,
  maxChildren: children.default(0),
  maxGuests: z.int().min(1).max(40).optional(),
  totalRooms: count,
  amenities: z.array(text(100)).max(100).default([]),
};

export const createRoomTypeBody = z.strictObject({ roomType: code, ...typeFields });
export const updateRoomTypeBody = z.strictObject({ roomType: code.optional(), ...typeFields });
export type CreateRoomTypeBody = z.infer<typeof createRoomTypeBody>;
export type UpdateRoomTypeBody = z.infer<typeof updateRoomTypeBody>;

const roomFields = {
  roomType: roomTypeCode,
  floor: z.int().min(-10).max(200).default(0),
  status: z.enum(ROOM_STATUSES).default('AVAILABLE'),
  features: z.array(text(100)).max(50).default([]),
};

/** Doors to other rooms. */
const MAX_DOORS = 20;
const connectsTo = z
  .array(roomNumber)
  .max(MAX_DOORS)
  .describe('Numbers of the rooms that it has a connecting door to; each of these then connects to it.');
const accessible = z.boolean().describe('For guests who need an accessible room; others get it last.');

export const createRoomBody = z.strictObject({
  roomNumber,
  ...roomFields,
  accessible: accessible.default(false),
  connectsTo: connectsTo.default([]),
});
export const updateRoomBody = z.strictObject({
  roomNumber: roomNumber.optional(),
  ...roomFields,
  status: z.enum(ROOM_STATUSES).optional().describe('As it is, when absent.'),
  accessible: accessible.optional().describe('As it is, when absent.'),
  connectsTo: connectsTo.optional().describe('As they are, when absent.'),
});
export type CreateRoomBody = z.infer<typeof createRoomBody>;
export type UpdateRoomBody = z.infer<typeof updateRoomBody>;

export const roomStatusBody = z.strictObject({ status: z.enum(ROOM_STATUSES), notes: optionalNotes(1_000) });
export type RoomStatusBody = z.infer<typeof roomStatusBody>;

export const inventoryBody = z
  .strictObject({
    roomType: roomTypeCode,
    startDate: date,
    endDate: date,
    totalRooms: count.optional(),
    blockedRooms: count.optional(),
    overbookingLimit: count.optional(),
  })
  .superRefine(({ startDate, endDate, totalRooms, blockedRooms, overbookingLimit }, context) => {
    const blame = (path: string, message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { field } });
    if (endDate < startDate) blame('endDate', 'is before startDate', 'REVERSED');
    if (totalRooms === undefined && blockedRooms === undefined && overbookingLimit === undefined)
      blame('totalRooms', 'one of totalRooms, blockedRooms and overbookingLimit is needed', 'MISSING');
  });
export type InventoryBody = z.infer<typeof inventoryBody>;

export const availabilityQuery = z
  .object({
    property_id: propertyId,
    start_date: date,
    end_date: date,
    room_type: optionalRoomType,
    asOf: instant.optional(),
  })
  .superRefine(rangeInOrder);
export type AvailabilityQuery = z.infer<typeof availabilityQuery>;

export const pageQuery = z.object(page);
export type PageQuery = z.infer<typeof pageQuery>;
