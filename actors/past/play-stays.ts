import type { DemoProperty } from '../../src/demo/rules/hotels.ts';
import type { PlannedStay } from '../../src/demo/rules/plan.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { endOfBusinessDay, type Instant } from '../../src/kernel/rules/property-time.ts';
import { clockOf } from '../../src/properties/rules/property.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import type { PlayedProperty } from './played-property.ts';
import {
  playedBooking,
  playedCancel,
  playedCharge,
  playedCheckIn,
  playedCheckOut,
  completed,
  playedNoShow,
  playedPayment,
  reservationIdOf,
  type StayWorld,
} from './stay-commands.ts';

/** Something that happens at a time. */
export type PastEvent = { at: Instant; happens(): void };

const MINUTE_MS = 60_000;
/** Time between a payment attempt and its result, and between the payment of a bill and the departure. */
const PAYING_MS = 3_000;
const SETTLED_MS = 90_000;
/** The evening in which a guest has something from the bar. */
const EVENING_MS = 90 * MINUTE_MS;
/** Time in which a room is cleaned after a departure: the earliest, and by how much it varies. */
const CLEANED_MS = 25 * MINUTE_MS;
const VARIES_MS = 100 * MINUTE_MS;
/** No-shows are marked a little after the business date has rolled. */
const MARKED_MS = 2 * MINUTE_MS;

/** Whether housekeeping is played, or rooms are clean at once: tasks of years ago are of no use. */
type Cleaning = (stay: PlannedStay) => 'played' | 'at once';

/** Plays stays in a property: what guests and desk did, as events (docs/concepts/demo.md#how-the-past-is-written). */
export class StayPlayer {
  readonly #played: PlayedProperty;
  readonly #world: StayWorld;
  readonly #cleaning: Cleaning;
  /** Stays whose booking was refused, as there was no room: nothing more happens to them. */
  readonly #refused = new Set<number>();

  constructor(played: PlayedProperty, world: StayWorld, cleaning: Cleaning) {
    this.#played = played;
    this.#world = world;
    this.#cleaning = cleaning;
  }

