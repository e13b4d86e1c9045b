import { isWeekend } from '../../src/kernel/rules/dates.ts';
import type { BookingFact, Facts, HoldFact } from '../../src/kernel/rules/journal.ts';
import { businessDate } from '../../src/kernel/rules/property-time.ts';
import { clockOf } from '../../src/properties/rules/property.ts';
import { nightsAreOver } from '../../src/stay/rules/arrival.ts';
import { countedRooms } from '../../src/stay/rules/hold-bounds.ts';
import { type Hold, HOLD_GUARD_MS } from '../../src/stay/rules/hold.ts';
import type { Decision, DecisionContext } from './decision.ts';
import { derivedId } from './derived-id.ts';
import type { Draft } from './draft.ts';
import { factOf } from './facts.ts';
import { isExplicit, returnRoom, quotedHold } from './holds/explicit-hold.ts';
import { forgetHolds, isRememberedLapse, MAX_REMEMBERED } from './holds/holds.ts';
import { expireInquiries } from './holds/inquiries.ts';
import { moveNights } from './nights.ts';
import { moveWindow } from './properties/setup.ts';
import { alignMaintenances } from './rooms/closed-rooms.ts';
import { rollServices } from './rooms/housekeeping.ts';
import { giveBackClaims } from './stay/allotments.ts';
import { dropHold } from './stay/booking.ts';
import { expireReservation } from './stay/cancel.ts';
import { holdOverdueRooms, notePassedNights } from './stay/overdue-rooms.ts';

/** Journal entities of an expiry and of a roll of the business date. */
const HOLDS = 'holds';
const DAY = 'day';

/** Holds released by one command at most, so that a batch stays small. */
const MAX_RELEASED = 100;

/**
 * Releases the rooms of expired holds (I5). A PENDING reservation of such a hold is cancelled; the actor keeps all of
 * those in memory, under the id of their hold. A late payment finds a LATE hold.
 */
export function decideExpire(draft: Draft, context: DecisionContext): Decision<'EXPIRE'> {
  const hasRunOut = (hold: Hold): boolean => hold.expiresAt + HOLD_GUARD_MS <= context.now;
  const { released, facts } = endHolds(draft, context, hasRunOut, HOLDS);
  return { result: { released }, entity: HOLDS, facts };
}

type EndedHolds = { released: number; facts: { bookings: BookingFact[]; holds?: HoldFact[] } };

/** Ends holds, and returns their bookings and quotes as facts for the journal row of `entity`. */
function endHolds(
  draft: Draft,
  context: DecisionContext,
  isOver: (hold: Hold) => boolean,
  entity: string,
): EndedHolds {
  const bookings: BookingFact[] = [];
  const holds: HoldFact[] = [];
  let released = 0;
  let remembered = 0;
  for (const [id] of draft.base.holds) {
    const hold = draft.holds.get(id);
    if (hold && isRememberedLapse(hold)) {
      if (countedRooms(hold, context.now) > 0) remembered += 1;
      else draft.holds.delete(id);
      continue;
    }
    if (!hold || hold.kind === 'LATE' || !isOver(hold)) continue;
    if (released === MAX_RELEASED) break;
    released += 1;
    const ended = endHold(draft, hold, context, { entity, remembers: remembered < MAX_REMEMBERED });
    bookings.push(...(ended.bookings ?? []));
    holds.push(...(ended.holds ?? []));
  }
  return { released, facts: { bookings, ...(holds.length > 0 && { holds }) } };
}

