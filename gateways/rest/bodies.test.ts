import t from 'tap';
import type { z } from 'zod';

import { groupBody } from '../../src/groups/contracts/groups.ts';
import { createGroup } from '../../src/groups/operations/create-group.ts';
import type { Services } from '../../src/kernel/operations/services.ts';
import type { Address, Caller } from '../../src/kernel/rules/caller.ts';
import { formatDay } from '../../src/kernel/rules/dates.ts';
import { promotionBody } from '../../src/rates/contracts/promotions.ts';
import { ratePlanBody } from '../../src/rates/contracts/rate-plans.ts';
import { baseRatesBody, nightRatesBody } from '../../src/rates/contracts/rates.ts';
import { restrictionsBody } from '../../src/rates/contracts/restrictions.ts';
import { createPromotion } from '../../src/rates/operations/create-promotion.ts';
import { createRatePlan } from '../../src/rates/operations/put-rate-plan.ts';
import { setBaseRates } from '../../src/rates/operations/set-base-rates.ts';
import { setNightRates } from '../../src/rates/operations/set-night-rates.ts';
import { setRestrictions } from '../../src/rates/operations/set-restrictions.ts';
import { holdBody } from '../../src/stay/contracts/holds.ts';
import { createBody } from '../../src/stay/contracts/reservations.ts';
import { createReservation } from '../../src/stay/operations/create-reservation.ts';
import { placeHold } from '../../src/stay/operations/holds/place-hold.ts';
import { RESTRICTION } from '../../src/testing/filled-in.ts';
import { amountNo, dayNo, type Followed, readMembers } from '../../src/testing/members.ts';
import { id, property } from '../../src/testing/property-world.ts';

const CALLER: Caller = { tenantId: 'acme', subject: 'u', requestId: 'r', role: 'MANAGER' };

/** Ids and numbers that each command gets anew. */
const isMade = (name: string, value: unknown): boolean =>
  name === 'confirmationNumber' || (typeof value === 'string' && /^[\da-f]{8}-[\da-f]{4}-7/.test(value));

const day = (n: number): string => formatDay(dayNo(20_000 + n));
const money = (n: number): number => amountNo(n) / 100;

/** Where the members of a body are in the command that it becomes. */
function inCommand<S extends z.ZodType>(
  schema: S,
  operation: (services: Services, caller: Caller, body: z.output<S>) => Promise<unknown>,
  body: object,
): Promise<Followed> {
  return readMembers(body, async (from) => {
    let command: unknown;
    const view = {
      setup: {
        property: property(),
        plans: [],
        roomTypes: [],
      },
      groups: [],
      businessDate: dayNo(0),
      lastNight: dayNo(9),
      grid: () => [],
    };
    const services = {
      properties: {
        view: async () => view,
        execute: async ({ tenantId, propertyId }: Address, envelope: { command: object }) => {
          command = { ...envelope.command, propertyId, tenantId };
          return { result: { reservation: {} } };
        },
      },
      clock: { now: () => 0 },
      companies: { get: async () => ({ active: true }) },
      guests: { identify: async () => ({ guestId: 'g', seal: (plain: string) => `sealed ${plain}` }) },
      sealed: { seal: (plain: string) => `sealed ${plain}` },
      payments: { hasRealCards: false },
      reservations: { list: async () => ({ items: [] }) },
      holdLimits: { holds: 0, roomNights: 0 },
    };
    await operation(services as never, CALLER, schema.parse(from));
    return JSON.parse(JSON.stringify(command), (name, value) => (isMade(name, value) ? undefined : value));
  });
}

const TERMS = {
  cancellation: { freeUntilHours: 36, penalty: { kind: 'NIGHTS', value: 3 } },
  earlyDeparture: { kind: 'PERCENT', value: 42 },
  noShow: { kind: 'NIGHTS', value: 4 },
  change: 'FEE',
  changeFee: money(30),
};