  /** All events of a stay after a first moment. @param property of the stay */
  *events(property: DemoProperty, stay: PlannedStay, first: Instant, groupId?: string): Iterable<PastEvent> {
    const { timezone } = property;
    yield { at: Math.max(stay.bookedAt, first), happens: () => this.#book(stay, groupId) };
    if (stay.outcome === 'CANCELS') {
      yield { at: Math.max(stay.cancelledAt!, first + MINUTE_MS), happens: () => this.#cancel(stay) };
      return;
    }
    if (stay.outcome === 'NO_SHOW') {
      const at = endOfBusinessDay(stay.arrival, { timezone, nightAuditHour: this.#auditHour }) + MARKED_MS;
      yield { at, happens: () => this.#miss(stay, at) };
      return;
    }
    yield { at: stay.arrivesAt, happens: () => this.#arrive(stay) };
    if (stay.extra !== undefined) yield { at: stay.arrivesAt + EVENING_MS, happens: () => this.#drink(stay) };
    yield { at: stay.leavesAt, happens: () => this.#leave(stay) };
    const cleanedAt = stay.leavesAt + CLEANED_MS + ((stay.n * 7_919) % VARIES_MS);
    if (this.#cleaning(stay) === 'played') yield { at: cleanedAt, happens: () => this.#clean(stay, cleanedAt) };
  }

  get #auditHour(): number {
    return clockOf(this.#played.draft.property!).nightAuditHour;
  }

  #book(stay: PlannedStay, groupId?: string): void {
    const at = this.#now(stay.bookedAt);
    const [first, second] = playedBooking(this.#world, stay, at, groupId);
    const answer = this.#played.do(first!, at, 'demo-staff');
    if (!answer) return void this.#refused.add(stay.n);
    if (second?.type !== 'CONFIRM_BOOKING' || !('attempt' in answer)) return;
    const payment = completed(answer.attempt!, at + PAYING_MS);
    this.#played.do({ ...second, payment }, at + PAYING_MS, 'demo-staff');
  }

  #cancel(stay: PlannedStay): void {
    const at = this.#now(stay.cancelledAt!);
    const id = this.#idOf(stay);
    if (id === undefined) return;
    const answer = this.#played.do(playedCancel(this.#world, id, stay, at), at, 'demo-staff');
    if (answer) this.#settleRefunds(answer.reservation, at + PAYING_MS);
  }

  #miss(stay: PlannedStay, at: Instant): void {
    const id = this.#idOf(stay);
    if (id === undefined) return;
    const command = { ...playedNoShow(this.#world, id, stay, at), ...this.#invoiceTo(stay) };
    const answer = this.#played.do(command, at, 'system');
    if (answer) this.#settleRefunds(answer.reservation, at + PAYING_MS);
  }

  #invoiceTo({ company }: PlannedStay): object {
    return company === undefined ? {} : { invoiceTo: this.#world.companies[company] };
  }

  /** The provider has paid back what was ordered. */
  #settleRefunds({ id: reservationId, payments }: Reservation, at: Instant): void {
    for (const payment of payments)
      if (payment.type === 'REFUND' && payment.status === 'PROCESSING')
        this.#played.do({ type: 'SETTLE_REFUND', reservationId, payment: completed(payment, at) }, at, 'system');
  }

  #arrive(stay: PlannedStay): void {
    const id = this.#idOf(stay);
    const at = stay.arrivesAt;
    if (id === undefined) return;
    const command = playedCheckIn(this.#world, id, stay, at);
    if (this.#played.do(command, at, 'demo-staff')) return;
    // Housekeeping has not come to the last rooms: they are cleaned while the guest has a coffee.
    for (const task of this.#played.draft.housekeeping.values())
      this.#played.do({ type: 'COMPLETE_HOUSEKEEPING_TASK', taskId: task.taskId }, at, 'demo-staff');
    if (!this.#played.do({ ...command, at: at + MINUTE_MS }, at + MINUTE_MS, 'demo-staff')) this.#refused.add(stay.n);
  }

  #drink(stay: PlannedStay): void {
    const id = this.#idOf(stay);
    const at = stay.arrivesAt + EVENING_MS;
    if (id !== undefined) this.#played.do(playedCharge(this.#world, id, stay, at), at, 'demo-staff');
  }

  #leave(stay: PlannedStay): void {
    const id = this.#idOf(stay);
    const reservation = id === undefined ? undefined : this.#played.draft.reservations.get(id);
    if (id === undefined || !reservation) return;
    const at = stay.leavesAt;
    const paying = playedPayment(this.#world, reservation, stay, at);
    const started = paying && this.#played.do(paying, at, 'demo-staff');
    if (started) {
      const payment = completed(started.attempt, at + PAYING_MS);
      const refundId = paying.attempt.paymentId;
      this.#played.do({ type: 'END_PAYMENT', reservationId: id, payment, refundId }, at + PAYING_MS, 'demo-staff');
    }
    const leftAt = at + SETTLED_MS;
    this.#played.do(playedCheckOut(this.#world, id, stay, leftAt), leftAt, 'demo-staff');
    if (this.#cleaning(stay) === 'at once') this.#cleanAtOnce(reservation.roomNumber);
  }

  #clean({ n, roomType }: PlannedStay, at: Instant): void {
    if (this.#refused.has(n)) return;
    const { housekeeping, rooms } = this.#played.draft;
    // One of the rooms of the type that wait, the first first.
    const task = [...housekeeping.values()].find(
      ({ status, roomNumber }) => status === 'PENDING' && rooms.get(roomNumber)?.roomType === roomType,
    );
    if (task) this.#played.do({ type: 'COMPLETE_HOUSEKEEPING_TASK', taskId: task.taskId }, at, 'demo-staff');
  }

  #cleanAtOnce(roomNumber: string | undefined): void {
    const { draft } = this.#played;
    const room = draft.rooms.get(roomNumber ?? '');
    if (room?.status === 'DIRTY') draft.putRoom({ ...room, status: 'AVAILABLE' });
  }

  #idOf(stay: PlannedStay): string | undefined {
    return this.#refused.has(stay.n) ? undefined : reservationIdOf(this.#world, stay);
  }

  /** Not before what has happened: a stay that was booked before the property began is booked at its beginning. */
  #now(planned: Instant): Instant {
    return Math.max(planned, this.#earliest);
  }

  #earliest: Instant = 0;

  /** Events before this moment happen at it. */
  begin(at: Instant): this {
    this.#earliest = at;
    return this;
  }
}

/** Rolls of the business date from the day after `first` to `last`. */
export function* rolls(played: PlayedProperty, first: Day, last: Day): Iterable<PastEvent & { day: Day }> {
  const clock = clockOf(played.draft.property!);
  for (let day = first + 1; day <= last; day++) {
    const at = endOfBusinessDay(day - 1, clock);
    yield { day, at, happens: () => void played.do({ type: 'TICK' }, at, 'system') };
  }
}

/** Events in the order of their times; those of one time as they were given. */
export function inOrder(events: Iterable<PastEvent>, until: Instant): PastEvent[] {
  return [...events].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
}
