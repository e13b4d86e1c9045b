import { formatDay, WEEKDAYS } from '../../src/kernel/rules/dates.ts';
import type { HttpClient } from '../client/http.ts';
import { HORIZON_NIGHTS, type Plan } from './plan.ts';

/** Zone of the resort in the data set: it lies in the Algarve. */
export const TIMEZONE = 'Europe/Lisbon';

export type Target = {
  client: HttpClient;
  rateUrl: string;
  reservationUrl: string;
  tenantId: string;
  propertyId: string;
};

/** Rooms and prices are independent of each other: a few calls at a time. */
const CALLS_AT_ONCE = 8;

/**
 * Creates the hotel of a plan through the API: property, room types, rooms, prices.
 * @param policies beside tax and horizon
 * @throws Error when the id is taken or a call is refused
 */
export async function createHotel(plan: Plan, target: Target, policies: Record<string, unknown> = {}): Promise<void> {
  const properties = `${target.reservationUrl}/api/v1/tenants/${target.tenantId}/properties`;
  const own = `${properties}/${target.propertyId}`;
  const known = await target.client.call({ method: 'GET', url: own });
  if (known.status === 200) throw new Error(taken(target.propertyId));
  await send(target, 'POST', properties, propertyBody(target.propertyId, policies));
  for (const type of plan.types) {
    await send(target, 'POST', `${own}/room-types`, { ...type, name: `Room type ${type.roomType}`, amenities: [] });
  }
  await inTurns(plan.rooms, (room) =>
    send(target, 'POST', `${own}/rooms`, { ...room, status: 'AVAILABLE', features: [] }),
  );
  await inTurns(plan.prices, ({ roomType, start, end, rate }) =>
    send(target, 'PUT', `${target.rateUrl}/api/v1/rates/base`, {
      propertyId: target.propertyId,
      roomType,
      effectiveDate: formatDay(start),
      endDate: formatDay(end),
      rates: WEEKDAYS.map((dayOfWeek) => ({ dayOfWeek, rate: rate / 100 })),
    }),
  );
}

function propertyBody(propertyId: string, policies: Record<string, unknown>): unknown {
  return {
    propertyId,
    name: 'Replayed resort',
    propertyType: 'RESORT',
    metadata: {
      checkInTime: '15:00',
      checkOutTime: '11:00',
      currency: 'EUR',
      timezone: TIMEZONE,
      amenities: [],
      policies: { taxPercent: 6, horizonNights: HORIZON_NIGHTS, ...policies },
    },
  };
}

async function send(target: Target, method: string, url: string, body: unknown): Promise<void> {
  const answer = await target.client.call({ method, url, body: JSON.stringify(body) });
  if (answer.status === 200 || answer.status === 201) return;
  if (answer.status === 409) throw new Error(`${taken(target.propertyId)} (${answer.text.slice(0, 300)})`);
  throw new Error(`${method} ${url} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
}

function taken(propertyId: string): string {
  return `the property ${propertyId} exists already: choose another id with --property`;
}

/** A few at a time. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
}