void t.test('every member of a body about prices is where it belongs in its command', async (t) => {
  const rates = {
    propertyId: 'anchor',
    roomType: 'DLX',
    effectiveDate: day(1),
    endDate: day(9),
    rates: [{ dayOfWeek: 'FRIDAY', rate: money(1) }],
    seasonalAdjustments: [
      { name: 'Fair', startDate: day(2), endDate: day(3), adjustmentType: 'AMOUNT', adjustment: money(2) },
    ],
  };
  t.strictSame(await inCommand(baseRatesBody, setBaseRates, rates), {
    renamed: {
      start: 'effectiveDate',
      end: 'endDate',
      'rates.*.weekday': 'rates.*.dayOfWeek',
      seasons: 'seasonalAdjustments',
      'seasons.*.start': 'seasonalAdjustments.*.startDate',
      'seasons.*.end': 'seasonalAdjustments.*.endDate',
      'seasons.*.amount': 'seasonalAdjustments.*.adjustment',
    },
    computed: { type: 'SET_BASE_RATES', 'seasons.0.multiplier': 100, tenantId: 'acme' },
    dropped: ['seasonalAdjustments.0.adjustmentType'],
  });
  const nights = {
    propertyId: 'anchor',
    nights: [{ roomType: 'DLX', date: day(4), rate: money(5), previousRate: money(6) }],
  };
  t.strictSame(await inCommand(nightRatesBody, setNightRates, nights), {
    renamed: {
      'nights.*.day': 'nights.*.date',
      'nights.*.to': 'nights.*.rate',
      'nights.*.from': 'nights.*.previousRate',
    },
    computed: { type: 'SET_NIGHT_RATES', tenantId: 'acme' },
  });
  const restrictions = {
    propertyId: 'anchor',
    rateCode: 'FLEX',
    roomType: 'DLX',
    startDate: day(1),
    endDate: day(2),
    daysOfWeek: ['FRIDAY'],
    ...RESTRICTION,
  };
  t.strictSame(await inCommand(restrictionsBody, setRestrictions, restrictions), {
    renamed: { start: 'startDate', end: 'endDate', weekdays: 'daysOfWeek' },
    computed: { type: 'SET_RESTRICTIONS', tenantId: 'acme' },
  });
  const plan = {
    propertyId: 'anchor',
    code: 'FLEX',
    name: 'Flexible',
    strategy: 'WEEKEND',
    status: 'DRAFT',
    guarantee: 'COMPANY',
    companyId: id(1),
    terms: TERMS,
    currency: 'EUR',
    baseRate: money(1),
    validFrom: day(1),
    validTo: day(2),
    roomTypes: ['SUITE', 'STUDIO'],
    adjustmentPercent: 11,
    adjustmentAmount: money(2),
    minRatePercent: 12,
    maxRatePercent: 13,
    minRate: money(3),
    maxRate: money(4),
    rules: {
      minLengthOfStay: 14,
      maxLengthOfStay: 15,
      minAdvanceBooking: 16,
      maxAdvanceBooking: 17,
      occupancyRules: { singleRate: money(5), doubleRate: money(6), extraPersonRate: money(7) },
      dayOfWeekRates: { sunday: money(8), monday: money(9) },
      lengthOfStayRules: [{ minNights: 18, percent: 19 }],
      advanceRules: [{ minDays: 20, maxDays: 21, percent: 22 }],
      strategyRules: { weekendPercent: 23 },
      dayUse: [{ roomType: 'STD', rate: money(10) }],
    },
  };
  t.strictSame(await inCommand(ratePlanBody, createRatePlan, plan), {
    renamed: { plan: 'rules' },
    computed: { type: 'PUT_RATE_PLAN', 'plan.cancellationPolicy': 'STANDARD', mode: 'create', tenantId: 'acme' },
    dropped: ['currency'],
  });
  const derived = {
    propertyId: 'anchor',
    code: 'CLUB',
    name: 'Club',
    parentCode: 'FLEX',
    adjustmentPercent: 11,
    adjustmentAmount: money(2),
  };
  const price = { roomType: 'STD', included: 3, extraAdult: money(1), single: money(2), bands: { CHILD: money(3) } };
  const byGuests = { propertyId: 'anchor', code: 'FAMILY', name: 'Family', occupancyPricing: [price] };
  for (const body of [derived, byGuests]) {
    const { renamed, dropped } = await inCommand(ratePlanBody, createRatePlan, body);
    t.strictSame([renamed, dropped], [undefined, undefined], 'the rest are defaults');
  }
});

