import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { Instant } from '../../../../src/kernel/rules/property-time.ts';
import type { calendarEventAnswer, calendarEventsAnswer } from '../../../../src/rates/contracts/calendar-events.ts';
import { ask, read, type Sent, type SignedAccess } from '../../api.ts';
import type { RevenueStore } from '../store.ts';

export type CalendarEventView = WireOf<typeof calendarEventAnswer>;

/** An event before it is stored. */
export type WantedEvent = Pick<CalendarEventView, 'name' | 'from' | 'to' | 'effect'> & { note?: string };

/** Shows the events as they are after a change, also after one that was refused. */
export async function thenRefreshed<T>({ revenue }: Pick<RevenueStore, 'revenue'>, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } finally {
    await revenue.refreshEvents();
  }
}

type SeenEvent = Pick<CalendarEventView, 'eventId' | 'version'>;

/** Calendar events of a property. Every method throws ApiError. */
export class CalendarApi {
  readonly #access: SignedAccess;
  readonly #path: string;

  constructor(access: SignedAccess, propertyId: string) {
    this.#access = access;
    this.#path = `/api/v1/rates/calendar-events/${encodeURIComponent(propertyId)}`;
  }

  /** Events with a night of a period, now or as they were known at an instant. */
  async list(start: string, end: string, asOf?: Instant): Promise<readonly CalendarEventView[]> {
    const at: Record<string, string> = asOf === undefined ? {} : { asOf: new Date(asOf).toISOString() };
    const query = { start_date: start, end_date: end, ...at };
    return (await read<WireOf<typeof calendarEventsAnswer>>(this.#access, 'rate', this.#path, query)).items;
  }

  /** Adds an event, or changes one that is still as it was seen. @returns the stored one */
  async put(event: WantedEvent, seen?: SeenEvent): Promise<CalendarEventView> {
    const method = seen ? ('PUT' as const) : ('POST' as const);
    return (await this.#send(seen, { method, body: event })) as CalendarEventView;
  }

  /** Removes an event that is still as it was seen. */
  async remove(seen: SeenEvent): Promise<void> {
    await this.#send(seen, { method: 'DELETE', body: {} });
  }

  async #send(seen: SeenEvent | undefined, sent: Sent): Promise<unknown> {
    const path = seen ? `${this.#path}/${encodeURIComponent(seen.eventId)}` : this.#path;
    const match = seen && { ifMatch: `"${seen.version}"` };
    return (await ask(this.#access, 'rate', path, { ...sent, ...match })).body;
  }
}

/** An event as it is stored again, to take a change back. */
export function wantedOf({ name, from, to, effect, note }: CalendarEventView): WantedEvent {
  return { name, from, to, effect, ...(note !== null && { note }) };
}
