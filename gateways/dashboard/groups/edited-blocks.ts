import { cellKey } from '../../../packages/client/src/live/replica.ts';
import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import { amountIn } from '../amounts.ts';
import { addDays } from '../grid/days.ts';
import type { GroupView } from './api.ts';
import { datesOf, typesOf } from './pickup.ts';

/** Rooms and rate of a night and room type as typed. */
export type TypedBlock = { rooms: string; rate: string };
/** By `cellKey` of room type and night. */
export type TypedBlocks = Readonly<Record<string, TypedBlock>>;
type Block = { roomType: string; date: string; rooms: number; rate: WireAmount };

/** A group has at most so many blocks; more nights than these are a mistake. */
const MAX_NIGHTS = 100;
const NO_BLOCK: TypedBlock = { rooms: '', rate: '' };

/** The blocks of a group as fields have them: empty where a type has none on a night of the group. */
export function typedBlocksOf(group: GroupView): TypedBlocks {
  const dates = datesOf(group);
  const nights = dates ? nightsOfBlock(dates.checkIn, dates.checkOut) : [];
  const none = typesOf(group).flatMap((roomType) => nights.map((date) => [cellKey({ roomType, date }), NO_BLOCK]));
  const blocked = group.blocks.map(({ roomType, date, rooms, rate }) => [
    cellKey({ roomType, date }),
    { rooms: String(rooms), rate: String(rate) },
  ]);
  return Object.fromEntries([...none, ...blocked]) as TypedBlocks;
}

/** Room nights of blocks, and what they are worth without taxes. */
export function sumOfBlocks(blocks: readonly Pick<Block, 'rooms' | 'rate'>[]): { rooms: number; worth: WireAmount } {
  return {
    rooms: blocks.reduce((sum, { rooms }) => sum + rooms, 0),
    worth: blocks.reduce((sum, { rooms, rate }) => sum + Math.round(rooms * rate * 100), 0) / 100,
  };
}

/** Nights from an arrival to a departure. */
export function nightsOfBlock(checkIn: string, checkOut: string): string[] {
  const nights: string[] = [];
  for (let date = checkIn; date < checkOut && nights.length < MAX_NIGHTS; date = addDays(date, 1)) nights.push(date);
  return nights;
}

/** What a field has: as typed, and on a night that is new as on the nearest night of before. */
export function blockOn(blocks: TypedBlocks, nights: readonly string[], roomType: string, date: string): TypedBlock {
  const own = blocks[cellKey({ roomType, date })];
  if (own) return own;
  const at = nights.indexOf(date);
  const others = nights
    .map((night, n) => ({ block: blocks[cellKey({ roomType, date: night })], away: Math.abs(n - at) }))
    .filter(({ block }) => block !== undefined)
    .sort((a, b) => a.away - b.away);
  return others[0]?.block ?? NO_BLOCK;
}

/**
 * The blocks of a form: nights that are over stay as they are, and a night without rooms has none.
 * @param types room types of the property
 */
export function editedBlocks(
  group: Pick<GroupView, 'blocks'>,
  {
    blocks,
    nights,
    types,
    today,
  }: { blocks: TypedBlocks; nights: readonly string[]; types: readonly string[]; today: string },
): Block[] {
  const over = group.blocks
    .filter(({ date }) => date < today)
    .map(({ roomType, date, rooms, rate }) => ({ roomType, date, rooms, rate }));
  const open = nights.filter((date) => date >= today);
  return [
    ...over,
    ...open.flatMap((date) =>
      types.flatMap((roomType) => {
        const typed = blockOn(blocks, nights, roomType, date);
        const rooms = Number(typed.rooms);
        const rate = amountIn(typed.rate) ?? 0;
        return rooms >= 1 && rate > 0 ? [{ roomType, date, rooms, rate }] : [];
      }),
    ),
  ];
}
