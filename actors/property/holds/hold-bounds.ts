import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { GroupId } from '../../../src/kernel/rules/ids.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import {
  COOL_DOWN_MS,
  countedRooms,
  type HeldUnpaid,
  type HoldBound,
  holderOf,
  type HoldQuota,
  maxHeld,
} from '../../../src/stay/rules/hold-bounds.ts';
import { type Hold, holdStatus } from '../../../src/stay/rules/hold.ts';
import type { DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { isBlockNight } from '../groups/group-nights.ts';
import { type Nights, whatIsNew } from '../stay/stay-rules.ts';
import { isExplicit } from './explicit-hold.ts';

/** Retry time when it is unknown when another property has one less. */
const A_MINUTE_MS = 60_000;

/** Rooms about to be held without payment; `own` is the hold that they replace. */
type MoreHeld = { stay: Nights; rooms: number; groupId?: GroupId; quota?: HoldQuota; own?: Hold };

/**
 * Refuses holds that would take too much off sale without payment: first per subject over all properties of its
 * tenant, then per cell. Paid bookings are not checked; they take any free rooms.
 * @throws DomainError QUOTA_EXCEEDED, with the time when the first of the counted holds ends
 */
export function checkHeld(draft: Draft, more: MoreHeld, context: DecisionContext): void {
  checkSubject(draft, more, context);
  checkCells(draft, more, context.now);
}

/** Checks one subject: open holds, unpaid reservations, and for a while those that expired. */
function checkSubject(draft: Draft, { stay, rooms, quota, own }: MoreHeld, { now, subject }: DecisionContext): void {
  if (!quota) return;
  const { elsewhere: others, limits } = quota;
  const held = { ...others };
  let first = Infinity;
  for (const [, hold] of draft.holds) {
    if (hold.id === own?.id) continue;
    const source = hold.kind === 'PAYING' ? sourceOf(draft, hold, now) : undefined;
    if (holderOf(source ?? hold) !== subject) continue;
    const counted = source ? hold.rooms : countedRooms(hold, now);
    if (counted === 0) continue;
    // A paid booking in progress is not an open hold, but its room returns to the hold when it is not paid.
    if (!source) held.holds += 1;
    held.roomNights += counted * nightsOf(hold);
    first = Math.min(first, (source ?? hold).expiresAt + COOL_DOWN_MS);
  }
  held.holds += 1;
  held.roomNights += rooms * nightsOf(stay);
  const over = (['holds', 'roomNights'] as const).find((what) => limits[what] > 0 && held[what] > limits[what]);
  if (over === undefined) return;
  throw tooMuch(over === 'holds' ? 'subject-holds' : 'subject-room-nights', WORDS[over], {
    retryAt: first === Infinity ? now + A_MINUTE_MS : first,
    extra: { limit: limits[over] },
    now,
  });
}

const WORDS: Record<keyof HeldUnpaid, string> = {
  holds:
    'Too many of your holds and unpaid reservations are open or ran out a short while ago; pay for some or release them.',
  roomNights:
    'Your holds and unpaid reservations, with those that ran out a short while ago, have too many nights; pay for some ' +
    'or release them.',
};

/** Checks each cell: rooms held without payment, by any subject. */
function checkCells(draft: Draft, { stay, rooms, groupId, own }: MoreHeld, now: Instant): void {
  const { maxHeldPercent, overbookingLimit } = draft.property!.metadata.policies;
  if (maxHeldPercent >= 100) return;
  const slab = draft.slab(stay.roomType)!;
  const isUnheld = whatIsNew(stay, own).night;
  // A group's rooms are off general sale anyway, but not those of its shoulder nights.
  const isBlocked = isBlockNight(draft, groupId, stay);
  const isNew = (day: Day): boolean => isUnheld(day) && !isBlocked(day);
  const limitOf = (day: Day): number => {
    const taken = slab.count(day, 'booked') + slab.count(day, 'held');
    return maxHeld(slab.free(day, overbookingLimit) + taken, maxHeldPercent);
  };
  const suspects: Day[] = [];
  // All held rooms include those being paid for. Where all of them together are few, no counting is needed.
  for (let day = stay.checkIn; day < stay.checkOut; day++)
    if (isNew(day) && slab.count(day, 'held') + rooms > limitOf(day)) suspects.push(day);
  if (suspects.length === 0) return;
  const held = heldOn(draft, stay, now);
  const full = suspects.filter((day) => (held.get(day)?.rooms ?? 0) + rooms > limitOf(day));
  if (full.length === 0) return;
  const nights = full.map((day) => ({
    date: formatDay(day),
    held: held.get(day)?.rooms ?? 0,
    limit: limitOf(day),
  }));
  const words =
    `Too many ${stay.roomType} rooms are held without being paid for the night of ${nights[0]!.date}. ` +
    'Book with a card, which is paid at once, or come back when holds have ended.';
  const endOf = (day: Day): Instant => held.get(day)?.first ?? now + A_MINUTE_MS;
  throw tooMuch('cell', words, {
    now,
    retryAt: Math.max(...full.map(endOf)),
    extra: { nights },
    date: nights[0]!.date,
  });
}

/** Rooms of a type held without payment, by night of a stay, and when the first of the holds ends. */
function heldOn(draft: Draft, { roomType, checkIn, checkOut }: Nights, now: Instant) {
  const nights = new Map<Day, { rooms: number; first: Instant }>();
  for (const [, hold] of draft.holds) {
    // The room of an overdue guest is paid by the night.
    if (hold.roomType !== roomType || hold.kind === 'LATE' || hold.overdue) continue;
    const source = hold.kind === 'PAYING' ? sourceOf(draft, hold, now) : undefined;
    if (hold.rooms === 0 || (hold.kind === 'PAYING' && !source)) continue;
    const { expiresAt } = source ?? hold;
    for (let day = Math.max(checkIn, hold.checkIn); day < Math.min(checkOut, hold.checkOut); day++) {
      const night = nights.get(day) ?? { rooms: 0, first: Infinity };
      nights.set(day, { rooms: night.rooms + hold.rooms, first: Math.min(night.first, expiresAt) });
    }
  }
  return nights;
}

/**
 * The hold that a paid booking took its room from, and to which it returns when not paid. It counts until the payment
 * succeeds: otherwise each declined card would make room for another hold.
 */
function sourceOf(draft: Draft, { fromHold }: Hold, now: Instant): Hold | undefined {
  const source = fromHold === undefined ? undefined : draft.holds.get(fromHold);
  return source && isExplicit(source) && holdStatus(source, now) !== 'EXPIRED' ? source : undefined;
}

const nightsOf = ({ checkIn, checkOut }: Pick<Nights, 'checkIn' | 'checkOut'>): number => checkOut - checkIn;

type Why = { now: Instant; retryAt: Instant; extra: Record<string, unknown>; date?: string };

/** The error of every bound of holds; `bound` names it for programs. */
export function tooMuch(bound: HoldBound, words: string, { now, retryAt, extra, date }: Why): DomainError {
  return new DomainError('QUOTA_EXCEEDED', words, {
    // An expired hold is released within a moment.
    retryAfterSeconds: Math.max(1_000, retryAt - now) / 1000,
    ...(date !== undefined && { date }),
    extra: { bound, ...extra },
  });
}
