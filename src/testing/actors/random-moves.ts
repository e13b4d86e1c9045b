import fc from 'fast-check';

import type { CommandOf } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';

const PROPERTY_ID = [
  ...(['book', 'start', 'confirm', 'abandon', 'cancel', 'modify', 'inventory', 'count', 'limit', 'expire'] as const),
  ...(['tick', 'rates'] as const),
] as const;
const SALES = [
  ...(['restrict', 'promote', 'promoBook', 'promoStart', 'group', 'groupBook', 'groupChange'] as const),
  ...(['drop', 'plan', 'noPlan', 'signals', 'event', 'noEvent'] as const),
] as const;
const DESK = [
  'rooms',
  'status',
  'checkIn',
  'assign',
  'assignAll',
  'checkOut',
  'maintain',
  'maintained',
  'task',
  'bed',
  'noBed',
] as const;
const HOLDS = [
  ...(['hold', 'useHold', 'startHold', 'extendHold', 'releaseHold', 'wait', 'offer', 'leave'] as const),
] as const;
const ASKS = ['ask', 'bookAsked', 'startAsked', 'closeAsked'] as const;
export type Sale = (typeof SALES)[number];
export type Ask = (typeof ASKS)[number];
export type Desk = (typeof DESK)[number];
export type Held = (typeof HOLDS)[number];
type Kind = (typeof PROPERTY_ID)[number] | Sale | Desk | Held | Ask;

/** Moves of rooms from one hold to another. */
const MOVING = [...HOLDS, ...(['startHold', 'confirm', 'abandon', 'cancel', 'expire', 'book'] as const)] as const;

/** Next moves of a run, drawn as numbers; which booking or hold is meant depends on the state by then. */
const movesOf = (kinds: readonly Kind[], minutes: number) =>
  fc.array(
    fc.record({
      what: fc.constantFrom(...kinds),
      which: fc.nat(50),
      from: fc.integer({ min: 0, max: 6 }),
      nights: fc.integer({ min: 1, max: 4 }),
      rooms: fc.integer({ min: 0, max: 4 }),
      type: fc.constantFrom('STD', 'DLX'),
      minutes: fc.nat(minutes),
    }),
    // Long runs: interactions of commands show late.
    { maxLength: 60, size: 'max' },
  );
export const moves = movesOf([...PROPERTY_ID, ...SALES, ...DESK, ...HOLDS, ...ASKS], 20);
export const holdMoves = movesOf(MOVING, 2);
export type Move = typeof moves extends fc.Arbitrary<(infer M)[]> ? M : never;

export function isSale(what: Move['what']): what is Sale {
  return (SALES as readonly string[]).includes(what);
}

export function isDesk(what: Move['what']): what is Desk {
  return (DESK as readonly string[]).includes(what);
}

export function isHeld(what: Move['what']): what is Held {
  return (HOLDS as readonly string[]).includes(what);
}

export function isAsk(what: Move['what']): what is Ask {
  return (ASKS as readonly string[]).includes(what);
}

/** Sets all signals of nights, or one time in three only the demand, while the others are removed. */
export function setSignals(
  roomType: string,
  which: number,
  { first, nights, rooms }: { first: Day; nights: number; rooms: number },
): CommandOf<'SET_SIGNALS'> {
  const live = { rooms, step: 1, factors: [9_000, 12_000], start: 10_000, on: first };
  const known = { market: 9, bid: { amount: 9, perRoom: 9, rooms }, live };
  const all = which % 3 ? known : { market: null, bid: null, live: null };
  const days = Array.from({ length: nights }, (_, n) => ({ day: first + n, demand: rooms, ...all }));
  return { type: 'SET_SIGNALS', roomType, nights: days };
}
