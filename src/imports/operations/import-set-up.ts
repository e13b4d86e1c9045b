import { v7 as uuidv7 } from 'uuid';

import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Command } from '../../kernel/rules/commands.ts';
import { DomainError, orError } from '../../kernel/rules/domain-error.ts';
import type { Room, RoomType } from '../../properties/rules/property.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import type { ImportRun } from '../ports.ts';
import { amountFrom0, lineFault, mustHave, shortText, type ValueFormat, wholeNumber } from '../rules/line-values.ts';
import type { LineFields } from '../rules/mapping.ts';
import type { ImportProgress, LinePlace } from './import-progress.ts';

/** Rooms and plans of an import, which its reservations need (docs/reference/import.md#fields). */

type SetUpLine = { place: LinePlace; fields: LineFields };
type SettingUp = { services: Services; run: ImportRun; progress: ImportProgress; view: PropertyView };

const ROOM_NUMBER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,9}$/;
const CODE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/;
const MAX_FLOOR = 200;
const MAX_GUESTS = 20;
const ROOMS_AT_ONCE = 50;

/** Codes that the property has, and those that a dry run would have made. */
export type KnownCodes = { roomTypes: Set<string>; plans: Set<string> };

export const codesOf = ({ setup }: PropertyView): KnownCodes => ({
  roomTypes: new Set(setup.roomTypes.map(({ roomType }) => roomType)),
  plans: new Set(setup.plans.map(({ code }) => code)),
});

/** Adds the rooms that are not there yet, with their types. @returns codes of new types */
export async function importRooms(of: SettingUp, lines: readonly SetUpLine[]): Promise<string[]> {
  const { progress, view } = of;
  const known = new Map(view.setup.rooms.map((room) => [room.roomNumber, room]));
  const added = new Map<string, { place: LinePlace; room: Room; type: RoomType }>();
  for (const { place, fields } of lines) {
    const read = orError(() => roomOf(fields));
    if (read instanceof DomainError) progress.refuse(place, read);
    else if (added.has(read.room.roomNumber))
      progress.refuse(place, lineFault('roomNumber', 'stood in a line before'));
    else if (known.get(read.room.roomNumber)?.roomType === read.room.roomType) progress.note(place, 'UNCHANGED');
    else if (known.has(read.room.roomNumber))
      progress.refuse(place, lineFault('roomType', 'is not that of the room here'));
    else added.set(read.room.roomNumber, { place, ...read });
  }
  const types = Map.groupBy(added.values(), ({ room }) => room.roomType);
  const made: string[] = [];
  for (const [code, rooms] of types) {
    const isNew = !view.setup.roomTypes.some(({ roomType }) => roomType === code);
    const type = { ...rooms[0]!.type, totalRooms: rooms.length };
    const commands: Command[] = isNew ? [{ type: 'PUT_ROOM_TYPE', roomType: type, mode: 'create' }] : [];
    for (let at = 0; at < rooms.length; at += ROOMS_AT_ONCE) {
      const some = rooms.slice(at, at + ROOMS_AT_ONCE);
      const puts: Command = { type: 'PUT_ROOMS', rooms: some.map(({ room }) => room), mode: 'put' };
      const error = await sendEach(of, [...commands.splice(0), puts]);
      for (const { place } of some) {
        if (error) progress.refuse(place, error);
        else progress.note(place, 'CREATED');
      }
    }
    if (isNew) made.push(code);
  }
  await progress.store();
  return made;
}

function roomOf(fields: LineFields): { room: Room; type: RoomType } {
  const roomNumber = mustHave('roomNumber', fields['roomNumber']);
  const roomType = mustHave('roomType', fields['roomType']);
  if (!ROOM_NUMBER.test(roomNumber)) throw lineFault('roomNumber', 'has 1 to 10 letters, figures, . _ or -');
  if (!CODE.test(roomType)) throw lineFault('roomType', 'has 1 to 50 letters, figures, _ or -');
  const floor = wholeNumber('floor', fields['floor'], 0, MAX_FLOOR);
  const maxAdults = wholeNumber('maxAdults', fields['maxAdults'], 2, MAX_GUESTS);
  const maxChildren = wholeNumber('maxChildren', fields['maxChildren'], 2, MAX_GUESTS);
  const name = shortText('typeName', fields['typeName'], 100) ?? roomType;
  const sleeps = { maxAdults, maxChildren, maxGuests: maxAdults + maxChildren };
  return {
    room: { roomNumber, roomType, floor, status: 'AVAILABLE', features: [], updatedAt: 0 },
    type: { roomType, name, ...sleeps, totalRooms: 1, amenities: [] },
  };
}

/** Adds the plans that are not there yet. @returns codes of new plans */
export async function importPlans(
  of: SettingUp,
  lines: readonly SetUpLine[],
  format: ValueFormat,
): Promise<string[]> {
  const { progress, view } = of;
  const known = codesOf(view).plans;
  const made: string[] = [];
  for (const { place, fields } of lines) {
    const plan = orError(() => planOf(fields, format));
    if (plan instanceof DomainError) progress.refuse(place, plan);
    else if (known.has(plan.code)) progress.note(place, 'UNCHANGED');
    else {
      const error = await sendEach(of, [{ type: 'PUT_RATE_PLAN', plan, mode: 'create' }]);
      if (error) progress.refuse(place, error);
      else {
        known.add(plan.code);
        made.push(plan.code);
        progress.note(place, 'CREATED', { recordId: plan.id });
      }
    }
  }
  await progress.store();
  return made;
}

function planOf(fields: LineFields, format: ValueFormat): RatePlan {
  const code = mustHave('code', fields['code']);
  if (!CODE.test(code)) throw lineFault('code', 'has 1 to 50 letters, figures, _ or -');
  const { baseRate, adjustmentPercent: percent } = fields;
  const adjustmentPercent = percent === undefined ? 0 : Number(percent);
  if (!Number.isFinite(adjustmentPercent) || Math.abs(adjustmentPercent) > 90)
    throw lineFault('adjustmentPercent', 'is no number from -90 to 90');
  return {
    id: uuidv7(),
    code,
    name: shortText('name', fields['name'], 100) ?? code,
    status: 'ACTIVE',
    strategy: 'FIXED',
    cancellationPolicy: fields['cancellationPolicy'] ?? 'STANDARD',
    adjustmentPercent,
    ...(baseRate !== undefined && { baseRate: amountFrom0('baseRate', baseRate, format) }),
    minRatePercent: 60,
    maxRatePercent: 200,
    minLengthOfStay: 1,
    maxLengthOfStay: 30,
    minAdvanceBooking: 0,
    maxAdvanceBooking: 365,
  };
}

/** Sends commands in order; none of a dry run. @returns the error of the first that is refused */
async function sendEach(
  { services, run }: SettingUp,
  commands: readonly Command[],
): Promise<DomainError | undefined> {
  if (run.dryRun) return undefined;
  try {
    for (const command of commands) await sendAlways(services, byRun(run), run.to, command);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'unavailable') return error;
    throw error;
  }
}

/** Who an import acts for. */
export const byRun = ({ requestedBy, importId }: ImportRun): { subject: string; requestId: string } => ({
  subject: requestedBy,
  requestId: `import-${importId}`,
});
