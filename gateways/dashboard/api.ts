import type { WireOf } from '../../src/kernel/contracts/answers.ts';
import type { PropertyId } from '../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import type { propertyListAnswer, roomTypeListAnswer } from '../../src/properties/contracts/property-answers.ts';
import type { SignedIn } from './access/identity.ts';
import { answeredWith, UNREACHABLE } from './messages.ts';

/** Properties of a hotel property that the page needs. */
export type PropertySummary = {
  propertyId: PropertyId;
  name: string;
  timezone?: string;
  nightAuditHour: number;
  /** A room that was cleaned is ready for a guest once it is inspected. */
  inspectsRooms: boolean;
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
const MAX_PAGES = 5;

/** Properties of the tenant by name. @throws ApiError */
export async function fetchProperties(config: PageConfig, user: SignedIn): Promise<PropertySummary[]> {
  const found = await readPages(MAX_PAGES, (query) =>
    read<PropertyList>({ config, user }, 'reservation', propertiesPath(user), query),
  );
  return found.map(summary).sort((a, b) => a.name.localeCompare(b.name));
}

/** Items of a list. @param most pages that are read at most @param read reads a page with this query */
export async function readPages<T>(
  most: number,
  read: (query: Record<string, string>) => Promise<{ items: readonly T[]; nextCursor: string | null }>,
): Promise<T[]> {
  const found: T[] = [];
  const query: Record<string, string> = { limit: '200' };
  for (let page = 0; page < most; page++) {
    const { items, nextCursor } = await read(query);
    found.push(...items);
    if (nextCursor === null) break;
    query['cursor'] = nextCursor;
  }
  return found;
}

/** Names of the room types by code; empty when not available, since codes suffice. */
export async function roomTypeNames(
  config: PageConfig,
  user: SignedIn,
  propertyId: PropertyId,
): Promise<Map<string, string>> {
  try {
    const path = `${propertyPath(user, propertyId)}/room-types`;
    const { items } = await read<WireOf<typeof roomTypeListAnswer>>({ config, user }, 'reservation', path);
    return new Map(items.map(({ roomType, name }) => [roomType, name]));
  } catch {
    // Codes are shown then.
    return new Map();
  }
}

/** Where the properties of the user's tenant are. */
function propertiesPath({ tenantId }: SignedIn): string {
  return `/api/v1/tenants/${encodeURIComponent(tenantId)}/properties`;
}

/** Where a property of the user's tenant is. */
export function propertyPath(user: SignedIn, propertyId: string): string {
  return `${propertiesPath(user)}/${encodeURIComponent(propertyId)}`;
}

type PropertyList = WireOf<typeof propertyListAnswer>;

function summary({ propertyId, name, metadata, createdAt }: PropertyList['items'][number]): PropertySummary {
  const { timezone, policies } = metadata;
  const hour = policies['nightAuditHour'];
  return {
    propertyId,
    name,
    timezone,
    nightAuditHour: typeof hour === 'number' ? hour : 3,
    inspectsRooms: policies['roomReadyWhen'] === 'INSPECTED',
    createdAt: Date.parse(createdAt),
  };
}

/** Access to the services: their addresses, and the user's token. */
export type SignedAccess = { config: PageConfig; user: SignedIn };

/** A write: with an idempotency key, and the version that it was decided on. */
export type Sent = { method: 'POST' | 'PUT' | 'DELETE'; body: object; ifMatch?: string };

/** An answer with its version and its age as reported by the service. */
type LoadResult = { body: unknown; etag: string; ageSeconds: number };

const PAUSE_MS = 400;

type Service = 'rate' | 'reservation';

/** The body that a service answers to a read. @throws ApiError */
export async function read<T>(
  access: SignedAccess,
  service: Service,
  path: string,
  query: Record<string, string> = {},
): Promise<T> {
  const text = new URLSearchParams(query).toString();
  return (await ask(access, service, text === '' ? path : `${path}?${text}`)).body as T;
}

/**
 * Calls a service; with `sent` it is a write.
 * @param tries attempts: when the service is too busy or the answer is lost, it is sent again with the same key
 * @throws ApiError
 */
export async function ask(
  { config, user }: SignedAccess,
  service: Service,
  path: string,
  sent?: Sent,
  tries = 1,
): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${user.token}`, 'x-tenant-id': user.tenantId };
  const init = { credentials: 'omit' as const, ...(sent ? written(headers, sent) : { headers }) };
  const url = (service === 'rate' ? config.rateUrl : config.reservationUrl) + path;
  const response = await patiently(() => fetch(url, init), tries);
  if (!response) throw new ApiError('', UNREACHABLE);
  const body = (await response.json().catch(() => undefined)) as Problem | undefined;
  const { headers: given } = response;
  if (response.ok) return { body, etag: given.get('etag') ?? '', ageSeconds: Number(given.get('age') ?? 0) };
  throw new ApiError(body?.code ?? '', body ? detailOf(body, response.status) : answeredWith(response.status));
}

type Problem = {
  code?: string;
  detail?: string;
  errors?: { pointer?: string; parameter?: string; detail: string }[];
};

/** What is wrong, and with which field where one is. */
function detailOf({ detail, errors = [] }: Problem, status: number): string {
  const [first] = errors;
  const field = first?.pointer?.split('/').at(-1) ?? first?.parameter;
  return first && field ? `${field} ${first.detail}.` : (detail ?? answeredWith(status));
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
