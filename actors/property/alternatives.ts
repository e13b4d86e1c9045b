import { formatDay } from '../../src/domain/dates.ts';
import type { Alternative } from '../../src/domain/refusal.ts';
import type { Stay } from '../../src/domain/reservation.ts';
import type { Draft } from './draft.ts';
import { firstSoldOut } from './stay-rules.ts';

/** How many are offered, and how far dates are shifted (contracts.md 3). */
const MOST = 3;
const SHIFT_DAYS = 7;

/** Other stays that could be had: the same nights in another type, then the same type on days near by. */
export function alternatives(draft: Draft, stay: Stay): Alternative[] {
  const found: Alternative[] = [];
  for (const type of draft.roomTypes.values()) {
    const sleeps = stay.adults + stay.children <= type.maxGuests && stay.adults <= type.maxAdults;
    if (type.roomType === stay.roomType || !sleeps || stay.children > type.maxChildren) continue;
    if (found.length < MOST && canBeHad(draft, { ...stay, roomType: type.roomType }))
      found.push(offer(type.roomType, stay.checkIn, stay.checkOut));
  }
  for (let shift = 1; shift <= SHIFT_DAYS && found.length < MOST; shift++)
    for (const by of [shift, -shift]) {
      const moved = { ...stay, checkIn: stay.checkIn + by, checkOut: stay.checkOut + by };
      if (found.length < MOST && canBeHad(draft, moved))
        found.push(offer(stay.roomType, moved.checkIn, moved.checkOut));
    }
  return found;
}

function offer(roomType: string, checkIn: number, checkOut: number): Alternative {
  return { roomType, checkIn: formatDay(checkIn), checkOut: formatDay(checkOut) };
}

function canBeHad(draft: Draft, stay: Stay): boolean {
  const slab = draft.slab(stay.roomType);
  if (!slab || stay.checkIn < draft.today || !slab.has(stay.checkOut - 1)) return false;
  for (let day = stay.checkIn; day < stay.checkOut; day++) if (slab.base(day) < 0) return false;
  const { policies } = draft.property!.metadata;
  return firstSoldOut(slab, policies, stay.checkIn, stay.checkOut, 1) === undefined;
}
