import { randomUUID } from 'node:crypto';

import type { Answer } from './http.ts';
import type { CallOptions, Service } from './service.ts';
import type { Cell, Cells, Page, Quote, QuotedRate, Reservation } from './shapes.ts';
import { pause } from './waiting.ts';

const DAY_MS = 86_400_000;
/**
 * At 03:00 of its zone a property's business date rolls (docs/reference/api.md#dates-and-times); the properties here
 * are in UTC.
 */
const AUDIT_MS = 3 * 3_600_000;

export const WEEK = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

export type BlackboxPropertyOptions = {
  /** Rooms of each type. */
  rooms?: Record<string, number>;
  /** Price of every night of every type. */
  price?: number;
  /** How many nights from today on have a price. */
  pricedNights?: number;
  policies?: Record<string, unknown>;
  /** UTC, unless a test is about time zones. */
  timezone?: string;
  /** EUR, unless a test is about currencies. */
  currency?: string;
};

/** Stay and card of a booking, by nights from today. */
export type Wish = {
  from?: number;
  nights?: number;
  roomType?: string;
  stay?: Record<string, unknown>;
  guest?: Record<string, unknown>;
  /** `null` books without payment details. */
  card?: string | null;
  more?: Record<string, unknown>;
};

/** A property that a test has for itself: its own rooms, prices and dates. */
export class BlackboxProperty {
  readonly service: Service;
  readonly propertyId: string;
  readonly firstDay: number;

  private constructor(service: Service, propertyId: string, firstDay: number) {
    this.service = service;
    this.propertyId = propertyId;
    this.firstDay = firstDay;
  }

  /** @throws Error when the set-up is refused */
  static async open(service: Service, options: BlackboxPropertyOptions = {}): Promise<BlackboxProperty> {
    const {
      rooms = { STD: 4, DLX: 3 },
      price = 100,
      pricedNights = 120,
      policies = {},
      timezone,
      currency,
    } = options;
    const target = new BlackboxProperty(service, `house-${randomUUID().slice(0, 8)}`, await serviceDay(service));
    const property = propertyBody(target.propertyId, policies, timezone, currency);
    must(await untilDecided(() => service.tenants('POST', '/properties', { body: property })), 201);
    for (const [roomType, totalRooms] of Object.entries(rooms)) {
      const body = { roomType, name: `Type ${roomType}`, maxAdults: 3, maxChildren: 2, maxGuests: 4, totalRooms };
      const path = `/properties/${target.propertyId}/room-types`;
      must(await untilDecided(() => service.tenants('POST', path, { body })), 201);
      if (pricedNights > 0) must(await untilDecided(() => target.price(roomType, 0, pricedNights, price)), 200);
    }
    return target;
  }

  /** One that is there already, such as that of a restored database; its days count from today. */
  static async known(service: Service, propertyId: string): Promise<BlackboxProperty> {
    return new BlackboxProperty(service, propertyId, await serviceDay(service));
  }

  /** The date `n` nights from today. */
  day(n: number): string {
    return new Date((this.firstDay + n) * DAY_MS).toISOString().slice(0, 10);
  }

  /** One price for every weekday of some nights. */
  price(roomType: string, from: number, nights: number, rate: number): Promise<Answer<unknown>> {
    return this.service.rates('PUT', '/base', {
      body: {
        propertyId: this.propertyId,
        roomType,
        effectiveDate: this.day(from),
        endDate: this.day(from + nights - 1),
        rates: WEEK.map((dayOfWeek) => ({ dayOfWeek, rate })),
      },
    });
  }

  /** Body of a create. */
  wish(wish: Wish = {}): Record<string, unknown> {
    const { from = 30, nights = 2, roomType = 'DLX', card = 'tok_visa' } = wish;
    return {
      propertyId: this.propertyId,
      guestInfo: { ...someone(), ...wish.guest },
      stayDetails: { checkIn: this.day(from), checkOut: this.day(from + nights), adults: 2, roomType, ...wish.stay },
      ...(card === null ? {} : { paymentDetails: { method: 'CREDIT_CARD', cardToken: card } }),
      ...wish.more,
    };
  }

  book(wish: Wish = {}, options: CallOptions = {}): Promise<Answer<Reservation>> {
    return this.service.reservations<Reservation>('POST', '', { body: this.wish(wish), ...options });
  }

  bookUntilDecided(wish: Wish = {}): Promise<Answer<Reservation>> {
    return untilDecided(() => this.book(wish));
  }

