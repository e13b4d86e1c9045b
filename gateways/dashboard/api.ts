import type { PropertyId } from '../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import type { SignedIn } from './access/identity.ts';
import { answeredWith, UNREACHABLE } from './messages.ts';

/** What the page needs to know of a property. */
export type PropertySummary = {
  propertyId: PropertyId;
  name: string;
  timezone?: string;
  nightAuditHour: number;
  /** Milliseconds; its journal begins then. */
  createdAt: number;
};

/** The API refused; `status` is 0 when it could not be reached. */
class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** More pages than this are not fetched: nobody picks from ten thousand. */
const MOST_PAGES = 5;

/** Properties of the tenant by name. @throws ApiError */
export async function fetchProperties(config: PageConfig, user: SignedIn): Promise<PropertySummary[]> {
  const path = `${pathOf(user)}?limit=200`;
  const found: PropertySummary[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const next = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const answer = await get(config, user, path + next);
    for (const item of listOf(answer, 'items')) {
      const propertyId = member(item, 'propertyId');
      const name = member(item, 'name');
      if (typeof propertyId === 'string' && typeof name === 'string') found.push(summary(propertyId, name, item));
    }
    cursor = member(answer, 'nextCursor');
    if (typeof cursor !== 'string') break;
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

/** Names of the room types by code; empty when they cannot be had, since codes do as well. */
export async function roomTypeNames(
  config: PageConfig,
  user: SignedIn,
  propertyId: PropertyId,
): Promise<Map<string, string>> {
  const path = `${pathOf(user)}/${encodeURIComponent(propertyId)}/room-types`;
  const names = new Map<string, string>();
  try {
    for (const item of listOf(await get(config, user, path), 'items')) {
      const [code, name] = [member(item, 'roomType'), member(item, 'name')];
      if (typeof code === 'string' && typeof name === 'string') names.set(code, name);
    }
  } catch {
    // Shown by their codes then.
  }
  return names;
}

/** Where the properties of the user's tenant are. */
function pathOf({ tenantId }: SignedIn): string {
  return `/api/v1/tenants/${encodeURIComponent(tenantId)}/properties`;
}

function summary(propertyId: PropertyId, name: string, item: unknown): PropertySummary {
  const metadata = member(item, 'metadata');
  const timezone = member(metadata, 'timezone');
  const hour = member(member(metadata, 'policies'), 'nightAuditHour');
  const created = member(item, 'createdAt');
  return {
    propertyId,
    name,
    ...(typeof timezone === 'string' && { timezone }),
    nightAuditHour: typeof hour === 'number' ? hour : 3,
    createdAt: typeof created === 'string' ? Date.parse(created) : 0,
  };
}

async function get(config: PageConfig, user: SignedIn, path: string): Promise<unknown> {
  return (await ask({ config, user }, 'reservation', path)).body;
}

/** What requests of the page need: the addresses of the services, and the token of the user. */
export type SignedAccess = { config: PageConfig; user: SignedIn };

/** An answer, and how old the service says that it is. */
type LoadResult = { body: unknown; ageSeconds: number };

/**
 * Calls a service; with `sent` it is a write, with one effect however often the request is repeated. @throws ApiError
 */
export async function ask(
  { config, user }: SignedAccess,
  service: 'rate' | 'reservation',
  path: string,
  sent?: object,
  method: 'POST' | 'PUT' = 'POST',
): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${user.token}`, 'x-tenant-id': user.tenantId };
  const reservation = { 'content-type': 'application/json', 'idempotency-key': randomKey() };
  const response = await fetch((service === 'rate' ? config.rateUrl : config.reservationUrl) + path, {
    credentials: 'omit',
    ...(sent ? { method, headers: { ...headers, ...reservation }, body: JSON.stringify(sent) } : { headers }),
  }).catch(() => undefined);
  if (!response) throw new ApiError(0, UNREACHABLE);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return { body, ageSeconds: Number(response.headers.get('age') ?? 0) };
  const detail = member(body, 'detail');
  throw new ApiError(response.status, typeof detail === 'string' ? detail : answeredWith(response.status));
}

/** `crypto.randomUUID` is for secure contexts only, and a page on a local network is none. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function listOf(from: unknown, name: string): readonly unknown[] {
  const value = member(from, name);
  return Array.isArray(value) ? value : [];
}

function member(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
}
