import type { AdvisoryLock, Clock, Log } from '../../kernel/ports.ts';
import { businessDate, instantAt, type Instant } from '../../kernel/rules/property-time.ts';
import { DEFAULT_POLICIES } from '../../properties/rules/property.ts';
import type { DemoState, DemoStates, HotelAnswer, HotelClient } from '../ports.ts';
import { demoId } from '../rules/demo-ids.ts';
import { type DeskAct, dueActs, type DeskView, type DeskStay, type WaitingTask } from '../rules/desk.ts';
import { bookingOfStay, laterChange, externalIdOf } from '../rules/guest-requests.ts';
import { advancedClock, deskClock } from '../rules/guests-clock.ts';
import { DEMO_PROPERTIES } from '../rules/hotels.ts';
import type { DemoPace } from '../rules/pace.ts';
import type { PlannedStay } from '../rules/plan.ts';

const { nightAuditHour } = DEFAULT_POLICIES;

/** Interval of looking at what guests and desk do next. */
const LOOK_MS = 1_000;
/** Looks between two of the desk, by pace. */
const DESK_EVERY: Record<DemoPace, number> = { OFF: 1, REAL: 10, FAST: 2 };
/** Requests of a look, so that guests of a visitor are never in a queue behind these. */
const MAX_BOOKINGS = 2;
const MAX_ACTS = 4;
const MAX_LISTED = 200;

type Options = {
  tenantId: string;
  states: DemoStates;
  hotel: HotelClient;
  /** Stays of a property that are booked or cancelled after it began to live, in the order of their bookings. */
  plan(state: DemoState): Promise<PlannedStay[]>;
  companies: readonly string[];
  clock: Clock;
  /** Lets one node at a time play the guests. */
  alone: AdvisoryLock;
  log: Log;
};

type Known = {
  /** In the order of bookings, and of cancellations. */
  bookings: PlannedStay[];
  cancels: PlannedStay[];
  /** The guests' clock, ahead of what is stored. */
  clock: Instant;
  pace: DemoPace;
  paceSince: Instant;
};

/**
 * Plays guests and desk of the demo through the REST API (docs/concepts/demo.md#guests-who-arrive): one request at a
 * time, none while the service wants none, and none once it is ending.
 */
