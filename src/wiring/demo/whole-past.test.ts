import { test } from 'tap';

import { countBatches, playWhole } from '../../../actors/past/play-whole.ts';
import { demoGuest } from '../../demo/rules/guests.ts';
import { planStays } from '../../demo/rules/plan.ts';
import { dayOf, formatDay } from '../../kernel/rules/dates.ts';
import { instantAt } from '../../kernel/rules/property-time.ts';
import { billOf } from '../../money/rules/folio.ts';
import { createPropertyBody } from '../../properties/contracts/properties.ts';
import { creationOf } from '../../properties/operations/set-up-property.ts';
import type { FinalizedBatch } from '../../property-store/ports.ts';
import type { BaseNight } from '../../rates/rules/queries.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import { plansOfWays } from '../../sandbox/rules/invented-market.ts';
import {
  copyCommands,
  type CopiedProperty,
  daysOfPast,
  inventedProperty,
} from '../../sandbox/rules/invented-property.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';

const TO = { tenantId: 'own', propertyId: 'inn--sandbox-1' };
const TODAY = dayOf('2026-11-27');

type Hotel = {
  types: number;
  rooms: number;
  currency?: string;
  rate: number;
  /** Price of a night by its number from today on; the rate when absent. */
  season?: (n: number) => number;
  policies?: object;
  change?: (plan: RatePlan) => RatePlan;
  nights?: number;
};

function hotel({
  types,
  rooms,
  currency = 'EUR',
  rate,
  season = () => rate,
  policies = {},
  change,
  nights = 365,
}: Hotel): CopiedProperty {
  const metadata = { currency, timezone: 'Asia/Tokyo', policies };
  const { property, plans } = creationOf(createPropertyBody.parse({ propertyId: 'inn', name: 'Inn', metadata }), {});
  const codes = Array.from({ length: types }, (_, n) => `T${n}`);
  const limits = { maxAdults: 2, maxChildren: 0, maxGuests: 2, amenities: [] };
  return {
    setup: {
      property,
      plans: plans.map(change ?? ((plan) => plan)),
      roomTypes: codes.map((roomType) => ({ roomType, name: roomType, totalRooms: rooms, ...limits })),
      rooms: codes.flatMap((roomType, type) =>
        Array.from({ length: rooms }, (_, n) => ({
          roomNumber: `${type + 1}-${n}`,
          roomType,
          floor: type,
          status: 'AVAILABLE' as const,
          features: [],
          updatedAt: 0,
        })),
      ),
    },
    nights: codes.flatMap((roomType) =>
      Array.from({ length: 365 }, (_, n): BaseNight => ({
        roomType,
        day: TODAY + n,
        base: n < nights ? season(n) : 0,
        multiplier: 100,
        amount: 0,
        rate: null,
      })),
    ),
    today: TODAY,
  };
}

/** The last state of each reservation of a past, its batches and figures. */
function played(of: CopiedProperty) {
  let id = 0;
  const property = inventedProperty(TO, of);
  const journalFrom = TODAY - daysOfPast(property);
  const stays = planStays(property, { origin: TODAY, seed: 7, offset: 1_000, from: journalFrom, to: TODAY + 300 });
  const guestIdOf = ({ guest }: { guest: number }): string => `guest-${guest}`;
  const past = {
    to: TO,
    property,
    ...copyCommands(TO, 'Inn (invented guests)', of, () => `plan-${id++}`),
    stays,
    world: {
      seed: 7,
      offset: 1_000,
      companies: [],
      plans: plansOfWays(of.setup.plans),
      guestIdOf,
      guestOf: (stay: { guest: number }) => ({
        guestId: guestIdOf(stay),
        profile: demoGuest(7, stay.guest),
        seal: () => '',
      }),
      sealCard: () => 'sealed',
    },
    journalFrom,
    recentFrom: TODAY,
    now: instantAt(TODAY, '15:30', 'Asia/Tokyo'),
    name: 'sandbox' as const,
  };
  const batches: FinalizedBatch[] = [...playWhole(past)];
  const reservations = new Map<string, Reservation>();
  for (const { changes } of batches) for (const one of changes.reservations) reservations.set(one.id, one);
  const sold = [...reservations.values()].filter(
    ({ status }) => !['CANCELLED', 'NO_SHOW', 'PENDING'].includes(status),
  );
  const nights = new Map<string, number>();
  for (const { stay } of sold)
    for (let day = stay.checkIn; day < stay.checkOut; day++)
      for (const key of [`${day}`, `${day} ${stay.roomType}`]) nights.set(key, (nights.get(key) ?? 0) + 1);
  const soldOn = (day: number, code?: string): number =>
    nights.get(code === undefined ? `${day}` : `${day} ${code}`) ?? 0;
  return {
    property,
    past,
    batches,
    reservations,
    sold,
    soldOn,
    planned: stays.filter(({ bookedAt }) => bookedAt <= past.now),
  };
}

