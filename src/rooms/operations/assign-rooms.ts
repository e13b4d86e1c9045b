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
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { StayToRoom } from '../ports.ts';
import {
  arrivalsDue,
  type RoomAssignment,
  type RoomAssignments,
  type UnassignedReason,
} from '../rules/assign-rooms.ts';
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
      // A stay that is left out keeps the room that it has.
      const keeps = ({ reservationId, roomNumber }: StayToRoom): boolean =>
        roomNumber !== undefined && leftOut.has(reservationId);
      const kept = stays.map((stay) => (keeps(stay) ? { ...stay, fixed: true } : stay));
      const { assignments } = await arrange(services, view, kept, last);
      const chosen = assignments.filter(({ reservationId }) => !leftOut.has(reservationId)).map(assignmentOf);
      if (chosen.length === 0 || (await carryOut(services, to, chosen, { each, leftOut }))) break;
    } finally {
      services.metricEvents.emit('assignment', -due.length);
    }
  }
  return leftOut.size === 0;
}

/** Arranges the arrivals without a room up to a last day in a worker thread. */
function arrange(
  services: Pick<Services, 'computer'>,
  view: PropertyView,
  stays: StayToRoom[],
  last: Day,
): Promise<RoomAssignments> {
  const today = view.businessDate;
  const rooms = planRooms(view.setup);
  return services.computer.run('arrangeArrivals', { rooms, stays, today, last, better: upgrades(view, stays) });
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

/** A room that an arrival has got, or would get; `previousRoomNumber` where it made room for another stay. */
type Given = Pick<RoomAssignment, 'roomNumber' | 'previousRoomNumber' | 'unmetWishes'> &
  Pick<StayToRoom, 'reservationId' | 'checkIn' | 'checkOut'> & { roomType: string; upgraded: boolean };

/** What an assignment of all arrivals has done, or would do. CHANGED: the stay or its room changed meanwhile. */
export type ArrivalsAssigned = {
  until: Day;
  given: Given[];
  without: { reservationId: ReservationId; reason: UnassignedReason | 'CHANGED' }[];
};

/**
 * Assigns rooms to all arrivals without one at the request of the desk, by the rules of the daily assignment
 * (docs/reference/set-up.md#assign-all-arrivals). With `dryRun` it only says who would get which room.
 * @throws DomainError VALIDATION_FAILED for a day before the business date
 */
export async function assignAllArrivals(
  services: Services,
  caller: Caller,
  to: Address,
  { until, dryRun, key }: { until?: Day; dryRun: boolean; key?: ClientKey },
): Promise<Reply<ArrivalsAssigned>> {
  const view = await services.properties.view(to);
  const last = lastArrival(view.businessDate, until);
  const stays = await services.roomStays(to, view.businessDate, loyaltySince(services));
  const { assignments, unassigned } = await arrange(services, view, stays, last);
  if (dryRun) {
    const all = assignments.map(({ reservationId }) => reservationId);
    const result = { until: last, given: givenOf(stays, assignments, all), without: unassigned };
    return { seq: view.seq, replayed: false, result };
  }
  const chosen = assignments.map(assignmentOf);
  const command = { type: 'ASSIGN_ROOMS', assignments: chosen, ...(key && { keepsAnswer: true as const }) } as const;
  const { result, ...reply } = await send(services, caller, to, command, claim(key));
  const changed = result.skipped.map((id) => ({ reservationId: id as ReservationId, reason: 'CHANGED' as const }));
  const given = givenOf(stays, assignments, result.assigned);
  return { ...reply, result: { until: last, given, without: [...unassigned, ...changed] } };
}

/** Days ahead of which arrivals are assigned at once. */
const MAX_DAYS_AHEAD = 30;

function lastArrival(today: Day, until: Day = today): Day {
  if (until >= today && until - today <= MAX_DAYS_AHEAD) return until;
  const detail = `must be the business date or one of the ${MAX_DAYS_AHEAD} days after it`;
  const errors = [{ pointer: '/until', code: until < today ? 'IN_THE_PAST' : 'TOO_MANY_DAYS', detail }];
  throw new DomainError('VALIDATION_FAILED', 'The last day of arrival is out of range.', { errors });
}

/** In the order of the engine; a repeated request finds the stays in their rooms and arranges nothing. */
function givenOf(
  stays: readonly StayToRoom[],
  assignments: readonly RoomAssignment[],
  ids: readonly string[],
): Given[] {
  const arranged = new Map(assignments.map((one) => [one.reservationId as string, one]));
  const known = new Map(stays.map((stay) => [stay.reservationId as string, stay]));
  return ids.flatMap((id) => {
    const stay = known.get(id);
    if (!stay) return [];
    const { reservationId, checkIn, checkOut, roomType, roomNumber } = stay;
    const now =
      arranged.get(id) ?? (roomNumber === undefined ? undefined : { roomNumber, roomType, upgraded: false });
    return now === undefined ? [] : [{ ...now, reservationId, checkIn, checkOut }];
  });
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
