import type { Stay } from '../../src/rates/rules/stay.ts';
import type { Draft } from './draft.ts';
import type { Counter } from './slab.ts';

/** Changes one counter by `rooms` on every night of a stay that lies in the window. */
export function moveNights(
  draft: Draft,
  stay: Pick<Stay, 'roomType' | 'checkIn' | 'checkOut'>,
  counter: Counter,
  rooms: number,
): void {
  const slab = draft.slab(stay.roomType);
  if (!slab) return;
  for (let day = Math.max(stay.checkIn, slab.first); day < stay.checkOut; day++)
    if (slab.has(day)) draft.add(stay.roomType, day, counter, rooms);
}