function endHold(
  draft: Draft,
  hold: Hold,
  context: DecisionContext,
  { entity, remembers }: { entity: string; remembers: boolean },
): Pick<Facts, 'bookings' | 'holds'> {
  if (hold.kind === 'PAYING' && hold.booking) {
    const returned = returnRoom(draft, hold, context.now);
    if (!returned) moveNights(draft, hold, 'held', -hold.rooms);
    giveBackClaims(draft, hold.booking.reservation);
    // The money of several rooms is that of the first one.
    if (hold.booking.first !== undefined) draft.holds.delete(hold.id);
    else draft.holds.set(hold.id, { ...hold, kind: 'LATE' });
    return { bookings: [factOf('RELEASED', hold.booking.reservation, entity)], ...returned };
  }
  if (isExplicit(hold)) {
    moveNights(draft, hold, 'held', -hold.rooms);
    const expired = { ...hold, kind: 'LATE' as const, rooms: 0, lapsed: hold.rooms };
    draft.holds.set(hold.id, expired);
    return quotedHold('EXPIRED', expired, hold);
  }
  const reservation = hold.kind === 'PENDING' ? draft.reservations.get(hold.id) : undefined;
  const bookings = reservation ? [factOf('EXPIRED', expireReservation(draft, reservation, context), entity)] : [];
  if (!reservation) dropHold(draft, hold);
  if (hold.subject !== undefined && remembers) rememberLapse(draft, hold);
  return { bookings };
}

/**
 * Remembers an expired unpaid reservation, which counts against its creator for a while. It has an id of its own,
 * because a lookup of the reservation's hold must find nothing.
 */
function rememberLapse(
  draft: Draft,
  { id, roomType, checkIn, checkOut, rooms, expiresAt, createdAt, subject }: Hold,
) {
  const lapse = { id: derivedId(id, 'lapse'), roomType, checkIn, checkOut, expiresAt, createdAt, subject };
  draft.holds.set(lapse.id, { ...lapse, kind: 'LATE', rooms: 0, lapsed: rooms });
  draft.created.add(lapse.id);
}

/**
 * Rolls the business date (docs/concepts/actor.md#time), and takes rooms of overdue guests off sale. A hold ends with
 * its last night, whatever time it had left.
 */
export function decideTick(draft: Draft, context: DecisionContext): Decision<'TICK'> {
  const today = businessDate(context.now, clockOf(draft.property!));
  notePassedNights(draft, today, context.now);
  const rooms = rollTo(draft, context);
  holdOverdueRooms(draft, context.now);
  const setup = [...rooms, ...releasedGroups(draft), ...expireInquiries(draft, context.now)];
  // Overdue nights of an overstaying guest are kept until check-out.
  const isOver = (hold: Hold): boolean => !hold.overdue && nightsAreOver(hold, draft.today);
  const { released, facts } = endHolds(draft, context, isOver, DAY);
  return {
    result: { businessDate: draft.today },
    entity: DAY,
    facts: { businessDate: draft.today, ...(released > 0 && facts), ...(setup.length > 0 && { setup }) },
  };
}

/** Groups whose cut-off day has passed, as facts for the journal. */
function releasedGroups({ base, groupsPut }: Draft): NonNullable<Facts['setup']> {
  return [...groupsPut.values()]
    .filter(
      ({ group }) =>
        group.released && group.deletedAt === undefined && base.groups.get(group.groupId)?.released === false,
    )
    .map(({ group: { groupId: id } }) => ({
      kind: 'group',
      id,
      before: { released: false },
      after: { released: true },
    }));
}

/**
 * Moves the business date to today: the window moves, new nights get the room type's count, maintenances begin and
 * end, and guests in house get their service.
 * @returns rooms, maintenances and housekeeping tasks that changed, as facts for the journal
 */
export function rollTo(draft: Draft, context: DecisionContext): NonNullable<Facts['setup']> {
  const before = draft.today;
  draft.today = Math.max(before, businessDate(context.now, clockOf(draft.property!)));
  const ends = new Map([...draft.slabs].map(([type, slab]) => [type, slab.first + slab.nights]));
  moveWindow(draft);
  for (const [roomType, slab] of draft.slabs) {
    const rolling = draft.roomTypes.get(roomType)?.rollingRates;
    if (!rolling) continue;
    for (let day = Math.max(ends.get(roomType)!, slab.first); slab.has(day); day++)
      draft.setRate(roomType, day, isWeekend(day) ? rolling.weekend : rolling.weekday, 100, 0);
  }
  forgetHolds(draft, context.now);
  for (const [id, expiresAt] of draft.base.usedQuotes) if (expiresAt < context.now) draft.usedQuotes.delete(id);
  return [...alignMaintenances(draft, context), ...rollServices(draft, before, context)];
}
