import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { Reservation, ReservationStatus, Source } from './reservation.ts';

/** Events of a reservation's timeline (docs/reference/reservations.md#values). */
type TimelineEvent =
  | 'CREATED'
  | 'CONFIRMED'
  | 'MODIFIED'
  | 'ROOM_ASSIGNED'
  | 'PAYMENT_RECEIVED'
  | 'PAYMENT_FAILED'
  | 'REFUNDED'
  | 'CHECKED_IN'
  | 'CHECK_IN_UNDONE'
  | 'OVERSTAY'
  | 'CHECKED_OUT'
  | 'CANCELLED'
  | 'NO_SHOW'
  | 'WALKED'
  | 'REINSTATED';

/** A row of the table: in which states an action is allowed, under which condition, and what follows. */
type Transition = {
  /** Completes the message "a reservation that is CANCELLED cannot ..." when the action is not allowed. */
  words: string;
  from: readonly ReservationStatus[];
  /** Further condition, in words; checked where the action is decided. */
  condition: string;
  /** `null` leaves the status unchanged. */
  to: ReservationStatus | null;
  event: TimelineEvent;
  effects: string;
};

/**
 * All actions on a reservation (docs/reference/reservations.md#states). Nothing else changes a status. Each is written
 * to the timeline and, when the status changes, to the status history; postings go to the folio.
 */
