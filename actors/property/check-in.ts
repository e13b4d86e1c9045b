import type { CheckIn } from '../../src/domain/commands.ts';
import { formatDay } from '../../src/domain/dates.ts';
import type { Room, RoomStatus, RoomType } from '../../src/domain/property.ts';
import { stepsUp } from '../../src/domain/loyalty.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { CheckInRecord, LoyaltyTier, Reservation } from '../../src/domain/reservation.ts';
import { guestName } from './booking.ts';
import { checkVersion, loaded } from './cancel.ts';
import type { Decision, Turn } from './decide.ts';
import type { Draft } from './draft.ts';
import { factOf } from './facts.ts';
import { moveNights } from './nights.ts';
import { firstSoldOut } from './stay-rules.ts';
import { checkAction, transition } from './transition.ts';

/** In which a guest may be let in, the readiest first (contracts.md 7). */
const READY: readonly RoomStatus[] = ['INSPECTED', 'CLEAN', 'AVAILABLE'];

/**
 * The guest gets a room (specification 4.2, `checkin`; contracts.md 7). When none of the type is ready, a member gets
 * one of a better type: what is left of the stay moves there in the same commit, at the price that was agreed.
 */
export function checkIn(draft: Draft, command: CheckIn, turn: Turn): Decision<'CHECK_IN'> {
  const before = loaded(draft, command.reservationId);
  checkVersion(before, command.ifVersion);
  checkAction(before, 'checkIn');
  if (draft.today < before.stay.checkIn)
    throw new Refusal('TOO_EARLY', `The arrival day is ${formatDay(before.stay.checkIn)}.`, {
      date: formatDay(before.stay.checkIn),
    });
  if (!command.identified)
    throw new Refusal('IDENTIFICATION_REQUIRED', 'The guest has to be identified before check-in.');
  const room = readyRoom(draft, before, command.tier);
  const { roomType } = room;
  const upgraded = roomType !== before.stay.roomType;
  if (upgraded) moveRest(draft, before, roomType);
  const { checkInId, at, keyCards, staffMember, notes, guests } = command;
  const record: CheckInRecord = { checkInId, at, keyCards, staffMember, notes, guests };
  const next = arrived(draft, before, room, record, turn);
  const occupied: Room = { ...room, status: 'OCCUPIED', reservationId: next.id, updatedAt: turn.now };
  draft.putRoom(occupied);
  return {
    result: { reservation: next, checkIn: record, room, upgraded },
    entity: next.id,
    facts: {
      bookings: [factOf('CHECKED_IN', next)],
      setup: [{ kind: 'room', id: room.roomNumber, after: occupied }],
    },
    guestName: guestName(next),
  };
}

/** Clean and nobody in it: the rooms of guests who stay on are made up too. */
function isReady({ status, reservationId }: Room): boolean {
  return reservationId === undefined && READY.includes(status);
}

/** @throws Refusal NO_ROOM_READY */
function readyRoom(draft: Draft, { stay, roomNumber }: Reservation, tier: LoyaltyTier): Room {
  const assigned = roomNumber === undefined ? undefined : draft.rooms.get(roomNumber);
  if (assigned && isReady(assigned)) return assigned;
  const better = betterTypes(draft, stay.roomType)
    .filter((type) => stay.adults <= type.maxAdults && stay.children <= type.maxChildren)
    .filter((type) => stay.adults + stay.children <= type.maxGuests)
    .slice(0, stepsUp(tier))
    .filter(({ roomType }) => restIsFree(draft, roomType, stay.checkOut))
    .map(({ roomType }) => roomType);
  for (const roomType of [stay.roomType, ...better])
    for (const status of READY)
      for (const room of draft.rooms.values())
        if (room.roomType === roomType && room.status === status && isReady(room)) return room;
  throw new Refusal('NO_ROOM_READY', `No ${stay.roomType} room is ready.`);
}

/** Dearer types of tonight, the nearest first. */
function betterTypes(draft: Draft, booked: string): RoomType[] {
  const price = (type: string): number => draft.slab(type)?.base(draft.today) ?? -1;
  const own = price(booked);
  return [...draft.roomTypes.values()]
    .filter(({ roomType }) => roomType !== booked && price(roomType) > own)
    .sort((a, b) => price(a.roomType) - price(b.roomType));
}

function restIsFree(draft: Draft, roomType: string, checkOut: number): boolean {
  const { policies } = draft.property!.metadata;
  return firstSoldOut(draft.slab(roomType)!, policies, draft.today, checkOut, 1) === undefined;
}

/** The nights from today on: out of the booked type, into the other (I1). */
function moveRest(draft: Draft, { stay }: Reservation, roomType: string): void {
  const rest = { ...stay, checkIn: Math.max(stay.checkIn, draft.today) };
  moveNights(draft, rest, 'booked', -1);
  moveNights(draft, { ...rest, roomType }, 'booked', 1);
}

function arrived(
  draft: Draft,
  before: Reservation,
  room: Room,
  record: CheckInRecord,
  { now: at, subject }: Turn,
): Reservation {
  const { roomNumber, roomType } = room;
  const upgraded = roomType !== before.stay.roomType;
  const from = upgraded ? ` instead of ${before.stay.roomType}` : '';
  const notes = [`Room ${roomNumber}, ${roomType}${from}`, record.notes].filter(Boolean).join('. ');
  return transition(
    draft,
    before,
    'checkIn',
    { at, by: record.staffMember ?? subject, notes },
    {
      stay: { ...before.stay, roomType },
      bookedRoomType: upgraded ? before.stay.roomType : before.bookedRoomType,
      roomNumber,
      assignedAt: before.roomNumber === roomNumber ? before.assignedAt : at,
      checkIn: record,
    },
  );
}
