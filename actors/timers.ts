import type { Clock } from '../src/kernel/ports.ts';
import type { CommandResults, Reply } from '../src/kernel/rules/commands.ts';
import type { Day } from '../src/kernel/rules/dates.ts';
import { type Code, DomainError } from '../src/kernel/rules/domain-error.ts';
import { endOfBusinessDay, type Instant } from '../src/kernel/rules/property-time.ts';
import { clockOf } from '../src/properties/rules/property.ts';
import { type Hold, HOLD_GUARD_MS } from '../src/stay/rules/hold.ts';
import { ExpiryHeap } from './expiry-heap.ts';
import {
  BUSY_PAUSE_MS,
  FAILING_AFTER,
  FIRST_RETRY_MS,
  LONGEST_RETRY_MS,
  LONGEST_TIMER_MS,
  OFFER_PAUSE_MS,
} from './limits.ts';
import { type OwnCommand, silent, type Waiting } from './mailbox.ts';
import { waitlistWork } from './property/holds/waitlist.ts';
import type { State } from './property/state.ts';
import { departureTime, hasOverdue } from './property/stay/overdue-rooms.ts';

/** In the order in which they are served: what frees rooms comes before what offers them. */
const OWN_COMMANDS: readonly OwnCommand[] = ['TICK', 'EXPIRE', 'OFFER_WAITLIST'];

/** Whether the result of a command that succeeded says that it changed nothing that could make it due. */
const DID_NOTHING: { readonly [T in OwnCommand]: (result: CommandResults[T]) => boolean } = {
  TICK: () => true,
  EXPIRE: ({ released }) => released === 0,
  OFFER_WAITLIST: ({ changed }) => changed === 0,
};

/** A command that fails repeatedly, with its latest error. */
export type FailingCommand = { type: OwnCommand; failures: number; error: string };

/** Until when a failed one rests, from when on by the application's clock. */
type Rest = { failures: number; error: string; since: Instant; until: Instant };

/** Errors that do not concern the command: it could not be written at the moment. */
const UNWRITTEN = new Set<Code>(['STORE_UNAVAILABLE', 'STORE_READ_ONLY', 'OUTCOME_UNKNOWN', 'NOT_EXECUTED']);

/**
 * What becomes due with time at a property: expiring holds, the roll of its business date, and the day's check-out
 * time, after which rooms of overdue guests are off sale. After each change, rooms are offered to requests that wait. A failed command is retried after growing pauses, during
 * which the property continues to serve.
 */
export class Timers {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #expiries = new ExpiryHeap();
  #holds: Pick<ReadonlyMap<string, Hold>, 'get'> = new Map();
  #rollsAt = Infinity;
  #rollOf: { day: Day; timezone: string; hour: number; checkOutTime: string } | undefined;
  /** The check-out time of the business date; `Infinity` when it was seen to. */
  #departsAt = Infinity;
  #state: State | undefined;
  #waitlist = { now: false, at: Infinity };
  /** `seq` of the state for which the waitlist was last looked through. */
  #offeredFor = -1;
  /** When it was last looked through in vain. */
  #inVainAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Infinity;
  readonly #rests = new Map<OwnCommand, Rest>();

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Follows a committed state, with the holds that are new or changed in it. */
  follow(state: State, holds: Iterable<Hold>): void {
    this.#holds = state.holds;
    this.#state = state;
    this.#waitlist = waitlistWork(state);
    for (const hold of holds) if (hold.kind !== 'LATE') this.#expiries.push(hold.id, hold.expiresAt);
    this.#followDay(state);
    this.#arm();
  }

