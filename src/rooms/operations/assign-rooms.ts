import { loyaltySince } from '../../guests/operations/loyalty.ts';
import { ItemRunner, reservationItem } from '../../kernel/operations/item-runner.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, ownRequestId, send, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { StayToRoom } from '../ports.ts';
import { arrivalsDue, type RoomAssignment } from '../rules/assign-rooms.ts';
import { planRooms } from '../rules/maintenance.ts';
import { upgradeCandidates } from '../rules/upgrade-candidates.ts';

/** Attempts on a property that is being booked meanwhile: stays that changed are arranged once more. */
const TRIES = 3;

/**
 * Assigns rooms to the arrivals of the day after `date` and to earlier ones without a room
 * (docs/concepts/rooms.md#assignment). They are arranged on a snapshot outside the event loop; the actor carries out
 * what is still valid, in one command. An arrival whose command fails is left out and delays no other.
 * @returns whether none was left out
 */
export async function assignArrivals(
  services: Services,
  to: Address,
  date: Day,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<boolean> {
  const leftOut = new Set<ReservationId>();
  for (let tries = 0; tries < TRIES; tries++) {
    const view = await services.properties.view(to);
    const { property } = view.setup;
    const today = view.businessDate;
    const rooms = planRooms(view.setup);
    if (!property.metadata.policies.autoAssign || rooms.length === 0) return true;
    const stays = await services.roomStays(to, today, loyaltySince(services));
    const last = date + 1;
    const due = arrivalsDue({ stays }, today, last);
    for (const { reservationId } of due) if (each.rests(itemOf(to, reservationId))) leftOut.add(reservationId);
    if (leftOut.size > 0 && due.every(({ reservationId }) => leftOut.has(reservationId))) break;
    services.metricEvents.emit('assignment', due.length);
    try {
      const better = upgrades(view, stays);
      // A stay that is left out keeps the room that it has.
      const keeps = ({ reservationId, roomNumber }: StayToRoom): boolean =>
        roomNumber !== undefined && leftOut.has(reservationId);
      const arranged = { rooms, stays: stays.map((stay) => (keeps(stay) ? { ...stay, fixed: true } : stay)) };
      const { assignments } = await services.computer.run('arrangeArrivals', { ...arranged, today, last, better });
      const chosen = assignments.filter(({ reservationId }) => !leftOut.has(reservationId)).map(assignmentOf);
      if (chosen.length === 0 || (await carryOut(services, to, chosen, { each, leftOut }))) break;
    } finally {
      services.metricEvents.emit('assignment', -due.length);
    }
  }
  return leftOut.size === 0;
}

type Chosen = CommandOf<'ASSIGN_ROOMS'>['assignments'];

function assignmentOf(assignment: RoomAssignment): Chosen[number] {
  const { reservationId, roomNumber, previousRoomNumber, unmetWishes } = assignment;
  return {
    reservationId,
    roomNumber,
    ...(previousRoomNumber !== undefined && { previousRoomNumber }),
    ...(unmetWishes && { unmetWishes }),
  };
}

const itemOf = (to: Address, id: ReservationId): string => reservationItem('ASSIGN_ROOMS', to, id);

/** @returns whether all of it holds; where the command fails, each stay is tried alone to find who is at fault */
async function carryOut(
  services: Services,
  to: Address,
  assignments: Chosen,
  { each, leftOut }: { each: ItemRunner; leftOut: Set<ReservationId> },
): Promise<boolean> {
  const by = { subject: 'system', requestId: ownRequestId() };
  const assign = (those: Chosen) => sendAlways(services, by, to, { type: 'ASSIGN_ROOMS', assignments: those });
  try {
    return (await assign(assignments)).result.skipped.length === 0;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
  }
  for (const one of assignments) {
    const { reservationId } = one;
    if (!(await each.one(itemOf(to, reservationId), () => assign([one])))) leftOut.add(reservationId);
  }
  return false;
}

/** Better types for members without a room. */
function upgrades(view: PropertyView, stays: readonly StayToRoom[]): Record<string, string[]> {
  const tonight = new Map(
    view.grid(view.businessDate, view.businessDate).map(({ roomType, rate }) => [roomType, rate]),
  );
  const members = stays.filter(({ tier, roomNumber }) => tier !== 'NONE' && roomNumber === undefined);
  return Object.fromEntries(
    members.map((stay) => [
      stay.reservationId,
      upgradeCandidates(view.setup.roomTypes, stay, (roomType) => tonight.get(roomType)),
    ]),
  );
}

/**
 * Assigns a room to a stay by hand.
 * @throws DomainError ROOM_NOT_FOUND, ROOM_OUT_OF_ORDER, ROOM_TAKEN, ROOM_UNSUITABLE, NO_ROOM_READY, WRONG_ROOM_TYPE,
 * ROOM_NOT_AVAILABLE
 */
export async function assignRoom(
  services: Services,
  caller: Caller,
  reservationId: ReservationId,
  roomNumber: string,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['ASSIGN_ROOM']>> {
  const to = await addressOf(services, caller, reservationId);
  const { ifVersion, dryRun = false } = options;
  const command = {
    type: 'ASSIGN_ROOM',
    reservationId,
    roomNumber,
    ...(ifVersion !== undefined && { ifVersion }),
    dryRun,
  } as const;
  return send(services, caller, to, command, dryRun ? undefined : claim(options.key));
}
