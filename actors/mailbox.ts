import type { Command, CommandType, Envelope, Reply } from '../src/kernel/rules/commands.ts';
import { DomainError } from '../src/kernel/rules/domain-error.ts';
import { MAILBOX_ACQUIRING, MAILBOX_OTHERS } from './limits.ts';

/** A waiting command with its callbacks. */
export type Waiting = {
  envelope: Envelope;
  /** Time of entry by `performance.now()`; the property's own commands have none. */
  putAt?: number;
  resolve(reply: Reply<unknown>): void;
  reject(error: unknown): void;
};

/** Envelope for a command of the property itself. */
export function ownEnvelope(command: Command): Envelope {
  return { command, subject: 'system', requestId: '', deadline: Infinity };
}

/** Commands of the property itself that become due with time or after a change. */
export type OwnCommand = 'TICK' | 'EXPIRE' | 'OFFER_WAITLIST';

/** A command without a caller; `ended` gets its reply or its error. */
export function silent(type: OwnCommand, ended: (how: Reply<unknown> | { error: unknown }) => void): Waiting {
  return { envelope: ownEnvelope({ type }), resolve: ended, reject: (error) => ended({ error }) };
}

/** Lanes in the order they are served: commands that complete or free something go before those that take rooms. */
const LANES = ['settling', 'releasing', 'acquiring'] as const;
type Lane = (typeof LANES)[number];

const LANE_OF: Partial<Record<CommandType, Lane>> = {
  RELOAD: 'settling',
  CONFIRM_BOOKING: 'settling',
  ABANDON_BOOKING: 'settling',
  SETTLE_REFUND: 'settling',
  PAY_OUT_REFUND: 'settling',
  END_PAYMENT: 'settling',
  TAKE_CARD: 'settling',
  TAKE_PAYMENT_RESULT: 'settling',
  CHARGE_BACK: 'settling',
  WIN_CHARGEBACK: 'settling',
  CANCEL: 'releasing',
  RELEASE_HOLD: 'releasing',
  CHECK_OUT: 'releasing',
  NO_SHOW: 'releasing',
  WALK: 'releasing',
  LEAVE_WAITLIST: 'releasing',
  CLOSE_INQUIRY: 'releasing',
  LAPSE: 'releasing',
  RELEASE_UNCLAIMED: 'releasing',
};

/** Commands that change the window, the set of types, or every rate: each is a batch of its own. */
const ALONE = new Set<CommandType>([
  'CREATE_PROPERTY',
  'UPDATE_PROPERTY',
  'DELETE_PROPERTY',
  'RESTORE_PROPERTY',
  'FOLLOW_TENANT',
  'REMOVE_ROOM_TYPE',
  'RELOAD',
]);

/**
 * Commands that may change hundreds of cells or rows; all others have a weight of 1
 * (docs/concepts/commit-and-fence.md#commit-lanes).
 */
const HEAVY = new Set<CommandType>([
  'SET_BASE_RATES',
  'SET_INVENTORY',
  'SET_RESTRICTIONS',
  'PUT_RATE_PLAN',
  'SET_SIGNALS',
  'NOTE_MARKET',
  'IMPLEMENT_RATES',
  'SET_NIGHT_RATES',
  'CREATE_GROUP',
  'PUT_ROOM_TYPE',
  'RESTORE_ROOM_TYPE',
  'PUT_ROOMS',
  'UPDATE_PROPERTY',
  'IMPORT_RESERVATIONS',
]);
const HEAVY_WEIGHT = 32;

const weightOf = ({ envelope }: Waiting): number => (HEAVY.has(envelope.command.type) ? HEAVY_WEIGHT : 1);

/** The bounded queue of one property. */
export class Mailbox {
  readonly #lanes: Record<Lane, Waiting[]> = { settling: [], releasing: [], acquiring: [] };

  get size(): number {
    return LANES.reduce((sum, lane) => sum + this.#lanes[lane].length, 0);
  }

  /**
   * Puts a command into its lane. Commands that confirm or compensate are bounded by those admitted before, so their
   * lane is never full.
   * @throws DomainError NOT_EXECUTED when the lane is full
   */
  put(waiting: Waiting, retryAfterSeconds: number): void {
    const lane = LANE_OF[waiting.envelope.command.type] ?? 'acquiring';
    const most = lane === 'acquiring' ? MAILBOX_ACQUIRING : MAILBOX_OTHERS;
    if (this.#lanes[lane].length >= most)
      throw new DomainError('NOT_EXECUTED', 'The property has too much to do at the moment.', { retryAfterSeconds });
    this.#lanes[lane].push(waiting);
  }

  /** Takes the next batch, of weight `most` at most, in order of the lanes. */
  take(most: number): Waiting[] {
    const batch: Waiting[] = [];
    let room = most;
    for (const lane of LANES) {
      const waiting = this.#lanes[lane];
      const alone = waiting.findIndex(({ envelope }) => ALONE.has(envelope.command.type));
      if (alone === 0 && batch.length === 0) return waiting.splice(0, 1);
      const upTo = alone < 0 ? waiting.length : alone;
      let count = 0;
      while (count < upTo && (room > 0 || batch.length + count === 0)) room -= weightOf(waiting[count++]!);
      batch.push(...waiting.splice(0, count));
      if (alone >= 0 || room <= 0) break;
    }
    return batch;
  }

  /** Milliseconds that the first command of any lane has waited. */
  oldestWaitMs(now: number): number {
    return Math.max(0, ...LANES.map((lane) => now - (this.#lanes[lane][0]?.putAt ?? now)));
  }

  /** Empties the mailbox when the actor ends. */
  drain(): Waiting[] {
    return LANES.flatMap((lane) => this.#lanes[lane].splice(0));
  }
}
