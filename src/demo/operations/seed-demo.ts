import { v7 as uuidv7 } from 'uuid';

import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Command } from '../../kernel/rules/commands.ts';
import { type Day, isWeekend, WEEKDAYS } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { createPropertyBody } from '../../properties/contracts/properties.ts';
import { createProperty } from '../../properties/operations/set-up-property.ts';
import { seedPlans } from './seed-plans.ts';

type DemoType = { code: string; name: string; rooms: number; sleeps: number; weekday: Minor; weekend: Minor };
type DemoProperty = {
  tenantId: TenantId;
  propertyId: PropertyId;
  name: string;
  propertyType: string;
  strategy: 'FIXED' | 'DYNAMIC';
  currency: string;
  timezone: string;
  city: string;
  country: string;
  taxPercent: number;
  /** Also has plans paid at the desk and invoiced to companies. */
  hasMorePlans?: true;
  types: DemoType[];
};

/** The properties of the demo tenants (docs/reference/set-up.md#development-only). */
const PROPERTIES: DemoProperty[] = [
  {
    tenantId: 'demo',
    propertyId: 'harbor-hotel',
    name: 'Harbor Hotel',
    propertyType: 'HOTEL',
    strategy: 'FIXED',
    currency: 'EUR',
    timezone: 'Europe/Lisbon',
    city: 'Lisbon',
    country: 'PT',
    taxPercent: 6,
    hasMorePlans: true,
    types: [
      { code: 'STD', name: 'Standard room', rooms: 60, sleeps: 2, weekday: 12_000, weekend: 15_000 },
      { code: 'DLX', name: 'Deluxe room', rooms: 40, sleeps: 3, weekday: 18_000, weekend: 22_500 },
      { code: 'STE', name: 'Harbor suite', rooms: 20, sleeps: 4, weekday: 32_000, weekend: 39_000 },
    ],
  },
  {
    tenantId: 'demo',
    propertyId: 'mountain-resort',
    name: 'Mountain Resort',
    propertyType: 'RESORT',
    strategy: 'DYNAMIC',
    currency: 'USD',
    timezone: 'America/Denver',
    city: 'Aspen',
    country: 'US',
    taxPercent: 8.25,
    hasMorePlans: true,
    types: [
      { code: 'STD', name: 'Standard room', rooms: 50, sleeps: 2, weekday: 16_000, weekend: 21_000 },
      { code: 'CHALET', name: 'Chalet', rooms: 30, sleeps: 6, weekday: 42_000, weekend: 55_000 },
    ],
  },
  {
    tenantId: 'rival',
    propertyId: 'rival-inn',
    name: 'Rival Inn',
    propertyType: 'HOTEL',
    strategy: 'FIXED',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    city: 'Berlin',
    country: 'DE',
    taxPercent: 7,
    types: [{ code: 'STD', name: 'Standard room', rooms: 30, sleeps: 2, weekday: 9_900, weekend: 11_900 }],
  },
];

/** Rooms of a floor in the demo properties. */
const ROOMS_A_FLOOR = 20;

/** Creates missing demo properties: property, room types, rooms, and rates over the whole horizon. */
export async function seedDemo(services: Services): Promise<void> {
  // A failing property does not stop the others.
  const results = await Promise.allSettled(PROPERTIES.map((property) => seedProperty(services, property)));
  const failed = results.flatMap((end, n) =>
    end.status === 'rejected' ? [`${PROPERTIES[n]!.propertyId}: ${end.reason}`] : [],
  );
  if (failed.length > 0) throw new Error(failed.join('; '));
}

async function seedProperty(services: Services, property: DemoProperty): Promise<void> {
  const { tenantId, propertyId } = property;
  const to = { tenantId, propertyId };
  const caller: Caller = { tenantId, subject: 'demo-data', role: 'OWNER', requestId: ownRequestId() };
  await seedRooms(services, caller, to, property);
  if (property.hasMorePlans) await seedPlans(services, caller, to);
}

async function seedRooms(services: Services, caller: Caller, to: Address, property: DemoProperty): Promise<void> {
  try {
    const view = await services.properties.view(to);
    if (view.setup.roomTypes.length === property.types.length) return;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'PROPERTY_NOT_FOUND') throw error;
    await create(services, caller, property);
  }
  for (const [index, type] of property.types.entries()) await seedType(services, caller, to, type, index);
}

async function create(services: Services, caller: Caller, property: DemoProperty): Promise<void> {
  const { propertyId, name, propertyType, currency, timezone, city, country, taxPercent, strategy } = property;
  const body = createPropertyBody.parse({
    propertyId,
    name,
    propertyType,
    address: { addressLine1: '1 Demo Street', city, state: city, zipCode: '10000', country },
    contact: { phone: '+1 555 0100', email: `desk@${propertyId}.example.com` },
    metadata: {
      currency,
      timezone,
      starRating: 4,
      amenities: ['WIFI', 'BREAKFAST', 'PARKING'],
      policies: { taxPercent, feePerPersonNight: 2 },
    },
  });
  const { horizonNights } = { horizonNights: 730, ...body.metadata.policies };
  try {
    await createProperty(services, caller, body, undefined, { strategy, maxAdvanceBooking: horizonNights });
  } catch (error) {
    // It was deleted on purpose, and stays deleted.
    if (!(error instanceof DomainError) || error.code !== 'ALREADY_EXISTS') throw error;
  }
}

async function seedType(
  services: Services,
  caller: Caller,
  to: Address,
  type: DemoType,
  index: number,
): Promise<void> {
  const { code, name, rooms, sleeps, weekday, weekend } = type;
  const roomType = {
    roomType: code,
    name,
    maxAdults: sleeps,
    maxChildren: 2,
    maxGuests: sleeps + 1,
    totalRooms: rooms,
    amenities: [],
    rollingRates: { weekday, weekend },
  };
  await sendAlways(services, caller, to, { type: 'PUT_ROOM_TYPE', roomType, mode: 'put' });
  const numbered = Array.from({ length: rooms }, (_, room) => {
    const floor = 1 + index * 4 + Math.floor(room / ROOMS_A_FLOOR);
    const roomNumber = `${floor}${String(1 + (room % ROOMS_A_FLOOR)).padStart(2, '0')}`;
    return { roomNumber, roomType: code, floor, status: 'AVAILABLE' as const, features: [], updatedAt: 0 };
  });
  await sendAlways(services, caller, to, { type: 'PUT_ROOMS', rooms: numbered, mode: 'put' });
  const { businessDate: start, lastNight: end } = await services.properties.view(to);
  // 1970-01-04 was a Sunday, and so is index 0 of WEEKDAYS.
  const sunday: Day = 3;
  const rates = WEEKDAYS.map((day, offset) => ({
    weekday: day,
    rate: isWeekend(sunday + offset) ? weekend : weekday,
  }));
  const command: Command = {
    type: 'SET_BASE_RATES',
    rateId: uuidv7(),
    roomType: code,
    start,
    end,
    rates,
    seasons: [],
  };
  await sendAlways(services, caller, to, command);
}
