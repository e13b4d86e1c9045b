import { randomUUID } from 'node:crypto';

import { propertyBody, WEEK } from '../../test/blackbox/property.ts';
import type { Answer, HttpClient } from '../client/http.ts';
import { callUntilDecided } from '../client/retry.ts';
import type { ClusterWorld } from './cluster-world.ts';

const DAY_MS = 86_400_000;
/** The business date of a property in UTC rolls at 03:00. */
const AUDIT_MS = 3 * 3_600_000;

/** A small property, for whose last rooms clients compete. */
export type SmallProperty = {
  propertyId: string;
  rooms: Readonly<Record<string, number>>;
  firstDay: number;
  /** Whether paid bookings are confirmed automatically. */
  autoConfirms: boolean;
};

export type PropertyWish = {
  rooms: Record<string, number>;
  nights: number;
  /** Also with the rooms of each type: `STD0`, `STD1` and so on. */
  hasRooms?: boolean;
  /** Time zone and policies of the n-th; UTC and the defaults without it. */
  clock?: (n: number) => { timezone: string; policies: Record<string, unknown> };
};

/** The date `n` nights from a property's first day. */
export const dayOf = ({ firstDay }: SmallProperty, n: number): string =>
  new Date((firstDay + n) * DAY_MS).toISOString().slice(0, 10);

/** Days since 1970 of a date. */
export const dayNumber = (date: string): number => Math.round(Date.parse(date) / DAY_MS);

/** Opens properties through the nodes, round-robin. @throws Error when one is rejected */
export async function openProperties(
  world: ClusterWorld,
  client: HttpClient,
  count: number,
  { rooms, nights, hasRooms, clock }: PropertyWish,
): Promise<SmallProperty[]> {
  const firstDay = Math.floor((Date.now() - AUDIT_MS) / DAY_MS);
  const properties = Array.from({ length: count }, (_, n) => ({
    propertyId: `house-${randomUUID().slice(0, 8)}`,
    rooms,
    firstDay,
    autoConfirms: n % 2 === 0,
  }));
  for (const [n, property] of properties.entries()) {
    const node = world.nodes[n % world.nodes.length]!;
    const tenant = `${node.url('RESERVATION')}/api/v1/tenants/${world.tenantId}`;
    const post = (method: string, url: string, body: unknown): Promise<Answer> => ask(client, method, url, body);
    const { timezone = 'UTC', policies = {} } = clock?.(n) ?? {};
    // Two clients book whole properties, with and without a card.
    const own = { autoConfirmation: property.autoConfirms, maxHeldPercent: 100, ...policies };
    const setUp = propertyBody(property.propertyId, own, timezone);
    must(await post('POST', `${tenant}/properties`, setUp), 201);
    for (const [roomType, totalRooms] of Object.entries(rooms)) {
      const body = { roomType, name: `Type ${roomType}`, maxAdults: 3, maxChildren: 2, maxGuests: 4, totalRooms };
      must(await post('POST', `${tenant}/properties/${property.propertyId}/room-types`, body), 201);
      for (let n = 0; n < (hasRooms ? totalRooms : 0); n++)
        must(
          await post('POST', `${tenant}/properties/${property.propertyId}/rooms`, {
            roomNumber: `${roomType}${n}`,
            roomType,
            floor: 1,
          }),
          201,
        );
      const prices = {
        propertyId: property.propertyId,
        roomType,
        effectiveDate: dayOf(property, 0),
        endDate: dayOf(property, nights - 1),
        rates: WEEK.map((dayOfWeek) => ({ dayOfWeek, rate: 100 })),
      };
      must(await post('PUT', `${node.url('RATE')}/api/v1/rates/base`, prices), 200);
    }
  }
  return properties;
}

/** Ends all maintenances: afterwards no night may fall short. @throws Error when one is not ended */
export async function reopenRooms(
  world: ClusterWorld,
  client: HttpClient,
  properties: readonly SmallProperty[],
): Promise<void> {
  for (const { propertyId } of properties) {
    const tenant = `${world.nodes[0]!.url('RESERVATION')}/api/v1/tenants/${world.tenantId}`;
    const path = `${tenant}/properties/${propertyId}/maintenances`;
    for (;;) {
      const list = await callUntilDecided(
        client,
        { method: 'GET', url: `${path}?limit=200`, headers: { 'idempotency-key': randomUUID() } },
        () => undefined,
      );
      const { items } = JSON.parse(list.text) as { items: { maintenanceId: string }[] };
      if (items.length === 0) break;
      for (const { maintenanceId } of items) must(await ask(client, 'DELETE', `${path}/${maintenanceId}`, {}), 200);
    }
  }
}

function ask(client: HttpClient, method: string, url: string, body: unknown): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  return callUntilDecided(client, { method, url, body: JSON.stringify(body), headers }, () => undefined);
}

function must({ status, text }: Answer, wanted: number): void {
  if (status !== wanted) throw new Error(`${status} instead of ${wanted}: ${text.slice(0, 500)}`);
}