const HOTELS: Record<string, Hotel> = {
  'one type of three rooms in a currency without cents': { types: 1, rooms: 3, currency: 'JPY', rate: 1_200_000 },
  'thirty types': { types: 30, rooms: 1, rate: 9_000 },
  'a price per person, an own tax and stays of three nights': {
    types: 2,
    rooms: 8,
    rate: 8_000,
    policies: { taxPercent: 7, feePerPersonNight: 2 },
    change: (plan) => ({
      ...plan,
      minLengthOfStay: 3,
      occupancyPricing: [{ included: 1, extraAdult: 2_500, bands: {} }],
    }),
  },
  'seasons, and prices for half a year': {
    types: 2,
    rooms: 10,
    rate: 9_000,
    nights: 180,
    season: (n) => (/-0[678]-/.test(formatDay(TODAY + n)) ? 16_000 : 8_000),
  },
  'payment at the hotel only': {
    types: 1,
    rooms: 12,
    rate: 7_000,
    policies: { paymentRequired: false, depositPercent: 0 },
    change: (plan) => ({ ...plan, guarantee: 'NONE' as const, releaseHour: '18:00' }),
  },
};

for (const [name, of] of Object.entries(HOTELS))
  void test(`a year of invented guests: ${name}`, async (t) => {
    const began = performance.now();
    const { property, past, batches, reservations, sold, soldOn, planned } = played(hotel(of));
    t.comment(
      `${Math.round(performance.now() - began)} ms, ${planned.length} planned, ${reservations.size} booked, ${batches.flatMap(({ entries }) => entries).length} entries`,
    );
    t.equal(batches.length, countBatches(past));
    t.ok(
      reservations.size > planned.length * 0.85,
      `${reservations.size} of ${planned.length} planned stays are booked`,
    );
    const rooms = of.types * of.rooms;
    const year = Array.from({ length: 300 }, (_, n) => soldOn(TODAY - 300 + n));
    const occupancy = year.reduce((all, one) => all + one, 0) / year.length / rooms;
    t.ok(occupancy > 0.45 && occupancy < 0.9, `occupancy ${occupancy}`);
    t.ok(soldOn(TODAY) > 0 && soldOn(TODAY + 20) > 0, 'guests tonight and in three weeks');
    const oversold = property.types.flatMap(({ code, rooms: most }) =>
      Array.from({ length: 500 }, (_, n) => TODAY - 380 + n).filter((day) => soldOn(day, code) > most),
    );
    t.same(oversold, [], 'nothing is oversold');
    const left = sold.filter(({ status }) => status === 'CHECKED_OUT');
    t.ok(left.length > 0);
    t.same(
      left.filter((one) => billOf(one).balance !== 0).map(({ id }) => id),
      [],
      'who has left has paid',
    );
    const late = sold.filter(({ status, stay }) => status === 'CONFIRMED' && stay.checkIn < TODAY);
    t.same(
      late.map(({ stay }) => stay.checkIn),
      [],
      'nobody of yesterday is still expected',
    );
    const gaps = batches.filter(({ oldSeq }, n) => oldSeq !== (batches[n - 1]?.newSeq ?? 0));
    t.same(gaps, [], 'each batch follows the one before');
  });