  /** The command that is due now and not paused, the roll of the business date first. */
  due(): OwnCommand | undefined {
    const now = this.#clock.now();
    return OWN_COMMANDS.find((type) => now >= this.#nextOf(type));
  }

  /** The command that is due; its result decides when it is due again. */
  command(type: OwnCommand): Waiting {
    if (type === 'OFFER_WAITLIST') this.#offeredFor = this.#state!.seq;
    return silent(type, (how) => this.#ended(type, how));
  }

  /** A command that has failed several times in a row. */
  get failing(): FailingCommand | undefined {
    for (const [type, { failures, error }] of this.#rests)
      if (failures >= FAILING_AFTER) return { type, failures, error };
    return undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #ended(type: OwnCommand, how: Reply<unknown> | { error: unknown }): void {
    const isDone = !('error' in how);
    if (isDone && type === 'TICK' && this.#clock.now() >= this.#departsAt) this.#departsAt = Infinity;
    if (isDone && type === 'OFFER_WAITLIST')
      this.#inVainAt = DID_NOTHING[type](how.result as never) ? this.#clock.now() : -Infinity;
    const error = isDone ? this.#unchanged(type, how) : how.error;
    if (error === undefined) this.#rests.delete(type);
    else {
      if (type === 'OFFER_WAITLIST') this.#offeredFor = -1;
      const failures = (this.#rests.get(type)?.failures ?? 0) + 1;
      const longest = LONGEST_RETRY_MS[isUnwritten(error) ? 'unwritten' : 'faulty'];
      const pause = Math.min(longest, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
      const since = this.#clock.now();
      this.#rests.set(type, {
        failures,
        error: error instanceof Error ? error.message : 'unknown',
        since,
        until: since + pause,
      });
    }
    this.#arm();
  }

  /** The command succeeded and is still due: repeating it at once would fill the journal. */
  #unchanged(type: OwnCommand, { result }: Reply<unknown>): Error | undefined {
    const isStillDue = this.#clock.now() >= (type === 'OFFER_WAITLIST' ? this.#waitlist.at : this.#dueAt(type));
    return isStillDue && DID_NOTHING[type](result as never)
      ? new Error('the command succeeded and is due again at once')
      : undefined;
  }

  #dueAt(type: OwnCommand): Instant {
    if (type === 'TICK') return Math.min(this.#rollsAt, this.#nextDeparture());
    if (type === 'EXPIRE') return this.#nextExpiry();
    if (!this.#waitlist.now || this.#state!.seq <= this.#offeredFor) return this.#waitlist.at;
    // Setting the clock back ends the pause.
    return this.#clock.now() < this.#inVainAt ? -Infinity : this.#inVainAt + OFFER_PAUSE_MS;
  }

  /** With nobody overdue at the check-out time, nothing is due until the roll. */
  #nextDeparture(): number {
    if (this.#clock.now() >= this.#departsAt && !hasOverdue(this.#state!)) this.#departsAt = Infinity;
    return this.#departsAt;
  }

  /** Setting the clock back ends a pause. */
  #nextOf(type: OwnCommand): number {
    const rest = this.#rests.get(type);
    const resting = rest !== undefined && this.#clock.now() >= rest.since;
    return Math.max(this.#dueAt(type), resting ? rest.until : -Infinity);
  }

  #followDay({ property, today }: State): void {
    if (!property) {
      this.#rollsAt = Infinity;
      this.#departsAt = Infinity;
      return;
    }
    const clock = clockOf(property);
    const { timezone, nightAuditHour: hour } = clock;
    const { checkOutTime } = property.metadata;
    const known = this.#rollOf;
    const isSameDay = known?.day === today && known.timezone === timezone && known.hour === hour;
    if (isSameDay && known.checkOutTime === checkOutTime) return;
    this.#rollOf = { day: today, timezone, hour, checkOutTime };
    this.#rollsAt = endOfBusinessDay(today, clock);
    this.#departsAt = departureTime(property, today);
  }

  #nextExpiry(): number {
    for (;;) {
      const top = this.#expiries.top;
      if (!top) return Infinity;
      const hold = this.#holds.get(top.id);
      if (hold && hold.kind !== 'LATE' && hold.expiresAt === top.at) return top.at + HOLD_GUARD_MS;
      this.#expiries.pop();
    }
  }

  /** @param pause before a command that is due already */
  #arm(pause = 1): void {
    const next = Math.min(...OWN_COMMANDS.map((type) => this.#nextOf(type)));
    if (next >= this.#timerAt && this.#timerAt > this.#clock.now()) return;
    clearTimeout(this.#timer);
    this.#timerAt = next;
    if (next === Infinity) return;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(pause, next - this.#clock.now()));
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity;
      this.#wake();
      // A loop that waits for its commit takes what is due by itself, as soon as it may.
      this.#arm(BUSY_PAUSE_MS);
    }, wait);
    this.#timer.unref?.();
  }
}

function isUnwritten(error: unknown): boolean {
  // A row that the database has rejected for its content will be rejected again.
  return error instanceof DomainError && UNWRITTEN.has(error.code) && error.details.extra?.['reason'] === undefined;
}
