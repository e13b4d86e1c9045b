import { itemsOf } from '../../packages/client/src/pages.ts';
import { randomKey, sendPatiently } from '../../packages/client/src/retrying.ts';
import type { WireOf } from '../../src/kernel/contracts/answers.ts';
import type { PropertyId } from '../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import type { propertyListAnswer, roomTypeListAnswer } from '../../src/properties/contracts/property-answers.ts';
import type { SignedIn } from './access/identity.ts';
import { isTokenRefused, renewed } from './access/page-access.ts';
import { FIRST_PAGE, propertiesPath, readOnce, userHeaders } from './early/early.ts';
import { fieldProblem } from './field-problems.ts';
import { answeredWith, OFFLINE, UNREACHABLE } from './messages.ts';

/** Properties of a hotel property that the page needs. */
export type PropertySummary = {
  propertyId: PropertyId;
  name: string;
  timezone?: string;
  currency: string;
  nightAuditHour: number;
  /** `15:00`, in the zone of the property. */
  checkInTime: string;
  /** After check-in time, until a guest who has not come is a no-show. */
  noShowGraceMinutes: number;
  /** A room that was cleaned is ready for a guest once it is inspected. */
  inspectsRooms: boolean;
  /** Milliseconds; the journal starts then. */
  createdAt: number;
};

/** An error of a service; `code` is the service's own, and empty when it could not be reached. */
export class ApiError extends Error {
  readonly code: string;
  /** Whether the same request may be sent again with its key: it may be done, or the service says that it was not. */
  readonly isRetryable: boolean;
  /** What the service said, where it answered with a problem. */
  readonly problem: Problem | undefined;

