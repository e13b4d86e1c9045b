import { dateOf, dayIn } from './wire.ts';

/** Where the channel sends its bookings, and its token. */
export type SalesTo = { reservationUrl: string; channelId: string; tenantId: string; token: string };

/** A stay that the channel sells; both dates as ISO dates. */
export type Sale = {
  externalId?: string;
  externalRoom: string;
  externalRate: string;
  checkIn: string;
  checkOut: string;
  adults?: number;
  total?: number;
  currency?: string;
  collectedBy?: 'CHANNEL' | 'PROPERTY';
  guest?: { firstName: string; lastName: string; email?: string };
  updatedAt?: string;
};

export type SaleAnswer = { status: number; json: Record<string, unknown>; text: string };
export type SoldBooking = { externalId: string; body: Record<string, unknown>; answers: SaleAnswer[] };

/** Bookings that guests of the channel make, and what the service says to them. */
export class OwnSales {
  readonly bookings = new Map<string, SoldBooking>();
  to: SalesTo | undefined;
  #count = 0;
  readonly #taken: (room: string, from: number, to: number, rooms: number) => void;

  /** @param taken a room of nights, both inclusive, is sold (1) or free again (-1) */
  constructor(taken: (room: string, from: number, to: number, rooms: number) => void) {
    this.#taken = taken;
  }

  /** Sells a stay, also one that nobody has a room for. */
  sell({ externalId = `CH-${String((this.#count += 1)).padStart(6, '0')}`, ...sale }: Sale): Promise<SaleAnswer> {
    const guest = sale.guest ?? { firstName: 'Grace', lastName: `Guest ${externalId}` };
    const body = { status: 'BOOKED', adults: 2, ...sale, guest };
    this.#take(body, 1);
    this.bookings.set(externalId, { externalId, body, answers: [] });
    return this.send(externalId);
  }

  change(externalId: string, { externalId: _same, ...to }: Partial<Sale>): Promise<SaleAnswer> {
    const booking = this.#known(externalId);
    this.#take(booking.body, -1);
    Object.assign(booking.body, to);
    this.#take(booking.body, 1);
    return this.send(externalId);
  }

  cancel(externalId: string): Promise<SaleAnswer> {
    const booking = this.#known(externalId);
    this.#take(booking.body, -1);
    booking.body.status = 'CANCELLED';
    return this.send(externalId);
  }

  /** Sends a booking as it is now, again too. @throws Error when nobody has said where to */
  async send(externalId: string): Promise<SaleAnswer> {
    if (!this.to) throw new Error('the channel does not know where its bookings go');
    const { reservationUrl, channelId, tenantId, token } = this.to;
    const { body, answers } = this.#known(externalId);
    const url = `${reservationUrl}/api/v1/channels/${channelId}/bookings/${encodeURIComponent(externalId)}`;
    const response = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-tenant-id': tenantId },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const json = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
    const answer = { status: response.status, json, text };
    answers.push(answer);
    return answer;
  }

  #known(externalId: string): SoldBooking {
    const booking = this.bookings.get(externalId);
    if (!booking) throw new Error(`the channel has no booking ${externalId}`);
    return booking;
  }

  #take({ externalRoom, checkIn, checkOut }: Record<string, unknown>, rooms: number): void {
    const [from, to] = [dayIn(checkIn), dayIn(checkOut)];
    if (from !== undefined && to !== undefined) this.#taken(String(externalRoom), from, to - 1, rooms);
  }
}

/** Nights of a stay, for a body that has a price of each. */
export const nightsOf = (checkIn: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => dateOf(dayIn(checkIn)! + n));
