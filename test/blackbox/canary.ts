import type { Answer } from './http.ts';
import { type Frame, type LiveClient, TRANSPORTS } from './live-client.ts';
import { propertyBody, serviceClock, WEEK } from './property.ts';
import type { Role, Service } from './service.ts';
import { until } from './waiting.ts';

const NIGHTS = 10;
const DAY_MS = 86_400_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export type CanaryOptions = {
  tenantId: string;
  /** A word that nobody else uses. */
  mark: string;
  price: number;
  propertyId: string;
  /** Of its guests; without one nobody is sent a text. */
  phone?: string;
};

/**
 * A tenant that lives the same life as another one: the same ids, keys, codes, dates and people of the service, at the
 * same time. Only its mark, in whatever is free text, and its prices distinguish it from the other.
 */
export class Canary {
  readonly service: Service;
  readonly tenantId: string;
  readonly mark: string;
  readonly price: number;
  readonly propertyId: string;
  /** Every answer and every frame that it got. */
  readonly heard: string[] = [];
  readonly #phone: string | undefined;
  readonly #firstDay: number;
  readonly #clients: LiveClient[] = [];
  #booking = '';

  private constructor(
    service: Service,
    { tenantId, mark, price, propertyId, phone }: CanaryOptions,
    firstDay: number,
  ) {
    this.service = service;
    this.tenantId = tenantId;
    this.mark = mark;
    this.price = price;
    this.propertyId = propertyId;
    this.#phone = phone;
    this.#firstDay = firstDay;
  }

  static async hatch(service: Service, options: CanaryOptions): Promise<Canary> {
    const today = Math.floor(Date.parse((await serviceClock(service)).now) / DAY_MS);
    return new Canary(service, options, today + 1);
  }

