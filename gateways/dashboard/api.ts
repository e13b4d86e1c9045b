import type { PropertyId } from '../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import type { SignedIn } from './access/identity.ts';
import { answeredWith, UNREACHABLE } from './messages.ts';

/** Properties of a hotel property that the page needs. */
export type PropertySummary = {
  propertyId: PropertyId;
  name: string;
  timezone?: string;
  nightAuditHour: number;
  /** Milliseconds; the journal starts then. */
  createdAt: number;
};

/** An error of a service; `code` is the service's own, and empty when it could not be reached. */
export class ApiError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Pages fetched at most: nobody picks from ten thousand. */
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

/** Names of the room types by code; empty when not available, since codes suffice. */
export async function roomTypeNames(
  config: PageConfig,
  user: SignedIn,
  propertyId: PropertyId,
): Promise<Map<string, string>> {
  const path = `${pathOf(user)}/${encodeURIComponent(propertyId)}/room-types`;
  const names = new Map<string, string>();
  try {
    for (const item of listOf(await get(config, user, path), 'items')) {
      const code = member(item, 'roomType');
      const name = member(item, 'name');
      if (typeof code === 'string' && typeof name === 'string') names.set(code, name);
    }
  } catch {
    // Codes are shown then.
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

/** Access to the services: their addresses, and the user's token. */
export type SignedAccess = { config: PageConfig; user: SignedIn };

/** A write: with an idempotency key, and the version that it was decided on. */
export type Sent = { method: 'POST' | 'PUT' | 'DELETE'; body: object; ifMatch?: string };

/** An answer with its version and its age as reported by the service. */
type LoadResult = { body: unknown; etag: string; ageSeconds: number };

const PAUSE_MS = 400;

/**
 * Calls a service; with `sent` it is a write.
 * @param tries attempts: when the service is too busy or the answer is lost, it is sent again with the same key
 * @throws ApiError
 */
export async function ask(
  { config, user }: SignedAccess,
  service: 'rate' | 'reservation',
  path: string,
  sent?: Sent,
  tries = 1,
): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${user.token}`, 'x-tenant-id': user.tenantId };
  const init = { credentials: 'omit' as const, ...(sent ? written(headers, sent) : { headers }) };
  const url = (service === 'rate' ? config.rateUrl : config.reservationUrl) + path;
  const response = await patiently(() => fetch(url, init), tries);
  if (!response) throw new ApiError('', UNREACHABLE);
  const body = (await response.json().catch(() => undefined)) as { code?: string; detail?: string } | undefined;
  const { headers: given } = response;
  if (response.ok) return { body, etag: given.get('etag') ?? '', ageSeconds: Number(given.get('age') ?? 0) };
  throw new ApiError(body?.code ?? '', body?.detail ?? answeredWith(response.status));
}

async function patiently(send: () => Promise<Response>, most: number): Promise<Response | undefined> {
  for (let tries = 1; ; tries++) {
    const response = await send().catch(() => undefined);
    if (tries === most || (response && response.status !== 503)) return response;
    await new Promise((later) => setTimeout(later, tries * PAUSE_MS));
  }
}

function written(headers: Record<string, string>, { method, body, ifMatch }: Sent): RequestInit {
  return {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'idempotency-key': randomKey(),
      ...(ifMatch !== undefined && ifMatch !== '' && { 'if-match': ifMatch }),
    },
    body: JSON.stringify(body),
  };
}

/** `crypto.randomUUID` exists in secure contexts only, and a page on a local network is none. */
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