export const TRANSITIONS = {
  confirm: {
    words: 'be confirmed',
    from: ['PENDING'],
    condition: 'its deposit is paid, or somebody confirms what is paid',
    to: 'CONFIRMED',
    event: 'CONFIRMED',
    effects: 'held rooms become booked ones; it expires no more',
  },
  receivePayment: {
    words: 'be paid',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT'],
    condition: 'the provider has the money, and something is due; of a guest who has left, what he was let go with',
    to: null,
    event: 'PAYMENT_RECEIVED',
    effects: 'what is paid grows',
  },
  missPayment: {
    words: 'be paid',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT'],
    condition: 'the provider has declined',
    to: null,
    event: 'PAYMENT_FAILED',
    effects: 'none',
  },
  modify: {
    words: 'be changed',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN'],
    condition: 'before the deadline of who asks; after check-in only the departure, requests and contact data',
    to: null,
    event: 'MODIFIED',
    effects: 'rooms move with the nights in one commit; what was paid too much goes back',
  },
  assignRoom: {
    words: 'be given a room',
    from: ['CONFIRMED', 'CHECKED_IN'],
    condition: 'the room is free on all its nights; for a guest in house it is ready too',
    to: null,
    event: 'ROOM_ASSIGNED',
    effects: 'the room is its own until it leaves',
  },
  cancel: {
    words: 'be cancelled',
    from: ['PENDING', 'CONFIRMED'],
    condition: 'none',
    to: 'CANCELLED',
    event: 'CANCELLED',
    effects: 'rooms and claims go back; penalty by policy, the rest is refunded when asked for',
  },
  expire: {
    words: 'expire',
    from: ['PENDING'],
    condition: 'its hold has run out, or it is paid and nobody has confirmed it by the roll after its arrival night',
    to: 'CANCELLED',
    event: 'CANCELLED',
    effects: 'rooms and claims go back; all that was paid is refunded, also what comes later',
  },
  release: {
    words: 'be released',
    from: ['CONFIRMED'],
    condition: 'it is paid at the property, its release hour has come, and nobody has',
    to: 'CANCELLED',
    event: 'CANCELLED',
    effects: 'rooms and claims go back; nothing is owed',
  },
  missArrival: {
    words: 'be a no-show',
    from: ['CONFIRMED'],
    condition: 'on the arrival day by hand, or at the roll after the arrival night',
    to: 'NO_SHOW',
    event: 'NO_SHOW',
    effects: 'later nights and claims go back; penalty as after the deadline',
  },
  walk: {
    words: 'be walked',
    from: ['CONFIRMED'],
    condition: 'on the arrival day, until its business date ends',
    to: 'CANCELLED',
    event: 'WALKED',
    effects: 'rooms and claims go back; nothing is retained, and all that was paid is refunded',
  },
  checkIn: {
    words: 'be checked in',
    from: ['CONFIRMED'],
    condition: 'from the arrival day on, the guest identified, a ready room',
    to: 'CHECKED_IN',
    event: 'CHECKED_IN',
    effects: 'the room is occupied; keys are issued',
  },
  undoCheckIn: {
    words: 'have its check-in undone',
    from: ['CHECKED_IN'],
    condition: 'on the business date of the check-in, while nothing is charged that only a guest in house may have',
    to: 'CONFIRMED',
    event: 'CHECK_IN_UNDONE',
    effects: 'the stay keeps its room, which is empty again',
  },
  overstay: {
    words: 'have overstayed',
    from: ['CHECKED_IN'],
    condition: 'the business date has rolled past the departure',
    to: null,
    event: 'OVERSTAY',
    effects: 'the stay has the night at the best available rate of the day',
  },
  checkOut: {
    words: 'be checked out',
    from: ['CHECKED_IN'],
    condition: 'the balance is paid, unless forced',
    to: 'CHECKED_OUT',
    event: 'CHECKED_OUT',
    effects: 'nights to come go back; the room is dirty; the invoice is issued',
  },
  collectPenalty: {
    words: 'be paid',
    from: ['CANCELLED', 'NO_SHOW'],
    condition: 'the card on file has paid what is left of its penalty',
    to: null,
    event: 'PAYMENT_RECEIVED',
    effects: 'the penalty is retained',
  },
  missPenalty: {
    words: 'be paid',
    from: ['CANCELLED', 'NO_SHOW'],
    condition: 'the card on file has not paid its penalty',
    to: null,
    event: 'PAYMENT_FAILED',
    effects: 'none',
  },
  reinstate: {
    words: 'be reinstated',
    from: ['CANCELLED', 'NO_SHOW'],
    condition: 'until the roll after next, while a night is left and rooms are there',
    to: 'PENDING',
    event: 'REINSTATED',
    effects: 'rooms and claims are taken again, the penalty is reversed; what is paid as it was is CONFIRMED at once',
  },
  waivePenalty: {
    words: 'have its penalty waived',
    from: ['CANCELLED', 'NO_SHOW'],
    condition: 'no more than the penalty that is left',
    to: null,
    event: 'REFUNDED',
    effects: 'the waived part is refunded',
  },
  giveRefund: {
    words: 'be refunded',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED', 'NO_SHOW'],
    condition: 'no more than was paid',
    to: null,
    event: 'REFUNDED',
    effects: 'the refund is ordered; what a stay that is over then would owe, or is given for good will, is credited',
  },
  chargeBack: {
    words: 'be charged back',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED', 'NO_SHOW'],
    condition: 'the card issuer has taken a completed charge back, or a part of it',
    to: null,
    event: 'PAYMENT_FAILED',
    effects: 'what is paid falls, and is owed again; of a stay that did not take place no more than it retained',
  },
  closeChargeback: {
    words: 'have its chargeback closed',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED', 'NO_SHOW'],
    condition: 'a payment was charged back, and nobody has closed that yet',
    to: null,
    event: 'MODIFIED',
    effects: 'the desk has no task any more; what is written off is credited',
  },
  winChargeback: {
    words: 'get back what was charged back',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED', 'NO_SHOW'],
    condition: 'no more than was charged back of the payment and not written off',
    to: null,
    event: 'PAYMENT_RECEIVED',
    effects: 'what is paid grows; with all of it the desk has no task any more',
  },
  payClaim: {
    words: 'be paid',
    from: ['CANCELLED', 'NO_SHOW'],
    condition: 'what it retained was charged back, and no more is paid than that',
    to: null,
    event: 'PAYMENT_RECEIVED',
    effects: 'what is paid grows',
  },
  upgrade: {
    words: 'be upgraded',
    from: ['CONFIRMED', 'CHECKED_IN'],
    condition: 'the type is better, and free on all nights that are left; in house one of its rooms is ready',
    to: null,
    event: 'MODIFIED',
    effects: 'the nights that are left move to the type in one commit, and cost their surcharge',
  },
  comp: {
    words: 'have complimentary nights',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN'],
    condition: 'no payment is under way',
    to: null,
    event: 'MODIFIED',
    effects: 'the nights cost nothing, or again what they did; what was paid too much is refunded when asked for',
  },
  post: {
    words: 'have something posted to its folio',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN'],
    condition: 'before the check-in only extras of the price list',
    to: null,
    event: 'MODIFIED',
    effects: 'a line of the folio, which the timeline does not repeat',
  },
  voidPosting: {
    words: 'have a posting taken back',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN'],
    condition: 'somebody has posted it, and nobody has taken it back',
    to: null,
    event: 'MODIFIED',
    effects: 'a line of the folio with the opposite amount, on the business date of the day',
  },
  routeFolio: {
    words: 'have its folio routed',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN'],
    condition: 'none',
    to: null,
    event: 'MODIFIED',
    effects: 'what stands in the folio moves to its window; no total changes',
  },
  payOutRefund: {
    words: 'have its refund paid out',
    from: ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED', 'NO_SHOW'],
    condition: 'a refund that no provider sends is open',
    to: null,
    event: 'REFUNDED',
    effects: 'the refund is completed; who paid it out, how and under which reference is kept with it',
  },
} as const satisfies Record<string, Transition>;

