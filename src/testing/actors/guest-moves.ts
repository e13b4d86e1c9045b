import fc from 'fast-check';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import {
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  modifyCommand,
  noShowCommand,
  paid,
  plainRoom,
  plan,
  reinstateCommand,
  startBookingCommand,
  startPaymentCommand,
} from '../property-world.ts';
import { halfEven, sumOf } from './life-sums.ts';
import { Scene } from './scene.ts';

const HOUR = 3_600_000;

/** Cancellation terms of the plans, in words of docs/reference/reservations.md#cancel: when free, and what is kept. */
const POLICY: Record<
  string,
  { hours: number | null; part: (nights: number[]) => number; missed?: (nights: number[]) => number }
> = {
  BAR: { hours: 48, part: ([first = 0]) => first },
  FLEX: { hours: 24, part: ([first = 0]) => first },
  NRF: { hours: null, part: sumOf },
  STRICT: { hours: 72, part: (nights) => halfEven(sumOf(nights) * 60, 100), missed: sumOf },
};

const move = fc.record({
  what: fc.constantFrom(
    'dates',
    'shorter',
    'type',
    'guests',
    'wait',
    'in',
    'out',
    'missing',
    'cancel',
    'back',
    'back',
    'pay',
  ),
  by: fc.integer({ min: -3, max: 6 }),
  hours: fc.integer({ min: 1, max: 60 }),
});

/** A guest who tries to pay less than a cancellation costs. */
export const evasiveGuests = fc.record({
  rateCode: fc.constantFrom('BAR', 'FLEX', 'NRF', 'STRICT'),
  nights: fc.integer({ min: 1, max: 5 }),
  moves: fc.array(move, { minLength: 3, maxLength: 12 }),
});

type EvasiveGuest = typeof evasiveGuests extends fc.Arbitrary<infer G> ? G : never;

/** A plan that keeps less of a late cancellation than of a stay without a guest. */
export const STRICT = plan({
  code: 'STRICT',
  guarantee: 'PREPAY',
  terms: {
    cancellation: { freeUntilHours: 72, penalty: { kind: 'PERCENT', value: 60 } },
    earlyDeparture: { kind: 'NONE', value: 0 },
    noShow: { kind: 'PERCENT', value: 100 },
    change: 'FREE',
  },
});

/** A property that has a room for everybody. */
export function spaciousProperty(): Scene {
  const scene = Scene.property({ policies: { earlyDepartureNights: 0 } });
  for (const roomType of ['STD', 'DLX'])
    scene.accept({ type: 'SET_INVENTORY', roomType, start: DAY, end: DAY + 30, totalRooms: 50 });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: STRICT, mode: 'create' });
  const rooms = ['101', '102', '103'].map((number) => plainRoom(number));
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return scene;
}

/** Passes time to a moment, and the business date with it; holds expire. */
export function goTo(scene: Scene, now: number): void {
  scene.now = now;
  scene.accept({ type: 'EXPIRE' });
  scene.accept({ type: 'TICK' });
}

/** A booking from the fifth day on, paid with its plan's deposit. @returns its id */
export function paidBooking(scene: Scene, rateCode: string, nights: number, from = DAY + 4): string {
  const command = startBookingCommand({ stay: { rateCode, checkIn: from, checkOut: from + nights } });
  const { attempt } = scene.accept(command);
  const { holdId } = command;
  return scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt, scene.now) }).reservation.id;
}

/**
 * Plays a guest's moves. After each change the property must keep at least what a cancellation at the moment of the
 * first change would have kept.
 * @returns how many moves changed something, and how many of them a cancellation would have cost something
 * @throws Error where the property keeps less
 */
export function playEvasion({ rateCode, nights, moves }: EvasiveGuest): { changed: number; costly: number } {
  const scene = spaciousProperty();
  const id = paidBooking(scene, rateCode, nights);
  const current = (): Reservation => scene.state.reservations.get(id)!;
  let least = 0;
  let changed = 0;
  let costly = 0;
  for (const one of moves) {
    const before = current();
    const isOpen = before.status === 'CONFIRMED' || before.status === 'CHECKED_IN';
    const penalty = isOpen ? penaltyNow(before, scene.now, one.what === 'missing') : 0;
    play(scene, id, one);
    const after = current();
    if (JSON.stringify(after.stay) === JSON.stringify(before.stay) && after.status === before.status) continue;
    changed += 1;
    least = Math.max(least, penalty);
    if (least > 0) costly += 1;
    if (after.paid < least || folioTotals(after).total < least)
      throw new Error(`${least} would have been kept, ${after.paid} is paid of ${folioTotals(after).total}`);
  }
  return { changed, costly };
}

function penaltyNow({ stay, nights, paid: money }: Reservation, now: number, isMissing: boolean): number {
  const { hours, part, missed = part } = POLICY[stay.rateCode]!;
  const prices = nights.map(({ rate, taxes, fees }) => rate + taxes + fees);
  if (isMissing) return Math.min(money, missed(prices));
  // Check-in time of the property is 15:00, two hours ahead of UTC.
  const arrival = stay.checkIn * 24 * HOUR + 13 * HOUR;
  if (hours !== null && now < arrival - hours * HOUR) return 0;
  return Math.min(money, part(prices));
}

/** Does a move of a guest; one that is refused changes nothing. */
function play(scene: Scene, id: string, { what, by, hours }: EvasiveGuest['moves'][number]): void {
  const { stay } = scene.state.reservations.get(id)!;
  const byDesk = { reason: 'the guest asked', modifiedBy: 'desk' };
  const change = (wanted: Parameters<typeof modifyCommand>[1]) => ({ ...modifyCommand(id, wanted), ...byDesk });
  try {
    if (what === 'wait') goTo(scene, scene.now + hours * HOUR);
    else if (what === 'dates') scene.accept(change({ checkIn: stay.checkIn + by, checkOut: stay.checkOut + by }));
    else if (what === 'shorter') scene.accept(change({ checkOut: stay.checkOut - 1 - Math.abs(by) }));
    else if (what === 'type') scene.accept(change({ roomType: stay.roomType === 'STD' ? 'DLX' : 'STD' }));
    else if (what === 'guests') scene.accept(change({ adults: 1 + (hours % 2) }));
    else if (what === 'in') scene.accept(checkInCommand(id, { at: scene.now }));
    else if (what === 'out') scene.accept(checkOutCommand(id, { at: undefined }));
    else if (what === 'missing') scene.accept(noShowCommand(id));
    else if (what === 'back') scene.accept(reinstateCommand(id));
    else if (what === 'pay') pay(scene, id);
    else scene.accept(cancelCommand(id));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

function pay(scene: Scene, id: string): void {
  const { attempt } = scene.accept(startPaymentCommand(id));
  scene.accept(endPaymentCommand(id, paid(attempt, scene.now)));
}
