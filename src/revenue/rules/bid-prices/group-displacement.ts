import type { Day } from '../../../kernel/rules/dates.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import { doubtOf, expectedSold } from '../../../rates/rules/demand-model.ts';
import { type BidModel, type BidNight, networksOf } from './bid-prices.ts';
import type { SolveNights } from './night-program.ts';
import { LONGEST_COUNTED } from './stay-demand.ts';

/** Nights around a block whose stays it can displace. */
export const NIGHTS_AROUND = LONGEST_COUNTED;

/** Rooms for a group, from `from` to `to`, both nights inclusive. */
export type BlockOfRooms = { from: Day; to: Day; rooms: readonly { roomType: string; count: number }[] };

/** What a block displaces on a night: rooms that would have been sold to others, and the revenue of their stays. */
type DisplacedNight = { roomType: string; day: Day; rooms: number; revenue: Minor };

export type Displacement = { model: BidModel; nights: DisplacedNight[] };

/** Parts of a block after which the program is solved again: each further room displaces better guests. */
const PARTS = 4;

/**
 * What a block of rooms displaces (docs/reference/rates.md#group-quote): the sum of the bid prices of its rooms, from
 * the first to the last one. A stay that leads over several nights of the block counts once, in parts.
 * @param nights of the block and of `NIGHTS_AROUND` before and after it
 */
export function groupDisplacement(
  nights: readonly BidNight[],
  { from, to, rooms }: BlockOfRooms,
  solve?: SolveNights,
): Displacement {
  const counts = new Map(rooms.map(({ roomType, count }) => [roomType, count]));
  const types = nights.filter(({ roomType }) => counts.has(roomType));
  const isBlocked = ({ day }: Pick<BidNight, 'day'>): boolean => day >= from && day <= to;
  const displaced = types.filter(isBlocked).map((night) => ({ night, revenue: 0 }));
  const byCell = new Map(displaced.map((cell) => [`${cell.night.day} ${cell.night.roomType}`, cell]));
  let model: BidModel = 'PROGRAM';
  for (let part = 0; part < PARTS; part++) {
    const taken = types.map((night) => {
      // A bid price is that of a whole room, so it belongs to its middle.
      const blocked = counts.get(night.roomType)! * ((part + 0.5) / PARTS) - 0.5;
      return isBlocked(night) ? { ...night, booked: night.booked + blocked } : night;
    });
    for (const network of networksOf(taken, solve)) {
      if (network.model === 'NIGHTS') model = 'NIGHTS';
      for (const [index, { roomType, day }] of network.nights.entries()) {
        const cell = byCell.get(`${day} ${roomType}`);
        if (cell) cell.revenue += (network.values[index]! * counts.get(roomType)!) / PARTS;
      }
    }
  }
  return {
    model,
    nights: displaced.map(({ night, revenue }) => ({
      roomType: night.roomType,
      day: night.day,
      rooms: roomsDisplaced(night, counts.get(night.roomType)!),
      revenue: Math.round(revenue),
    })),
  };
}

/** Rooms that are expected to be sold without the block, less those with it. */
function roomsDisplaced({ capacity, booked, expected, deviation }: BidNight, count: number): number {
  const doubt = doubtOf(expected, deviation);
  const left = Math.max(0, Math.floor(capacity - booked));
  return expectedSold(expected, doubt, left) - expectedSold(expected, doubt, Math.max(0, left - count));
}