export type ReservationAction = keyof typeof TRANSITIONS;

/** Status history reasons for statuses that are reached without a stated reason. */
const REACHED = {
  PENDING: 'BOOKED',
  CONFIRMED: 'DEPOSIT_PAID',
  CHECKED_IN: 'ARRIVED',
  CHECKED_OUT: 'DEPARTED',
  CANCELLED: 'CANCELLED',
  NO_SHOW: 'NOT_ARRIVED',
} as const satisfies Record<ReservationStatus, string>;

/** Default reason for a change of status. */
export function usualReason(from: ReservationStatus | null, to: ReservationStatus): string {
  return from === null ? 'BOOKED' : REACHED[to];
}

/** Actor and reason of a change, as stored in the timeline. */
export type Why = { at: Instant; by: string; notes?: string };

export function allows(status: ReservationStatus, action: ReservationAction): boolean {
  return (TRANSITIONS[action].from as readonly ReservationStatus[]).includes(status);
}

/** Whether a reservation in this status has a stay ahead or in progress. */
export function isUnfinished(status: ReservationStatus): boolean {
  return status === 'PENDING' || status === 'CONFIRMED' || status === 'CHECKED_IN';
}

/** Applies an action: status by the table, one more timeline entry, version + 1. */
export function after(
  before: Reservation,
  action: ReservationAction,
  { at, by, notes }: Why,
  changes: Partial<Omit<Reservation, 'id' | 'status' | 'timeline' | 'version'>> = {},
): Reservation {
  const { to, event } = TRANSITIONS[action];
  const status = to ?? before.status;
  return {
    ...before,
    ...(changes.stay && { source: overbookedWithin(before, changes.stay) }),
    ...changes,
    status,
    timeline: [...before.timeline, { event, timestamp: at, status, notes, by }],
    version: before.version + 1,
    updatedAt: at,
  };
}

/** The source after a change of the stay: nights that it no longer has, or has in another type, are not overbooked. */
function overbookedWithin({ stay: before, source }: Reservation, { roomType, checkIn, checkOut }: Stay): Source {
  const { overbooked, ...others } = source;
  if (!overbooked || roomType !== before.roomType) return others;
  const left = overbooked.filter((day) => day >= checkIn && day < checkOut);
  return left.length > 0 ? { ...others, overbooked: left } : others;
}