export class DemoGuests implements AsyncDisposable {
  readonly #options: Options;
  readonly #known = new Map<string, Known>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #isBusy = false;
  #ended = false;
  #looks = 0;
  #restsUntil = 0;
  #lookedAt = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  begin(): void {
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    this.#timer.unref();
  }

  /** No further request; returns at once. */
  end(): void {
    this.#ended = true;
    clearInterval(this.#timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.#running;
  }

  /** Plays what has become due, unless that is done already. @param elapsedMs since the look before; measured without */
  async look(elapsedMs = performance.now() - this.#lookedAt): Promise<void> {
    if (this.#isBusy || this.#ended || performance.now() < this.#restsUntil) return;
    this.#isBusy = true;
    this.#lookedAt = performance.now();
    this.#looks += 1;
    this.#running = this.#options
      .alone('guests of the demo', () => this.#playAll(elapsedMs))
      .catch((error: unknown) => this.#options.log.debug({ error: String(error) }, 'the guests of the demo wait'))
      .finally(() => (this.#isBusy = false));
    await this.#running;
  }

  async #playAll(elapsedMs: number): Promise<void> {
    for (const state of await this.#options.states.of(this.#options.tenantId)) {
      if (this.#ended || performance.now() < this.#restsUntil) return;
      if (state.pace !== 'OFF') await this.#play(state, elapsedMs);
    }
  }

  async #play(state: DemoState, elapsedMs: number): Promise<void> {
    const now = this.#options.clock.now();
    const known = await this.#knownOf(state, now);
    known.clock = advancedClock(known.clock, elapsedMs, now, state.pace);
    await this.#book(state, known);
    await this.#cancel(state, known);
    if (this.#looks % DESK_EVERY[state.pace] === 0) await this.#workAtDesk(state, known, now);
  }

  async #knownOf(state: DemoState, now: Instant): Promise<Known> {
    let known = this.#known.get(state.propertyId);
    if (!known) {
      const stays = await this.#options.plan(state);
      const bookings = stays.filter(({ bookedAt }) => bookedAt > state.bookedUntil);
      const cancels = stays
        .filter(({ cancelledAt = 0 }) => cancelledAt > state.bookedUntil)
        .sort((a, b) => a.cancelledAt! - b.cancelledAt!);
      // The first guest after a start comes at once.
      const clock = Math.max(state.bookedUntil, bookings[0]?.bookedAt ?? 0);
      this.#known.set(state.propertyId, (known = { bookings, cancels, clock, pace: state.pace, paceSince: now }));
    }
    if (known.pace !== state.pace) Object.assign(known, { pace: state.pace, paceSince: now });
    return known;
  }

  async #book(state: DemoState, known: Known): Promise<void> {
    const { companies, states } = this.#options;
    const { propertyId, seed } = state;
    for (let sent = 0; sent < MAX_BOOKINGS && !this.#ended;) {
      const stay = known.bookings[0];
      if (!stay || stay.bookedAt > known.clock) return;
      if (stay.arrival >= this.#today(state)) {
        const body = bookingOfStay(stay, { propertyId, seed, companies });
        const answer = await this.#ask('POST', '/api/v1/reservations', body, externalIdOf(stay));
        if (answer.retryAfterMs !== undefined) return;
        const { reservationId } = (answer.body ?? {}) as { reservationId?: string };
        const change = laterChange(stay);
        if (answer.status === 201 && change && reservationId !== undefined)
          await this.#ask('PUT', `/api/v1/reservations/${reservationId}`, change);
        sent += 1;
      }
      known.bookings.shift();
      await states.bookedUntil(state, stay.bookedAt);
    }
  }

  async #cancel(state: DemoState, known: Known): Promise<void> {
    const stay = known.cancels[0];
    if (!stay || stay.cancelledAt! > known.clock || this.#ended) return;
    const id = await this.#idOf(state, stay);
    if (id === null) return;
    if (id !== undefined) {
      const body = { reason: 'GUEST_REQUEST', refundRequested: true };
      const answer = await this.#ask('DELETE', `/api/v1/reservations/${id}`, body);
      if (answer.retryAfterMs !== undefined) return;
    }
    known.cancels.shift();
  }

  /** Id of a stay of the plan; undefined where nobody has booked it, null while the service is busy. */
  async #idOf(state: DemoState, stay: PlannedStay): Promise<string | undefined | null> {
    if (stay.bookedAt <= state.beganAt) return demoId(state.seed, 'reservation', stay.n, stay.bookedAt);
    const answer = await this.#ask('GET', `/api/v1/reservations?externalId=${externalIdOf(stay)}&limit=1`);
    if (answer.retryAfterMs !== undefined) return null;
    return (answer.body as { items?: DeskStay[] } | null)?.items?.[0]?.reservationId;
  }

  async #workAtDesk(state: DemoState, known: Known, now: Instant): Promise<void> {
    const { timezone } = propertyOf(state);
    const today = this.#today(state);
    const desk = await this.#see(state);
    if (!desk) return;
    const at = deskClock(now, known.paceSince, instantAt(today + 1, '00:00', timezone), state.pace);
    for (const act of dueActs(desk, { at, today, timezone }).slice(0, MAX_ACTS)) {
      if (this.#ended || performance.now() < this.#restsUntil) return;
      await this.#do(state, act);
    }
  }

  async #see({ propertyId, tenantId }: DemoState): Promise<DeskView | undefined> {
    const list = `/api/v1/reservations?propertyId=${propertyId}&limit=${MAX_LISTED}`;
    const today = this.#dayText({ propertyId, tenantId });
    const rooms = `/api/v1/tenants/${tenantId}/properties/${propertyId}/housekeeping-tasks?status=PENDING&limit=100`;
    const answers: HotelAnswer[] = [];
    for (const path of [
      `${list}&status=CHECKED_IN&departureTo=${today}`,
      `${list}&status=CONFIRMED&arrivalFrom=${today}&arrivalTo=${today}`,
      rooms,
    ]) {
      const answer = await this.#ask('GET', path);
      if (answer.status !== 200) return undefined;
      answers.push(answer);
    }
    const [inHouse, arriving, tasks] = answers.map(({ body }) => (body as { items: unknown[] }).items);
    return { inHouse: inHouse as DeskStay[], arriving: arriving as DeskStay[], tasks: tasks as WaitingTask[] };
  }

  async #do({ tenantId, propertyId }: DemoState, { kind, id }: DeskAct): Promise<void> {
    const stay = `/api/v1/reservations/${id}`;
    switch (kind) {
      case 'CHECK_IN':
        await this.#ask('POST', `${stay}/checkin`, { identificationVerified: true, keyCards: 2 });
        return;
      case 'NO_SHOW':
        await this.#ask('POST', `${stay}/no-show`, { reason: 'Nobody has come' });
        return;
      case 'CLEAN':
        await this.#ask(
          'POST',
          `/api/v1/tenants/${tenantId}/properties/${propertyId}/housekeeping-tasks/${id}/complete`,
          {},
        );
        return;
      case 'CHECK_OUT':
        await this.#checkOut(stay);
    }
  }

  /** Who owes something pays it first. */
  async #checkOut(stay: string): Promise<void> {
    const body = { keyCardsReturned: 2 };
    const answer = await this.#ask('POST', `${stay}/checkout`, body);
    if (answer.code !== 'PAYMENT_METHOD_REQUIRED') return;
    const paid = await this.#ask('POST', `${stay}/payments`, { method: 'CREDIT_CARD', cardToken: 'tok_visa' });
    if (paid.status < 300) await this.#ask('POST', `${stay}/checkout`, body);
  }

  async #ask(...request: Parameters<HotelClient['ask']>): Promise<HotelAnswer> {
    const answer = await this.#options.hotel.ask(...request);
    if (answer.retryAfterMs !== undefined) this.#restsUntil = performance.now() + answer.retryAfterMs;
    return answer;
  }

  #today(state: Pick<DemoState, 'propertyId' | 'tenantId'>): number {
    const { timezone } = propertyOf(state);
    return businessDate(this.#options.clock.now(), { timezone, nightAuditHour });
  }

  #dayText(state: Pick<DemoState, 'propertyId' | 'tenantId'>): string {
    return new Date(this.#today(state) * 86_400_000).toISOString().slice(0, 10);
  }
}

function propertyOf({ tenantId, propertyId }: Pick<DemoState, 'propertyId' | 'tenantId'>) {
  return DEMO_PROPERTIES.find((one) => one.tenantId === tenantId && one.propertyId === propertyId)!;
}
