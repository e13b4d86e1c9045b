import type { Day } from '../../kernel/rules/dates.ts';
import type { PageWorld } from './scripted-page.ts';

const ROOMS_OF_A_FLOOR = 20;

/** Gives a property rooms, each of the next of these types, and guests in all of them, night after night. */
export function fillRooms({ desk }: PageWorld, today: Day, rooms: number, types: readonly string[]): void {
  const all = Array.from({ length: rooms }, (_, n) => {
    const floor = 1 + Math.floor(n / ROOMS_OF_A_FLOOR);
    const roomNumber = `${floor}${String(1 + (n % ROOMS_OF_A_FLOOR)).padStart(2, '0')}`;
    return { roomNumber, roomType: types[n % types.length]!, floor };
  });
  desk.build(all);
  for (const [index, { roomNumber, roomType }] of all.entries())
    for (let from = today - 3 + (index % 3); from < today + 14; from += 4) {
      const isIn = from < today;
      const nights = { checkIn: from, checkOut: Math.max(from + 3, isIn ? today + 1 : 0) };
      const status = isIn ? 'CHECKED_IN' : 'CONFIRMED';
      desk.stay({ name: `Guest ${index} ${from}`, ...nights, roomNumber, roomType, status });
    }
}