void t.test('every member of a body about promotions, groups and holds is where it belongs', async (t) => {
  const promotion = {
    propertyId: 'anchor',
    promotionName: 'Summer sale',
    description: 'In the sun',
    promoCode: 'SUMMER',
    roomTypes: ['STD', 'DLX'],
    discount: { type: 'FIXED_AMOUNT', value: money(1) },
    conditions: { advanceBookingDays: 11, minimumStay: 12, blackoutDates: [day(5), day(6)] },
    validity: { startDate: day(1), endDate: day(8), stayPeriod: { startDate: day(2), endDate: day(7) } },
    inventory: { totalRooms: 13, maxPerDay: 14 },
  };
  t.strictSame(await inCommand(promotionBody, createPromotion, promotion), {
    renamed: {
      'promotion.name': 'promotionName',
      'promotion.validity.start': 'validity.startDate',
      'promotion.validity.end': 'validity.endDate',
      'promotion.stayPeriod.start': 'validity.stayPeriod.startDate',
      'promotion.stayPeriod.end': 'validity.stayPeriod.endDate',
    },
    computed: { type: 'CREATE_PROMOTION', 'estimate.bookings': 0, 'estimate.revenue': 0, tenantId: 'acme' },
  });
  const block = (n: number) => ({ roomType: `T${n}`, date: day(n), rooms: n, rate: money(n) });
  const group = {
    propertyId: 'anchor',
    name: 'Wedding',
    cutoffDate: day(1),
    guarantee: 'COMPANY',
    companyId: id(1),
    terms: TERMS,
    shoulderNights: { before: 5, after: 6 },
    contact: { firstName: 'Ada', lastName: 'King', email: 'ada@example.com' },
    blocks: [block(7), block(8)],
  };
  t.strictSame(await inCommand(groupBody, createGroup, group), {
    renamed: { cutoff: 'cutoffDate', 'blocks.*.day': 'blocks.*.date' },
    computed: { type: 'CREATE_GROUP', tenantId: 'acme' },
  });
  const hold = {
    propertyId: 'anchor',
    roomType: 'DLX',
    checkIn: day(1),
    checkOut: day(2),
    rooms: 5,
    rateCode: 'FLEX',
    maxTotal: money(1),
    adults: 2,
    children: 3,
    childAges: [7, 8, 9],
  };
  t.strictSame(await inCommand(holdBody, placeHold, hold), { computed: { type: 'PLACE_HOLD', tenantId: 'acme' } });
});

void t.test('every member of a body of a booking is where it belongs in its command', async (t) => {
  const body = {
    propertyId: 'anchor',
    override: { reason: 'A regular' },
    comp: { reason: 'The lift' },
    companyId: id(1),
    guestInfo: {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      phone: '+351 123',
      preferences: { roomType: 'high', floorPreference: 'LOW', bedType: 'TWIN', smokingPreference: 'SMOKING' },
    },
    stayDetails: {
      checkIn: day(1),
      checkOut: day(2),
      adults: 2,
      children: 3,
      childAges: [7, 8, 9],
      roomType: 'DLX',
      rateCode: 'FLEX',
      maxTotal: money(1),
      promoCode: 'SUMMER',
    },
    paymentDetails: {
      method: 'INVOICE',
      billingAddress: {
        name: 'Augusta',
        addressLine1: 'Park',
        city: 'Horsley',
        state: 'Surrey',
        zipCode: 'KT',
        country: 'GB',
      },
    },
    specialRequests: ['A cot', 'A view'],
    companions: [{ firstName: 'Sam', lastName: 'King', age: 61 }],
    sharer: { firstName: 'Bo', lastName: 'Diddley', email: 'bo@x.com', phone: '+352' },
    roomWishes: [{ kind: 'FLOOR', value: 'HIGH', weight: 62, required: true }],
    source: { channel: 'OTA', medium: 'web', campaign: 'spring', externalId: 'X-1', collectedBy: 'PROPERTY' },
  };
  t.strictSame(await inCommand(createBody, createReservation, body), {
    renamed: {
      'booking.guest': 'guestInfo',
      'booking.stay': 'stayDetails',
      'booking.billing': 'paymentDetails',
      'booking.billing.address': 'paymentDetails.billingAddress',
      booking: 'stayDetails',
    },
    computed: {
      type: 'BOOK',
      'booking.guest.guestId': 'g',
      'booking.sharer.guestId': 'g',
      'booking.override.sealed': 'sealed A regular',
      'booking.personal.guestId': 'g',
      'booking.personal.name': 'sealed Ada Byron',
      tenantId: 'acme',
    },
  });
});
