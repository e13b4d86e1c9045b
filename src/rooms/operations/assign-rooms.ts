import { loyaltySince } from '../../guests/operations/loyalty.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, ownRequestId, send, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { StayToRoom } from '../ports.ts';
import { arrivalsDue } from '../rules/assign-rooms.ts';
import { upgradeCandidates } from '../rules/upgrade-candidates.ts';

/** Attempts on a property that is being booked meanwhile: stays that changed are arranged once more. */
const TRIES = 3;

/**
 * Assigns rooms to the arrivals of the day after `date` and to earlier ones without a room
 * (docs/concepts/rooms.md#assignment). They are arranged on a snapshot outside the event loop; the actor carries out
 * what is still valid, in one command.
 */
export async function assignArrivals(services: Services, to: Address, date: Day): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const view = await services.properties.view(to);
    const { property, rooms } = view.setup;
    if (!property.metadata.policies.autoAssign || rooms.length === 0) return;
    const today = view.businessDate;
    const stays = await services.roomStays.read(to, today, loyaltySince(services));
    const last = date + 1;
    const due = arrivalsDue({ stays }, today, last).length;
    services.measured.emit('assignment', due);
    try {
      const better = upgrades(view, stays);
      const { assignments } = await services.computer.run('arrangeArrivals', { rooms, stays, today, last, better });
      if (assignments.length === 0) return;
      const by = { subject: 'system', requestId: ownRequestId() };
      const chosen = assignments.map(({ reservationId, roomNumber, previousRoomNumber }) => ({
        reservationId,
        roomNumber,
        ...(previousRoomNumber !== undefined && { previousRoomNumber }),
      }));
      const { result } = await sendAlways(services, by, to, { type: 'ASSIGN_ROOMS', assignments: chosen });
      if (result.skipped.length === 0) return;
    } finally {
      services.measured.emit('assignment', -due);
    }
  }
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
 * @throws DomainError ROOM_NOT_FOUND, ROOM_OUT_OF_ORDER, ROOM_TAKEN, NO_ROOM_READY, WRONG_ROOM_TYPE, ROOM_NOT_AVAILABLE
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