  day(n: number): string {
    return new Date((this.#firstDay + n) * DAY_MS).toISOString().slice(0, 10);
  }

  /** As OWNER, who may do everything; the key is the same in both tenants. */
  async ask<T = unknown>(method: string, path: string, body?: unknown, role: Role = 'OWNER'): Promise<Answer<T>> {
    const { rateUrl, reservationUrl } = this.service.dev;
    const isRate = /^\/api\/v1\/(rates|admin\/(rates|cache|competitor))/.test(path);
    const answer = await this.service.call<T>(method, (isRate ? rateUrl : reservationUrl) + path, {
      tenantHeader: this.tenantId,
      role,
      body,
      headers: method === 'GET' ? {} : { 'idempotency-key': `canary ${method} ${path}` },
    });
    this.heard.push(JSON.stringify(answer.headers) + answer.text);
    return answer;
  }

  /** @throws Error when it is refused */
  async demand<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.ask<T>(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${this.tenantId}: ${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return answer.json;
  }

  get #property(): string {
    return `/api/v1/tenants/${this.tenantId}/properties/${this.propertyId}`;
  }

  async build(): Promise<void> {
    const { mark, price } = this;
    await this.demand('POST', `/api/v1/tenants/${this.tenantId}/properties`, {
      ...propertyBody(this.propertyId),
      name: `House ${mark}`,
    });
    await this.demand('POST', `${this.#property}/room-types`, {
      roomType: 'STD',
      name: `Type ${mark}`,
      maxAdults: 3,
      maxChildren: 2,
      maxGuests: 4,
      totalRooms: 9,
    });
    await this.demand('POST', `${this.#property}/rooms`, { roomNumber: '101', roomType: 'STD', floor: 1 });
    await this.demand('PUT', `${this.#property}/services/SPA`, { name: `Spa ${mark}`, price });
    await this.demand('PUT', '/api/v1/rates/base', {
      propertyId: this.propertyId,
      roomType: 'STD',
      effectiveDate: this.day(0),
      endDate: this.day(NIGHTS + 20),
      rates: WEEK.map((dayOfWeek) => ({ dayOfWeek, rate: price })),
    });
    await this.demand('POST', '/api/v1/rates/promotional', {
      propertyId: this.propertyId,
      promotionName: `Offer ${mark}`,
      promoCode: 'CANARY10',
      discount: { type: 'PERCENTAGE', value: 10 },
      // The property may still have the business date of yesterday.
      validity: { startDate: this.day(-2), endDate: this.day(NIGHTS) },
    });
  }

  /** Follows the same property over both transports. */
  async listen(): Promise<void> {
    for (const open of Object.values(TRANSPORTS)) {
      const client = await open(this.service.dev.liveUrl);
      this.#clients.push(client);
      client.send({ t: 'auth', token: this.service.token('demo', 'OWNER'), tenantId: this.tenantId });
      const topics = ['grid', 'feed', 'kpi', 'rooms', 'competitors'];
      client.send({
        t: 'subscribe',
        propertyId: this.propertyId,
        topics,
        window: { start: this.day(0), days: NIGHTS },
      });
      const isSnapshot = ({ t }: Frame): boolean => t === 'snapshot';
      await until('a snapshot', 60_000, () => client.frames.find(isSnapshot));
    }
  }

  /** Sells, changes, reads: what a day brings. */
  async live(): Promise<void> {
    const { mark } = this;
    const stay = { checkIn: this.day(1), checkOut: this.day(3), adults: 2, roomType: 'STD' };
    const guestInfo = { firstName: 'Canary', lastName: mark, email: 'canary@example.com', phone: this.#phone };
    const current = `/api/v1/rates/current?propertyId=${this.propertyId}&checkIn=${stay.checkIn}&checkOut=${stay.checkOut}`;
    await this.demand('GET', `${current}&promoCode=CANARY10`);
    const wish = { propertyId: this.propertyId, guestInfo, stayDetails: { ...stay, promoCode: 'CANARY10' } };
    const booked = await this.demand<{ reservationId: string }>('POST', '/api/v1/reservations', {
      ...wish,
      specialRequests: [`a room for ${mark}`],
      paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
    });
    const path = `/api/v1/reservations/${booked.reservationId}`;
    await this.demand('PUT', path, { modifications: { specialRequests: [`quiet ${mark}`] }, reason: mark });
    await this.demand('POST', '/api/v1/reservations/holds', {
      propertyId: this.propertyId,
      roomType: 'STD',
      checkIn: this.day(4),
      checkOut: this.day(5),
    });
    await this.demand('POST', '/api/v1/reservations/groups', {
      propertyId: this.propertyId,
      name: `Group ${mark}`,
      cutoffDate: this.day(4),
      blocks: [{ roomType: 'STD', date: this.day(6), rooms: 2, rate: this.price }],
    });
    // The query is ignored; it makes another key.
    const second = await this.demand<{ reservationId: string }>('POST', '/api/v1/reservations?second', {
      ...wish,
      guestInfo: { ...guestInfo, email: 'second@example.com' },
      stayDetails: { ...stay, checkIn: this.day(2) },
    });
    await this.demand('DELETE', `/api/v1/reservations/${second.reservationId}`);
    this.#booking = path;
  }

  /** Reads whatever can be read, of its own and of what is nobody's. */
  async read(): Promise<void> {
    const booking = this.#booking;
    const range = `start_date=${this.day(0)}&end_date=${this.day(NIGHTS)}`;
    const paths = [
      booking,
      `${booking}/history`,
      `${booking}/invoice`,
      '/api/v1/reservations?limit=200',
      '/api/v1/guests?q=canary',
      '/api/v1/guests?email=canary@example.com',
      '/api/v1/reservations/groups',
      `/api/v1/tenants/${this.tenantId}/properties`,
      this.#property,
      `${this.#property}/rooms`,
      `${this.#property}/room-types`,
      `${this.#property}/services`,
      `${this.#property}/pickup`,
      `${this.#property}/events`,
      `/api/v1/tenants/${this.tenantId}/availability?property_id=${this.propertyId}&${range}`,
      `/api/v1/tenants/${this.tenantId}/reservations`,
      `/api/v1/admin/audit/${this.propertyId}`,
      '/api/v1/admin/audit-trail',
      '/dev/outbox',
      `/api/v1/rates/plans?propertyId=${this.propertyId}`,
      `/api/v1/rates/promotions?propertyId=${this.propertyId}`,
      `/api/v1/rates/calendar?propertyId=${this.propertyId}&startDate=${this.day(0)}&endDate=${this.day(NIGHTS)}`,
      `/api/v1/rates/analysis?propertyId=${this.propertyId}`,
      `/api/v1/rates/forecast?propertyId=${this.propertyId}`,
      '/api/v1/rates/current?propertyId=nobody',
      '/api/v1/reservations/nothing',
    ];
    for (const path of paths) await this.ask('GET', path);
    await this.ask('GET', '/api/v1/reservations', undefined, 'VIEWER');
  }

  /** Hangs up, and keeps what the sockets said. */
  deafen(): void {
    for (const client of this.#clients) {
      this.heard.push(...client.frames.map((one) => JSON.stringify(one)));
      client.close();
    }
  }

  /** Ids of its things. */
  ids(): Set<string> {
    return new Set(this.heard.flatMap((text) => text.match(UUID) ?? []));
  }
}
