import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import { answeredWith, UNREACHABLE } from '../messages.ts';
import type { ReservationRead, ReservationView, RoomStatusName, RoomTypeView } from './shapes.ts';

/** The service refused; `code` is its own, and empty where it could not be reached. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a change would do, or has done, as the answers of the service say it. */
export type CheckedIn = { roomDetails: { roomNumber: string; roomType: string; upgraded: boolean } };
export type CheckOutAnswer = {
  finalBill: {
    roomCharges: number;
    additionalCharges: number;
    taxes: number;
    totalAmount: number;
    balanceDue: number;
  };
  refund: { amount: Minor };
};
export type Cancelled = {
  cancellationPolicy: { policyName: string; deadlineDate: string | null; penaltyAmount: number };
  refund: { refundAmount: number };
};
export type Roomed = { roomNumber: string; roomType: string; upgraded: boolean; previousRoomNumber: string | null };
export type Modified = {
  changes: Record<string, { from: unknown; to: unknown }>;
  additionalPayment: { amount: Minor };
  refund: { refundAmount: number };
};

type Change = { id: string; etag: string; dryRun: boolean };
type Sent = { method: string; body?: object; ifMatch?: string };

/** Pages of a list that are read at the most: more stays than that no chart shows. */
const MOST_PAGES = 20;

const TRIES = 3;
const PAUSE_MS = 400;

/** Calls of the front desk about one property. Every method throws {@link Refused}. */
export class FrontDeskApi {
  readonly #config: PageConfig;
  readonly #user: () => SignedIn;
  readonly #propertyId: string;

  constructor(config: PageConfig, user: () => SignedIn, propertyId: PropertyId) {
    this.#config = config;
    this.#user = user;
    this.#propertyId = propertyId;
  }

  /** All reservations that a query finds. */
  async list(query: Record<string, string>): Promise<ReservationView[]> {
    const items: ReservationView[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; page < MOST_PAGES && cursor !== null; page++) {
      const all = { propertyId: this.#propertyId, limit: '200', ...query, ...(cursor ? { cursor } : {}) };
      const { body } = await this.#ask(`/api/v1/reservations?${new URLSearchParams(all).toString()}`);
      const reservation = body as { items: ReservationView[]; nextCursor: string | null };
      items.push(...reservation.items);
      cursor = reservation.nextCursor;
    }
    return items;
  }

  async get(id: string): Promise<ReservationRead> {
    const { body, etag } = await this.#ask(`/api/v1/reservations/${id}`);
    return { reservation: body as ReservationView, etag };
  }

  async roomTypes(): Promise<RoomTypeView[]> {
    return ((await this.#ask(`${this.#property()}/room-types`)).body as { items: RoomTypeView[] }).items;
  }

  async setRoomStatus(roomNumber: string, status: RoomStatusName): Promise<void> {
    const path = `${this.#property()}/rooms/${encodeURIComponent(roomNumber)}/status`;
    await this.#ask(path, { method: 'PUT', body: { status } });
  }

  async checkIn(change: Change, keyCards: number): Promise<CheckedIn> {
    return this.#change<CheckedIn>('POST', change, '/checkin', { identificationVerified: true, keyCards });
  }

  async checkOut(change: Change): Promise<CheckOutAnswer> {
    return this.#change<CheckOutAnswer>('POST', change, '/checkout', {});
  }

  async cancel(change: Change, reason: string): Promise<Cancelled> {
    return this.#change<Cancelled>('DELETE', change, '', { reason });
  }

  async room(change: Change, roomNumber: string): Promise<Roomed> {
    return this.#change<Roomed>('PUT', change, '/room', { roomNumber });
  }

  async modify(change: Change, stayDetails: object): Promise<Modified> {
    const body = { modifications: { stayDetails }, modifiedBy: 'front desk', reason: 'Changed at the front desk' };
    return this.#change<Modified>('PUT', change, '', body);
  }

  /** Money that was handed over at the desk. */
  async pay({ id, etag }: Omit<Change, 'dryRun'>, amount: Minor): Promise<void> {
    const body = { method: 'CASH', amount };
    await this.#ask(`/api/v1/reservations/${id}/payments`, { method: 'POST', body, ifMatch: etag });
  }

  async #change<T>(method: string, { id, etag, dryRun }: Change, what: string, body: object): Promise<T> {
    const path = `/api/v1/reservations/${id}${what}${dryRun ? '?dryRun=true' : ''}`;
    return (await this.#ask(path, { method, body, ifMatch: etag })).body as T;
  }

  #property(): string {
    const tenant = encodeURIComponent(this.#user().tenantId);
    return `/api/v1/tenants/${tenant}/properties/${encodeURIComponent(this.#propertyId)}`;
  }

  async #ask(path: string, sent?: Sent): Promise<{ body: unknown; etag: string }> {
    const { token, tenantId } = this.#user();
    const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenantId };
    const init = { credentials: 'omit' as const, ...(sent ? written(headers, sent) : { headers }) };
    const response = await patiently(() => fetch(this.#config.reservationUrl + path, init));
    if (!response) throw new Refused('', UNREACHABLE);
    const body = (await response.json().catch(() => undefined)) as { code?: string; detail?: string } | undefined;
    if (response.ok) return { body, etag: response.headers.get('etag') ?? '' };
    throw new Refused(body?.code ?? '', body?.detail ?? answeredWith(response.status));
  }
}

/** Retries, with the same key, where the service was too busy or the answer was lost. */
async function patiently(send: () => Promise<Response>): Promise<Response | undefined> {
  for (let tries = 1; ; tries++) {
    const response = await send().catch(() => undefined);
    if (tries === TRIES || (response && response.status !== 503)) return response;
    await new Promise((later) => setTimeout(later, tries * PAUSE_MS));
  }
}

/** With a key, so that it happens once however often it is sent, and the version that it was decided on. */
function written(headers: Record<string, string>, { method, body, ifMatch }: Sent): RequestInit {
  return {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'idempotency-key': randomKey(),
      ...(ifMatch !== undefined && ifMatch !== '' && { 'if-match': ifMatch }),
    },
    body: JSON.stringify(body ?? {}),
  };
}

function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
