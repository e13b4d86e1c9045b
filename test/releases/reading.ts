import { isDeepStrictEqual } from 'node:util';

import type { Service } from '../blackbox/service.ts';
import type { Page, Reservation } from '../blackbox/shapes.ts';
import type { Scene } from './scene.ts';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
/** Answers of a service by the path of the request. */
export type Reading = Record<string, Json>;

/** Numbers of what goes on beside the data, and links and tokens that are signed anew. */
const PASSING = new Set(['seq', 'generation', 'quoteToken', 'nextCursor', 'surveyUrl', 'receiptUrl', 'requestId']);

/** Reads everything that a scene is about: each reservation with its papers, and what the properties say. */
export async function readAll(service: Service, scene: Scene): Promise<Reading> {
  const reading: Reading = {};
  for (const propertyId of scene.propertyIds) {
    const { items } = (await read(
      service,
      `/api/v1/reservations?propertyId=${propertyId}&limit=200`,
    )) as unknown as Page<Reservation>;
    const paths = [...pathsOfProperty(propertyId, scene), ...items.flatMap(pathsOfReservation)];
    for (const path of paths) reading[path] = await read(service, path);
  }
  const hold = `/api/v1/reservations/holds/${scene.holdId}`;
  reading[hold] = await read(service, hold);
  return reading;
}

/** The same paths again. */
export async function readAgain(service: Service, reading: Reading): Promise<Reading> {
  const again: Reading = {};
  for (const path of Object.keys(reading)) again[path] = await read(service, path);
  return again;
}

/** Answers that say another thing than a build before said, both as far as it knew them. */
export function differences(now: Reading, before: Reading): Record<string, { now: Json; before: Json }> {
  const compared = Object.entries(before).map(([path, known]) => {
    return [path, { now: onlyKnown(now[path] ?? null, known), before: known }] as const;
  });
  return Object.fromEntries(compared.filter(([, both]) => !isDeepStrictEqual(both.now, both.before)));
}

/** What of an answer an older answer knew: members that came since are left out. */
function onlyKnown(value: Json, known: Json): Json {
  if (Array.isArray(value) && Array.isArray(known))
    return value.map((one, index) => (index in known ? onlyKnown(one, known[index]!) : one));
  if (value === null || known === null || typeof value !== 'object' || typeof known !== 'object') return value;
  if (Array.isArray(value) || Array.isArray(known)) return value;
  const members = Object.keys(value).filter((name) => name in known);
  return Object.fromEntries(members.map((name) => [name, onlyKnown(value[name]!, known[name]!)]));
}

async function read(service: Service, path: string): Promise<Json> {
  const isOfRates = path.startsWith('/api/v1/rates');
  const url = (isOfRates ? service.dev.rateUrl : service.dev.reservationUrl) + path;
  // A problem says its status itself: a guest who was erased is not found.
  return lasting((await service.call<Json>('GET', url, { role: 'OWNER' })).json);
}

/** An answer without what goes on beside the data. */
export function lasting(value: Json): Json {
  if (Array.isArray(value)) return value.map(lasting);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([name]) => !PASSING.has(name));
  return Object.fromEntries(members.map(([name, one]) => [name, lasting(one)]));
}

function pathsOfReservation({ reservationId, guestInfo }: Reservation): string[] {
  const at = `/api/v1/reservations/${reservationId}`;
  return [at, `${at}/history`, `${at}/invoice`, `/api/v1/guests/${guestInfo.guestId}`];
}

function pathsOfProperty(propertyId: string, { moments }: Scene): string[] {
  const today = Date.parse(moments.at(-1)!);
  const day = (n: number): string => new Date(today + n * 86_400_000).toISOString().slice(0, 10);
  const ofTenant = '/api/v1/tenants/demo';
  const at = `${ofTenant}/properties/${propertyId}`;
  const nights = `property_id=${propertyId}&start_date=${day(0)}&end_date=${day(70)}`;
  const stay = `checkIn=${day(20)}&checkOut=${day(23)}`;
  return [
    at,
    ...['room-types', 'rooms', 'services', 'channel-mappings', 'housekeeping-tasks'].map((list) => `${at}/${list}`),
    `${ofTenant}/availability?${nights}`,
    ...moments.map((moment) => `${ofTenant}/availability?${nights}&asOf=${encodeURIComponent(moment)}`),
    `/api/v1/reservations/groups?propertyId=${propertyId}`,
    `/api/v1/reservations/refunds?propertyId=${propertyId}`,
    `/api/v1/analytics/reports?propertyId=${propertyId}`,
    `/api/v1/rates/plans?propertyId=${propertyId}`,
    `/api/v1/rates/promotions?propertyId=${propertyId}`,
    `/api/v1/rates/restrictions?propertyId=${propertyId}&startDate=${day(40)}&endDate=${day(60)}`,
    `/api/v1/rates/optimizations?propertyId=${propertyId}`,
    ...['BAR', 'FLEX', 'NRF'].map(
      (code) => `/api/v1/rates/current?propertyId=${propertyId}&${stay}&rateCode=${code}`,
    ),
  ];
}
