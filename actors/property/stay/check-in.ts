import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { FolioCharge } from '../../../src/money/rules/folio.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import { nightsAreOver } from '../../../src/stay/rules/arrival.ts';
import type { CheckInRecord, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { takeAssignedRoom } from '../rooms/assign-rooms.ts';
import { roomGiven } from '../rooms/move-to-room.ts';
import { pickRoom } from '../rooms/pick-room.ts';
import { unmetIn } from '../rooms/room-wishes.ts';
import { checkVersion, loaded } from './cancel.ts';
import { ARRIVAL_AHEAD_MS, checkReportedTime } from './reported-time.ts';
import { checkOccupancy } from './stay-rules.ts';
import { rateOrNone, sellsIn } from './terms.ts';
import { checkAction, transition } from './transition.ts';

/**
 * Checks a guest in and gives them a room (docs/concepts/rooms.md#check-in). When none of the type is ready, a loyalty
 * member gets one of a better type: the rest of the stay moves there in the same commit, at the agreed price.
 */
export function decideCheckIn(
  draft: Draft,
  command: CommandOf<'CHECK_IN'>,
  context: DecisionContext,
): Decision<'CHECK_IN'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'checkIn');
  checkReportedTime('/checkInTime', command.at, context.now, { aheadMs: ARRIVAL_AHEAD_MS });
  if (draft.today < before.stay.checkIn)
    throw new DomainError('TOO_EARLY', `The arrival day is ${formatDay(before.stay.checkIn)}.`, {
      date: formatDay(before.stay.checkIn),
    });
  if (nightsAreOver(before.stay, draft.today))
    throw new DomainError('INVALID_STATE', 'The nights of the stay are over.');
  if (!command.identified)
    throw new DomainError('IDENTIFICATION_REQUIRED', 'The guest has to be identified before check-in.');
  const { room, displaced } = pickRoom(draft, before, command.tier);
  if (command.guests) checkOccupancy(draft.roomTypes.get(room.roomType)!, { ...before.stay, ...command.guests });
  const others = displaced.map(({ reservationId }) => draft.needed(reservationId));
  const { checkInId, at, keyCards, staffMember, notes, guests } = command;
  const nightRate = nightRateOf(draft, before);
  const given = { roomNumber: room.roomNumber, status: room.status };
  const record = {
    checkInId,
    at,
    keyCards,
    staffMember,
    notes,
    guests,
    ...(nightRate && { nightRate }),
    room: given,
  };
  const next = arrived(draft, before, room, record, context);
  const without = others.map((other) => takeAssignedRoom(draft, other, context));
  const occupied: Room = { ...room, status: 'OCCUPIED', reservationId: next.id, updatedAt: context.now };
  draft.putRoom(occupied);
  return {
    result: { reservation: next, checkIn: record, room, upgraded: room.roomType !== before.stay.roomType },
    entity: next.id,
    facts: {
      bookings: [factOf('CHECKED_IN', next), ...without.map((one) => factOf('ROOM_ASSIGNED', one, next.id))],
      setup: [{ kind: 'room', id: room.roomNumber, before: room, after: occupied }],
    },
  };
}

function arrived(
  draft: Draft,
  before: Reservation,
  room: Room,
  record: CheckInRecord,
  { now: at, subject }: DecisionContext,
): Reservation {
  const { roomNumber, roomType } = room;
  const from = roomType === before.stay.roomType ? '' : ` instead of ${before.stay.roomType}`;
  const notes = [`Room ${roomNumber}, ${roomType}${from}`, record.notes].filter(Boolean).join('. ');
  return transition(
    draft,
    before,
    'checkIn',
    { at, by: record.staffMember ?? subject, notes },
    {
      ...roomGiven(draft, before, room),
      ...(before.roomNumber !== roomNumber && unmetIn(draft, before, room)),
      assignedAt: before.roomNumber === roomNumber ? before.assignedAt : at,
      checkIn: record,
      charges: before.charges?.map((charge) => postedOn(charge, draft.today)),
    },
  );
}

/** Price of the night for a guest of day use who does not leave; unknown once the night is over. */
function nightRateOf(draft: Draft, before: Reservation): Minor | undefined {
  const { dayUse, ...night } = before.stay;
  const isKnown = dayUse && sellsIn(draft, before) && draft.slab(night.roomType)?.has(night.checkIn);
  return isKnown ? rateOrNone(draft, night, night.checkIn, draft.plans.get(BAR)!) : undefined;
}

/** Charges posted before arrival are earned on the day of check-in: past days have no part in them. */
function postedOn(charge: FolioCharge, today: Day): FolioCharge {
  return charge.id === undefined || charge.day >= today ? charge : { ...charge, day: today };
}
