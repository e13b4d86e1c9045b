import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { decimalText, incrementOf, type Minor, partsOf } from '../../../src/kernel/rules/money.ts';
import { bookedNightOf, compedNight } from '../../../src/money/rules/comp.ts';
import type { Night, Surcharge } from '../../../src/money/rules/night.ts';
import { surchargedNight } from '../../../src/money/rules/surcharge.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import { bookedNight, chargesBooked } from '../../../src/rates/rules/night-charges.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import { after } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { changeFacts } from '../facts.ts';
import { checkGroupNights } from '../groups/group-nights.ts';
import { checkUsable, moveGuest, roomNumbered } from '../rooms/assign-room.ts';
import { movedToType, upgradesFor } from '../rooms/move-to-room.ts';
import { isFreeFor, readyRooms } from '../rooms/pick-room.ts';
import { NO_ROOM } from '../rooms/room-stays.ts';
import { unmetIn } from '../rooms/room-wishes.ts';
import { addedPrice } from './added-price.ts';
import { changeable } from './cancel.ts';
import { completePayment } from './confirm.ts';
import { checkGuests, checkRooms, checkTotal, chargesNow } from './terms.ts';

/**
 * Moves the remaining nights of a stay to a better room type for a surcharge
 * (docs/reference/agreed-prices.md#upgrade). Booked nights keep their price; the surcharge is a part of the night
 * that it is for. A guest in house moves at once.
 * @throws DomainError INVALID_STATE, UNKNOWN_ROOM_TYPE, OCCUPANCY_EXCEEDED, WRONG_ROOM_TYPE, ROOM_NOT_AVAILABLE,
 * OUTSIDE_GROUP_BLOCK, and those of a room that is named
 */
export function decideUpgrade(
  draft: Draft,
  command: CommandOf<'UPGRADE'>,
  context: DecisionContext,
): Decision<'UPGRADE'> {
  const before = changeable(draft, command, 'upgrade');
  const { roomType } = command;
  const { stay } = before;
  const from = Math.max(stay.checkIn, draft.today);
  if (from >= stay.checkOut) throw new DomainError('INVALID_STATE', 'No night of the stay is left.');
  const rest = { ...stay, roomType, checkIn: from };
  checkType(draft, before, roomType);
  checkFree(draft, before, rest);
  const room = roomFor(draft, before, command);
  const nights = surcharged(draft, before, from, command);
  checkTotal(nights);
  const moved = { ...movedToType(draft, before, roomType), nights };
  const why = { at: context.now, by: command.by, notes: notesOf(command, stay.roomType) };
  const given = room
    ? {
        ...unmetIn(draft, before, room),
        roomNumber: room.roomNumber,
        assignedAt: context.now,
        roomFixed: true as const,
      }
    : NO_ROOM;
  const upgraded = after(before, 'upgrade', why, { ...moved, ...given });
  const { additional, dueDate, deferred } = addedPrice(draft, before, upgraded, context);
  const next = { ...upgraded, ...deferred };
  completePayment(draft, before, next, context);
  const rooms = room && before.status === 'CHECKED_IN' ? moveGuest(draft, before, room, context) : [];
  return {
    result: { reservation: next, previousRoomType: stay.roomType, from, additional, dueDate },
    entity: next.id,
    facts: { ...changeFacts(before, next), ...(rooms.length > 0 && { setup: rooms }) },
  };
}

function checkType(draft: Draft, { stay }: Reservation, roomType: string): void {
  checkGuests(draft, { ...stay, roomType });
  if (upgradesFor(draft, stay).includes(roomType)) return;
  throw new DomainError('WRONG_ROOM_TYPE', `${roomType} is not better than ${stay.roomType}.`);
}

/** A group has its own rooms: those of its blocks. */
function checkFree(draft: Draft, { groupId }: Reservation, rest: Stay): void {
  if (groupId !== undefined) checkGroupNights(draft, groupId, rest);
  else checkRooms(draft, { stay: rest });
}

/** The named room; otherwise a ready one for a guest in house, and none before arrival. */
function roomFor(
  draft: Draft,
  before: Reservation,
  { roomNumber, roomType }: CommandOf<'UPGRADE'>,
): Room | undefined {
  if (roomNumber !== undefined) return namedRoom(draft, before, roomNumber, roomType);
  if (before.status !== 'CHECKED_IN') return undefined;
  const room = readyRooms(draft, roomType).find((one) => isFreeFor(draft, one, before));
  if (room) return room;
  throw new DomainError('NO_ROOM_READY', `No ${roomType} room is ready.`);
}

function namedRoom(draft: Draft, before: Reservation, roomNumber: string, roomType: string): Room {
  const room = roomNumbered(draft, roomNumber);
  if (room.roomType !== roomType)
    throw new DomainError('WRONG_ROOM_TYPE', `The room is a ${room.roomType}, not a ${roomType}.`);
  checkUsable(draft, before, room);
  return room;
}

/** All nights, the remaining ones with the surcharge; complimentary nights stay free. */
function surcharged(
  draft: Draft,
  before: Reservation,
  from: number,
  { amountPerNight, amount = 0 }: CommandOf<'UPGRADE'>,
): Night[] {
  const { nights, currency } = before;
  const left = nights.filter(({ day }) => day >= from);
  const equal = left.map(() => 1);
  const prices = amountPerNight === undefined ? partsOf(amount, equal, incrementOf(currency)) : undefined;
  const { taxOnComp } = draft.property!.metadata.policies;
  return nights.map((night) => {
    const price = night.day < from ? 0 : (prices?.[night.day - from] ?? amountPerNight ?? 0);
    if (price === 0) return night;
    const charged = surchargedNight(bookedNightOf(night), surchargeOf(draft, before, night, price));
    return night.comped ? compedNight(charged, taxOnComp) : charged;
  });
}

/** The surcharge has the taxes that the night was booked with, in amounts of the currency of the stay. */
function surchargeOf(
  draft: Draft,
  { stay, taxedBy, currency }: Reservation,
  { day }: Night,
  price: Minor,
): Surcharge {
  const charges = chargesBooked(taxedBy, day) ?? { ...chargesNow(draft), currency, taxes: [] };
  const { rate, taxes, taxLines } = bookedNight(stay, day, price, charges);
  return { rate, taxes, ...(taxLines && { taxLines: taxLines.filter(({ fee }) => !fee) }) };
}

function notesOf({ roomType, amountPerNight, amount, reason }: CommandOf<'UPGRADE'>, booked: string): string {
  const price = amountPerNight === undefined ? decimalText(amount) : `${decimalText(amountPerNight)} a night`;
  const what = `Upgrade from ${booked} to ${roomType}, ${(amountPerNight ?? amount) === 0 ? 'free' : price}`;
  return [what, reason].filter(Boolean).join(': ');
}