  /** A booking that must succeed. */
  async booked(wish: Wish = {}): Promise<Reservation> {
    return must(await this.book(wish), 201).json;
  }

  quote(from = 30, nights = 2, query = ''): Promise<Answer<Quote>> {
    const stay = `checkIn=${this.day(from)}&checkOut=${this.day(from + nights)}`;
    return this.service.rates<Quote>('GET', `/current?propertyId=${this.propertyId}&${stay}&adults=2${query}`);
  }

  /** The quote of one room type, which must be there. */
  async quoted(from = 30, nights = 2, roomType = 'DLX'): Promise<QuotedRate> {
    const answer = must(await this.quote(from, nights), 200);
    const rate = answer.json.rates.find((one) => one.roomType === roomType);
    if (!rate) throw new Error(`no ${roomType} in ${answer.text.slice(0, 500)}`);
    return rate;
  }

  read(reservationId: string): Promise<Answer<Reservation>> {
    return this.service.reservations<Reservation>('GET', `/${reservationId}`);
  }

  /** Cells of some nights, of one type or all. */
  async cells(from: number, nights: number, roomType?: string): Promise<Cell[]> {
    const range = `start_date=${this.day(from)}&end_date=${this.day(from + nights - 1)}`;
    const path = `/availability?property_id=${this.propertyId}&${range}`;
    const answer = must(await this.service.tenants<Cells>('GET', path, { role: 'STAFF' }), 200);
    return answer.json.items.filter((cell) => roomType === undefined || cell.roomType === roomType);
  }

  /** Rooms left of a type, night by night. */
  async left(from: number, nights = 1, roomType = 'DLX'): Promise<number[]> {
    return (await this.cells(from, nights, roomType)).map((cell) => cell.availableRooms);
  }

  /** All reservations of the property, page by page. */
  async reservations(query = ''): Promise<Reservation[]> {
    const all: Reservation[] = [];
    for (let cursor = ''; ;) {
      const path = `?propertyId=${this.propertyId}&limit=200${query}${cursor}`;
      const { json } = must(await this.service.reservations<Page<Reservation>>('GET', path), 200);
      all.push(...json.items);
      if (!json.nextCursor) return all;
      cursor = `&cursor=${encodeURIComponent(json.nextCursor)}`;
    }
  }
}

/** Overload and limits are no decision: the caller comes back. */
export async function untilDecided<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const answer = await ask();
    if (answer.status !== 503 && answer.status !== 429) return answer;
    await pause(1_000 * Number(answer.headers['retry-after'] ?? 1));
  }
  return ask();
}

let guests = 0;

/** A guest that nobody else is. */
export function someone(): { firstName: string; lastName: string; email: string } {
  guests += 1;
  return { firstName: 'Ada', lastName: `Guest ${guests}`, email: `ada.${process.pid}.${guests}@example.com` };
}

/** The answer, if its status is the one that the test builds on. */
export function must<T>(answer: Answer<T>, status: number): Answer<T> {
  if (answer.status === status) return answer;
  throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 800)}`);
}

/** Business date of a property in UTC on the service's clock, in days since 1970. */
async function serviceDay(service: Service): Promise<number> {
  return Math.floor((Date.parse((await serviceClock(service)).now) - AUDIT_MS) / DAY_MS);
}

/** `POST /dev/clock`, as the operator; no tenant may. */
export function advanceClock(
  service: Service,
  advanceSeconds: number,
  headers: CallOptions['headers'] = {},
): Promise<Answer<{ now: string }>> {
  return service.call('POST', `${service.dev.reservationUrl}/dev/clock`, {
    body: { advanceSeconds },
    headers,
    authorization: `Bearer ${service.dev.operatorToken}`,
    tenantHeader: null,
  });
}

/** `GET /dev/clock` (docs/reference/set-up.md#development-only). */
export async function serviceClock(service: Service): Promise<{ now: string }> {
  const answer = await service.call<{ now: string }>('GET', `${service.dev.reservationUrl}/dev/clock`);
  return must(answer, 200).json;
}

export function propertyBody(
  propertyId: string,
  policies: Record<string, unknown> = {},
  timezone = 'UTC',
  currency = 'EUR',
): Record<string, unknown> {
  return {
    propertyId,
    name: 'A house of the suite',
    propertyType: 'HOTEL',
    metadata: { currency, timezone, policies },
  };
}
