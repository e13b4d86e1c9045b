import type { DemoProperty, DemoType, RateOfNight } from '../../demo/rules/hotels.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Command } from '../../kernel/rules/commands.ts';
import { type Day, isWeekend } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf } from '../../kernel/rules/money.ts';
import type { Property, Room, RoomType } from '../../properties/rules/property.ts';
import type { BaseNight } from '../../rates/rules/queries.ts';
import { BAR, type RatePlan } from '../../rates/rules/rate-plan.ts';
import { inventedMarket } from './invented-market.ts';

/** Set-up of a property with its nights from today on. */
export type CopiedProperty = {
  setup: { property: Property; roomTypes: RoomType[]; rooms: Room[]; plans: RatePlan[] };
  nights: readonly BaseNight[];
  today: Day;
};

/** Rooms of a property that have guests at most; of more, the same part of each type has. */
const MAX_ROOMS = 1_000;
/** Stays of a past at most: that of a large property is shorter. */
const MAX_STAYS = 20_000;
/** Stays that begin on a day, for each room. */
const STAYS_A_ROOM = 0.3;
const MAX_DAYS = 390;
const MIN_DAYS = 60;
/** Bounds of a plan that fit every stay. */
const LONGEST_STAY = 60;
const LONGEST_ADVANCE = 1_500;

/** The copied property as guests are invented for it; types without rooms and prices have none. */
export function inventedProperty({ tenantId, propertyId }: Address, of: CopiedProperty): DemoProperty {
  const { property, plans } = of.setup;
  const { currency, timezone, policies } = property.metadata;
  const types = typesOf(of);
  return {
    tenantId,
    propertyId,
    name: property.name,
    propertyType: property.propertyType,
    strategy: 'FIXED',
    currency,
    timezone,
    city: property.address?.city ?? '',
    country: property.address?.country ?? '',
    // Taxes are those of its policies.
    taxPercent: 0,
    nightAuditHour: policies.nightAuditHour,
    types,
    market: inventedMarket(types, plans, incrementOf(currency)),
  };
}

function typesOf({ setup: { roomTypes, rooms }, nights, today }: CopiedProperty): DemoType[] {
  const numbered = new Map<string, number>();
  for (const { roomType } of rooms) numbered.set(roomType, (numbered.get(roomType) ?? 0) + 1);
  const all = roomTypes.flatMap((type): DemoType[] => {
    const { roomType: code, name, maxAdults, maxGuests, totalRooms } = type;
    const own = nights.filter((night) => night.roomType === code);
    const priced = own.filter(({ base }) => base > 0);
    // Who arrives needs a room with a number.
    const toSell = Math.min(totalRooms, numbered.get(code) ?? 0);
    if (priced.length === 0 || toSell === 0) return [];
    const nightly = {
      first: today,
      nights: own.map(({ base, multiplier, amount }): RateOfNight => ({ base, multiplier, amount })),
    };
    const sleeps = Math.max(1, Math.min(maxAdults, maxGuests));
    return [{ code, name, rooms: toSell, sleeps, ...usualRates(priced), nightly }];
  });
  const part = Math.min(
    1,
    MAX_ROOMS /
      Math.max(
        1,
        sum(all, ({ rooms }) => rooms),
      ),
  );
  return all.map((type) => ({ ...type, rooms: Math.ceil(type.rooms * part) }));
}

/** Median rates of the nights from Sunday to Thursday and of the others. */
function usualRates(nights: readonly BaseNight[]): Pick<DemoType, 'weekday' | 'weekend'> {
  const median = (isOne: (day: Day) => boolean): number | undefined => {
    const rates = nights.filter(({ day }) => isOne(day)).map(({ base }) => base);
    return rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)];
  };
  const weekday = median((day) => !isWeekend(day));
  const weekend = median(isWeekend);
  return { weekday: (weekday ?? weekend)!, weekend: (weekend ?? weekday)! };
}

/** Days of the past: a year and some weeks, fewer where many rooms would have too many guests. */
export function daysOfPast({ types }: DemoProperty): number {
  const rooms = sum(types, (type) => type.rooms);
  return Math.max(MIN_DAYS, Math.min(MAX_DAYS, Math.floor(MAX_STAYS / (rooms * STAYS_A_ROOM))));
}

/** Commands that make the copy, and those after which its plans are as they are in the property. */
export function copyCommands(
  { propertyId }: Address,
  name: string,
  { setup: { property, roomTypes, rooms, plans } }: CopiedProperty,
  newId: () => string,
): { setUp: Command[]; last: Command[] } {
  // Nobody books an invented room on the web, and no rate is accepted without a person.
  const { bookingPage: _page, acceptanceRule: _rule, ...metadata } = property.metadata;
  const copied = { ...property, propertyId, name, metadata };
  const own = plans.map((plan): RatePlan => ({ ...plan, id: newId() }));
  // The parents first.
  own.sort((a, b) => Number(b.code === BAR) - Number(a.code === BAR));
  return {
    setUp: [
      { type: 'CREATE_PROPERTY', property: copied, plans: own.map(withoutBounds) },
      ...roomTypes.map((roomType): Command => ({ type: 'PUT_ROOM_TYPE', roomType, mode: 'put' })),
      {
        type: 'PUT_ROOMS',
        mode: 'put',
        rooms: rooms.map(({ roomNumber, roomType, floor, features, accessible }) => ({
          roomNumber,
          roomType,
          floor,
          features,
          status: 'AVAILABLE',
          updatedAt: 0,
          ...(accessible && { accessible }),
        })),
      },
    ],
    last: own.map((plan): Command => ({ type: 'PUT_RATE_PLAN', plan, mode: 'replace' })),
  };
}

/** As it was a year ago: a plan that began last week would have had no guest. */
function withoutBounds({ validFrom: _from, validTo: _to, ...plan }: RatePlan): RatePlan {
  return {
    ...plan,
    minLengthOfStay: 1,
    maxLengthOfStay: LONGEST_STAY,
    minAdvanceBooking: 0,
    maxAdvanceBooking: LONGEST_ADVANCE,
  };
}