  constructor(code: string, message: string, problem?: Problem) {
    super(message);
    this.code = code;
    this.isRetryable = problem?.retryable ?? code === '';
    this.problem = problem;
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

/** Whether the tenant has any property. @throws ApiError */
export async function hasProperties(access: SignedAccess): Promise<boolean> {
  const { items } = await read<PropertyList>(access, 'reservation', propertiesPath(access.user), { limit: '1' });
  return items.length > 0;
}

/** Items of a list. @param most pages that are read at most @param read reads a page with this query */
export async function readPages<T>(
  most: number,
  read: (query: Record<string, string>) => Promise<{ items: readonly T[]; nextCursor: string | null }>,
): Promise<T[]> {
  const found: T[] = [];
  const page = (cursor: string | undefined) => read({ ...FIRST_PAGE, ...(cursor !== undefined && { cursor }) });
  for await (const item of itemsOf(page, most)) found.push(item);
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

/** Where a property of the user's tenant is. */
export function propertyPath(user: SignedIn, propertyId: string): string {
  return `${propertiesPath(user)}/${encodeURIComponent(propertyId)}`;
}

type PropertyList = WireOf<typeof propertyListAnswer>;

function summary({ propertyId, name, metadata, createdAt }: PropertyList['items'][number]): PropertySummary {
  const { timezone, currency, policies } = metadata;
  const hour = policies['nightAuditHour'];
  const { checkInTime } = metadata;
  const grace = policies['noShowGraceMinutes'];
  return {
    propertyId,
    name,
    timezone,
    currency,
    nightAuditHour: typeof hour === 'number' ? hour : 3,
    checkInTime: typeof checkInTime === 'string' ? checkInTime : '15:00',
    noShowGraceMinutes: typeof grace === 'number' ? grace : 180,
    inspectsRooms: policies['roomReadyWhen'] === 'INSPECTED',
    createdAt: Date.parse(createdAt),
  };
}

/** Access to the services: their addresses, and the user's token. */
export type SignedAccess = { config: PageConfig; user: SignedIn };

/**
 * A write: with the version that it was decided on, and an idempotency key. With a `key` of the caller it can be sent
 * again when it is not known whether it was done.
 */
export type Sent = { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; body: object; ifMatch?: string; key?: string };

/** An answer with its version and its age as reported by the service. */
export type LoadResult = { body: unknown; etag: string; ageSeconds: number };

const FIRST_PAUSE_MS = 800;
/** Somebody waits. */
const MAX_PAUSE_MS = 3_000;

/** `own` is the listener of the page: what belongs to its person. */
export type Service = 'rate' | 'reservation' | 'own';

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
  access: SignedAccess,
  service: Service,
  path: string,
  sent?: Sent,
  tries = 1,
): Promise<LoadResult> {
  try {
    return await attempt(access, service, path, sent, tries);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error;
    // A tab that slept: nothing was done, so it may be sent again.
    const user = await renewed(access.user);
    if (user) return attempt({ ...access, user }, service, path, sent, tries);
    isTokenRefused.value = true;
    throw error;
  }
}

async function attempt(
  { config, user }: SignedAccess,
  service: Service,
  path: string,
  sent: Sent | undefined,
  tries: number,
): Promise<LoadResult> {
  const headers = userHeaders(user);
  // The cookie of the session goes to the page's own listener alone.
  const credentials = service === 'own' ? ('same-origin' as const) : ('omit' as const);
  const init = { credentials, ...(sent ? written(headers, sent) : { headers }) };
  const url = { rate: config.rateUrl, reservation: config.reservationUrl, own: '' }[service] + path;
  return answerOf(await patiently(() => (sent ? fetch(url, init) : readOnce(url, init, user.token)), tries));
}

/** Sends a file as it is, such as a photo. @throws ApiError */
export async function sendFile(
  { config, user }: SignedAccess,
  path: string,
  query: Record<string, string>,
  file: Blob,
): Promise<unknown> {
  const headers = { ...userHeaders(user), 'content-type': file.type || 'application/octet-stream' };
  const url = `${config.reservationUrl}${path}?${new URLSearchParams(query).toString()}`;
  const send = (): Promise<Response> => fetch(url, { method: 'POST', credentials: 'omit', headers, body: file });
  return (await answerOf(await patiently(send, 1))).body;
}

/** Pages of a file that are read at most. */
const MAX_FILE_PAGES = 50;

/** A list of the reservation service as CSV, page by page with one header line. @throws ApiError */
export async function readCsv(
  { config, user }: SignedAccess,
  path: string,
  query: Record<string, string>,
): Promise<string[]> {
  const parts: string[] = [];
  let cursor: string | null = null;
  do {
    const asked: URLSearchParams = new URLSearchParams({ ...query, ...(cursor !== null && { cursor }) });
    const init = { credentials: 'omit' as const, headers: userHeaders(user) };
    const url = `${config.reservationUrl}${path}?${asked.toString()}`;
    const response: Response | null = await fetch(url, init).catch(() => null);
    if (!response) throw new ApiError('', UNREACHABLE);
    if (!response.ok) throw new ApiError('', answeredWith(response.status));
    const text = await response.text();
    // Each page of the file names its columns; one header is enough.
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\r\n') + 2));
    cursor = response.headers.get('x-next-cursor');
  } while (cursor !== null && parts.length < MAX_FILE_PAGES);
  return parts;
}

async function answerOf(response: Response | undefined): Promise<LoadResult> {
  if (!response) throw new ApiError('', navigator.onLine ? UNREACHABLE : OFFLINE);
  const body = (await response.json().catch(() => undefined)) as Problem | undefined;
  const { headers: given } = response;
  if (response.ok) return { body, etag: given.get('etag') ?? '', ageSeconds: Number(given.get('age') ?? 0) };
  throw new ApiError(body?.code ?? '', body ? detailOf(body, response.status) : answeredWith(response.status), body);
}

/** A problem of a service, with what some of them add (docs/reference/api.md#problems). */
export type Problem = {
  code?: string;
  retryable?: boolean;
  detail?: string;
  errors?: { pointer?: string; parameter?: string; code?: string; detail: string }[];
  /** Nights that cost something else by now. */
  changed?: { roomType: string; date: string; then: number | null; now: number | null }[];
  alternatives?: { roomType: string; checkIn: string; checkOut: string }[];
  /** Night and room type that are sold out. */
  date?: string;
  roomType?: string;
  lines?: { line: number; code: string; detail: string; date?: string }[];
};

/** What is wrong, and with which field where one is. */
function detailOf({ detail, errors = [] }: Problem, status: number): string {
  const [first] = errors;
  const field = first?.pointer?.split('/').at(-1) ?? first?.parameter;
  return first && field ? fieldProblem(field, first.code, first.detail) : (detail ?? answeredWith(status));
}

/** Nothing when there was no answer. */
function patiently(send: () => Promise<Response>, tries: number): Promise<Response | undefined> {
  return sendPatiently(send, { tries, firstPauseMs: FIRST_PAUSE_MS, maxPauseMs: MAX_PAUSE_MS }).catch(
    () => undefined,
  );
}

function written(headers: Record<string, string>, { method, body, ifMatch, key }: Sent): RequestInit {
  return {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'idempotency-key': key ?? randomKey(),
      ...(ifMatch !== undefined && ifMatch !== '' && { 'if-match': ifMatch }),
    },
    body: JSON.stringify(body),
  };
}
