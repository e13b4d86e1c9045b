import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { businessDate } from '../../../src/kernel/rules/property-time.ts';
import type { FolioCharge } from '../../../src/money/rules/folio.ts';
import { clockOf, type Room } from '../../../src/properties/rules/property.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { stateAfterGuest } from '../rooms/closed-rooms.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { checkAction, transition } from '../stay/transition.ts';

/**
 * Takes a check-in back (docs/reference/desk.md#undo-a-check-in). Nights, prices, room type and room stay as
 * they are, so no night is sold or given up; what the folio has of extras stays too.
 * @throws DomainError INVALID_STATE, also on a later business date or while a charge of a guest in house stands
 */
export function decideUndoCheckIn(
  draft: Draft,
  command: CommandOf<'UNDO_CHECK_IN'>,
  context: DecisionContext,
): Decision<'UNDO_CHECK_IN'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'undoCheckIn');
  if (before.leaving) throw new DomainError('INVALID_STATE', 'The stay is being checked out.');
  checkSameDay(draft, before);
  checkCharges(before);
  const { by, reason: notes } = command;
  const next = transition(
    draft,
    before,
    'undoCheckIn',
    { at: context.now, by, notes, reason: 'CHECK_IN_UNDONE' },
    { checkIn: undefined },
  );
  const was = draft.rooms.get(before.roomNumber ?? '');
  const room = was?.reservationId === before.id ? emptied(draft, before, was, command.roomUsed, context) : was;
  if (room && room !== was) draft.putRoom(room);
  return {
    result: { reservation: next, room },
    entity: next.id,
    facts: {
      bookings: [factOf('CHECK_IN_UNDONE', next)],
      ...(room && room !== was && { setup: [{ kind: 'room', id: room.roomNumber, before: was, after: room }] }),
    },
  };
}

/** A night that has ended is posted, and its guest was there. */
function checkSameDay(draft: Draft, { timeline }: Reservation): void {
  const arrived = timeline.findLast(({ event }) => event === 'CHECKED_IN')?.timestamp;
  const day = arrived === undefined ? undefined : businessDate(arrived, clockOf(draft.property!));
  if (day !== undefined && draft.today <= day) return;
  const on = day === undefined ? 'an earlier day' : formatDay(day);
  throw new DomainError(
    'INVALID_STATE',
    `The check-in was on ${on}; it can be undone until that business date ends.`,
  );
}

/**
 * Before check-in only extras may be on the folio. Another charge would be lost with a cancel or a no-show, so somebody
 * has to take it back first.
 */
function checkCharges({ charges = [] }: Reservation): void {
  const takenBack = new Set(charges.map(({ voids }) => voids));
  const isGuestCharge = ({ id, code, voids }: FolioCharge): boolean =>
    id !== undefined && code === undefined && voids === undefined && !takenBack.has(id);
  const charge = charges.find(isGuestCharge);
  if (!charge) return;
  const words = `"${charge.description}" is charged to the guest in house: take it back first.`;
  throw new DomainError('INVALID_STATE', words, { extra: { postingId: charge.id } });
}

/** The room without the guest: as it was before the check-in, unless it has to be cleaned or is closed tonight. */
function emptied(
  draft: Draft,
  { checkIn }: Reservation,
  room: Room,
  isUsed: boolean,
  { now: updatedAt }: DecisionContext,
): Room {
  const given = checkIn?.room?.roomNumber === room.roomNumber ? checkIn.room.status : undefined;
  const afterGuest = stateAfterGuest(draft, room.roomNumber);
  const isUntouched = !isUsed && given !== undefined && room.status === 'OCCUPIED' && afterGuest === 'DIRTY';
  return { ...room, status: isUntouched ? given : afterGuest, reservationId: undefined, updatedAt };
}
