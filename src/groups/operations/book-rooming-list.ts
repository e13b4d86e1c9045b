import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, isAnswered, send, withFreshNames } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, Reply } from '../../kernel/rules/commands.ts';
import type { RoomFault } from '../../kernel/rules/commands/stay.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GroupId } from '../../kernel/rules/ids.ts';
import { daysUntil } from '../../kernel/rules/stay-days.ts';
import { BAR } from '../../rates/rules/rate-plan.ts';
import type { CreateBody } from '../../stay/contracts/reservations.ts';
import { bookingRequests, mustKnowCompany } from '../../stay/operations/create-reservation.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { RoomingListBody, RoomingRow } from '../contracts/rooming-list.ts';
import type { Group } from '../rules/group.ts';
import { getGroup } from './find-groups.ts';
import { type RoomingLine, type LineFault, readRoomingList } from './read-rooming-list.ts';

/** What comes of a rooming list: reservations by line, or the lines that do not fit. */
export type RoomingListResult = {
  groupId: GroupId;
  dryRun: boolean;
  rows: number;
  faults: LineFault[];
  booked: { line: number; reservation: Reservation }[];
};

type Request = { id: GroupId; body: RoomingListBody; dryRun: boolean };

/**
 * Books the rooms of a rooming list, all of them or none (docs/reference/groups.md#rooming-list). Every line is checked
 * first, each after those before it. The rooms are the group's own, so the limits on unpaid rooms of a client do not
 * count.
 * @throws DomainError GROUP_NOT_FOUND, those of `readRoomingList`; ROOMING_LIST_REJECTED with every line that does not
 * fit
 */
export async function bookRoomingList(
  services: Services,
  caller: Caller,
  { id, body, dryRun }: Request,
  key?: ClientKey,
): Promise<Reply<RoomingListResult>> {
  // The group may have changed since, or be deleted: the answer to a repeat is on record.
  const isRepeat = !dryRun && (await isAnswered(services, caller, key));
  const { group, to, seq } = await getGroup(services, caller, id, isRepeat);
  const { lines, faults } = readRoomingList(body);
  const rows = lines.length + faults.length;
  const canBeWritten = ({ row }: RoomingLine): boolean => isRepeat || (row.email ?? group.contact) !== undefined;
  const written = lines.filter(canBeWritten);
  const unwritten = lines.filter((line) => !canBeWritten(line));
  faults.push(...unwritten.map(({ line }) => ({ line, code: 'VALIDATION_FAILED', detail: NO_EMAIL })));
  const result = { groupId: id, dryRun, rows, faults: [], booked: [] };
  // Where a line cannot be read, the others are only checked.
  const isDry = dryRun || faults.length > 0;
  const checked = await withFreshNames(() =>
    book(services, caller, { group, to, lines: written }, isDry ? 'dry' : key),
  );
  const found = [...faults, ...checked.faults].toSorted((one, other) => one.line - other.line);
  if (found.length === 0) return { ...checked, result: { ...result, booked: checked.result } };
  if (dryRun) return { seq: checked.seq ?? seq, replayed: false, result: { ...result, faults: found } };
  throw new DomainError('ROOMING_LIST_REJECTED', `${found.length} of ${rows} lines cannot be booked.`, {
    ...checked.error?.details,
    extra: { lines: found },
  });
}

const NO_EMAIL = 'email is required: the group has no contact';

type List = { group: Group; to: Address; lines: readonly RoomingLine[] };
type Checked = Reply<RoomingListResult['booked']> & { faults: LineFault[]; error?: DomainError };

/** Books the lines, or only checks them. */
async function book(
  services: Services,
  caller: Caller,
  { group, to, lines }: List,
  key: ClientKey | 'dry' | undefined,
): Promise<Checked> {
  if (lines.length === 0) return { seq: 0, replayed: false, result: [], faults: [] };
  const bodies = lines.map(({ row }) => bodyOf(group, to, row));
  await mustKnowCompany(services, await services.properties.view(to), caller, bodies[0]!);
  const requests = await bookingRequests(services, caller, to, bodies);
  const isDry = key === 'dry';
  const command: CommandOf<'BOOK_ROOMS'> = {
    type: 'BOOK_ROOMS',
    rooms: requests.map((booking) => ({ booking, pendingPaymentId: uuidv7() })),
    everyFault: true,
    ...(isDry && { dryRun: true }),
  };
  try {
    const reply = await send(
      services,
      caller,
      to,
      command,
      isDry ? undefined : claim(key, requests[0]!.reservationId),
    );
    const { reservation, others = [] } = reply.result;
    const booked = [reservation, ...others].map((one, index) => ({ line: lines[index]!.line, reservation: one }));
    return { ...reply, result: booked, faults: [] };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'ROOMING_LIST_REJECTED') throw error;
    const rooms = error.details.extra?.['rooms'] as RoomFault[];
    const faults = rooms.map(({ room, ...fault }) => ({ line: lines[room]!.line, ...fault }));
    return { seq: error.details.seq ?? 0, replayed: false, result: [], faults, error };
  }
}

/** The body with which a row would be booked alone. */
function bodyOf({ groupId, contact }: Group, { propertyId }: Address, row: RoomingRow): CreateBody {
  const { firstName, lastName, email = contact?.email ?? '', checkIn, checkOut, roomType, adults, children } = row;
  return {
    propertyId,
    groupId,
    guestInfo: { firstName, lastName, email },
    stayDetails: { ...daysUntil(checkIn, checkOut), roomType, rateCode: BAR, adults, children },
    specialRequests: [],
    source: { channel: 'GROUP' },
  };
}
