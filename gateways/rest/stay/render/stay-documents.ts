import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import { departureOf } from '../../../../src/kernel/rules/stay-days.ts';
import type { PropertyConflict, RoomNow } from '../../../../src/rooms/operations/read-rooms.ts';
import type { deskTaskAnswer } from '../../../../src/stay/contracts/desk-tasks.ts';
import type * as answers from '../../../../src/stay/contracts/stay-documents.ts';
import type { StatusChange } from '../../../../src/stay/ports.ts';
import type { ChannelTask, DeskTask } from '../../../../src/stay/rules/desk-task.ts';
import { verificationOf } from '../../../../src/stay/rules/guest-verification.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { timelineOf, unmetWishesOf } from './reservation.ts';

export function assignedRoom({
  reservation,
  room,
  upgraded,
  previousRoomNumber,
}: CommandResults['ASSIGN_ROOM']): AnswerOf<typeof answers.assignedRoomAnswer> {
  const { roomNumber, roomType } = room;
  const assignedAt = reservation.assignedAt!;
  const previous = { previousRoomNumber: previousRoomNumber ?? null };
  const unmetWishes = unmetWishesOf(reservation);
  return { reservationId: reservation.id, roomNumber, roomType, assignedAt, upgraded, ...previous, unmetWishes };
}

export function conflict({ day, ...conflict }: PropertyConflict): AnswerOf<typeof answers.conflictAnswer> {
  return { ...conflict, date: day };
}

export function deskTask(task: DeskTask | ChannelTask): AnswerOf<typeof deskTaskAnswer> {
  if (task.kind === 'CHANNEL_BOOKING') return channelTask(task);
  const { kind, reservation, mayArrive, payment, claim } = task;
  const { id, confirmationNumber, guest, stay, roomNumber } = reservation;
  const { checkIn, roomType } = stay;
  const guestName = `${guest.firstName} ${guest.lastName}`;
  const which = { kind, reservationId: id, confirmationNumber, guestName };
  const due = { amount: payment?.amount ?? null, triesLeft: payment?.triesLeft ?? null };
  const where = { checkIn, checkOut: departureOf(stay), roomType, roomNumber: roomNumber ?? null };
  return { ...which, ...where, ...due, mayArrive, ...(claim !== undefined && { claim }) };
}

function channelTask({ kind, reservationId, checkIn, checkOut, ...of }: ChannelTask) {
  const { channelCode, name, externalId, externalRoom = null, reason = null } = of;
  return {
    kind,
    reservationId: reservationId ?? null,
    confirmationNumber: null,
    guestName: null,
    checkIn: checkIn ?? null,
    checkOut: checkOut ?? null,
    roomType: null,
    roomNumber: null,
    amount: null,
    triesLeft: null,
    mayArrive: false,
    channel: { channelCode, name, externalId, externalRoom, reason },
  };
}

export function roomNow({ propertyId, room, nextArrival }: RoomNow): AnswerOf<typeof answers.roomNowAnswer> {
  const { roomNumber, roomType, floor, status, reservationId, updatedAt } = room;
  return {
    propertyId,
    roomNumber,
    roomType,
    floor,
    status,
    ...(reservationId !== undefined && { reservationId }),
    ...(nextArrival !== undefined && { nextArrival }),
    updatedAt,
  };
}

export function verification(reservation: Reservation): AnswerOf<typeof answers.verificationAnswer> {
  const { status, method, verifiedAt, verifiedBy } = verificationOf(reservation);
  const { id, guest } = reservation;
  const who = { reservationId: id, guestId: guest.guestId };
  return { ...who, status, method, verifiedAt: verifiedAt ?? null, verifiedBy };
}

export function reservationHistory(
  { id, status, timeline }: Reservation,
  changes: readonly StatusChange[],
  names: ReadonlyMap<string, string>,
): AnswerOf<typeof answers.reservationHistoryAnswer> {
  return {
    reservationId: id,
    status,
    items: timeline.map((entry) => ({ ...timelineOf(entry), by: entry.by, byName: names.get(entry.by) ?? null })),
    statusHistory: changes.map(({ from, to, at, by, reason, notes }) => ({
      oldStatus: from,
      newStatus: to,
      changedAt: at,
      changedBy: by,
      reason: reason ?? null,
      notes: notes ?? null,
    })),
  };
}
