import { addDays } from '../grid/days.ts';
import type { GroupView } from './api.ts';

type Block = GroupView['blocks'][number];

/** A night of a group: its blocks by room type, and their sum. */
export type PickupNight = {
  date: string;
  blocks: ReadonlyMap<string, Block>;
  rooms: number;
  pickedUp: number;
  shoulder: number;
};

/** The nights of a group in order, those without a block among them too. */
export function pickupNights({ blocks, shoulderPickup }: GroupView): PickupNight[] {
  const dates = [...new Set([...blocks, ...shoulderPickup].map(({ date }) => date))].sort();
  return dates.map((date) => {
    const own = blocks.filter((block) => block.date === date);
    return {
      date,
      blocks: new Map(own.map((block) => [block.roomType, block])),
      rooms: own.reduce((sum, { rooms }) => sum + rooms, 0),
      pickedUp: own.reduce((sum, { pickedUp }) => sum + pickedUp, 0),
      shoulder: shoulderPickup.reduce((sum, one) => sum + (one.date === date ? one.pickedUp : 0), 0),
    };
  });
}

/** Room types of the blocks, in the order of their names. */
export function typesOf({ blocks }: GroupView): string[] {
  return [...new Set(blocks.map(({ roomType }) => roomType))].sort();
}

/** Arrival of the first and departure of the last guests. */
export function datesOf({ blocks }: GroupView): { checkIn: string; checkOut: string } | undefined {
  const [first] = blocks;
  const last = blocks.at(-1);
  return first && last && { checkIn: first.date, checkOut: addDays(last.date, 1) };
}

/** What a change names of a group so that everything else of it stays. */
export function groupBodyOf(group: GroupView): Record<string, unknown> {
  const { name, cutoffDate, guarantee, depositSchedule, releaseHour, companyId, terms, shoulderNights, contact } =
    group;
  return {
    name,
    cutoffDate,
    shoulderNights,
    blocks: group.blocks.map(({ roomType, date, rooms, rate }) => ({ roomType, date, rooms, rate })),
    ...(guarantee && { guarantee }),
    ...(depositSchedule && { depositSchedule }),
    ...(guarantee === 'NONE' && { releaseHour }),
    ...(companyId !== null && { companyId }),
    ...(terms && { terms }),
    ...(contact && { contact }),
  };
}

/**
 * The change that returns what is not picked up: blocks as large as their pickup. Nights that are over stay as they
 * were. `undefined` where nothing would be left: such a group is deleted.
 */
export function releasedBody(group: GroupView, today: string): Record<string, unknown> | undefined {
  const blocks = group.blocks
    .filter(({ date, pickedUp }) => date < today || pickedUp > 0)
    .map(({ roomType, date, rooms, rate, pickedUp }) => ({
      roomType,
      date,
      rooms: date < today ? rooms : pickedUp,
      rate,
    }));
  return blocks.some(({ date }) => date >= today) ? { ...groupBodyOf(group), blocks } : undefined;
}

/** Room nights that a release returns. */
export function returnedBy({ blocks }: GroupView, today: string): number {
  return blocks.reduce((sum, { date, remaining }) => sum + (date < today ? 0 : remaining), 0);
}
