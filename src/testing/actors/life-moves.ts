import type { CommandOf } from '../../kernel/rules/commands.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import { bedCommand, postCommand } from '../property-world.ts';

const ENDED = [
  ...([
    'waive',
    'waive',
    'answer',
    'answer',
    'settle',
    'settle',
    'payOut',
    'payOut',
    'payOut',
    'refund',
    'reinstate',
    'reinstate',
    'days',
    'block',
  ] as const),
  ...([
    'chargeBack',
    'chargeBack',
    'closeChargeback',
    'closeChargeback',
    'closeChargeback',
    'winChargeback',
    'winChargeback',
    'pay',
  ] as const),
] as const;

/** Possible moves in each status, weighted by how usual they are; unusual ones occur now and then. */
export const USUAL = {
  NONE: ['book', 'book', 'buy', 'buy', 'decline', 'block'],
  PENDING: [
    'pay',
    'pay',
    'pay',
    'answer',
    'modify',
    'confirm',
    'confirm',
    'cancel',
    'hours',
    'days',
    'lapse',
    'refund',
    'chargeBack',
    'winChargeback',
    'post',
    'void',
    'comp',
  ],
  CONFIRMED: [
    ...([
      'arrive',
      'arrive',
      'checkIn',
      'checkIn',
      'checkIn',
      'pay',
      'modify',
      'modify',
      'cancel',
      'noShow',
      'walk',
      'refund',
      'hours',
    ] as const),
    ...([
      'days',
      'answer',
      'rates',
      'block',
      'post',
      'void',
      'chargeBack',
      'closeChargeback',
      'closeChargeback',
      'winChargeback',
      'winChargeback',
      'comp',
      'undoComp',
      'undoComp',
      'upgrade',
    ] as const),
  ],
  CHECKED_IN: [
    ...(['pay', 'pay', 'extend', 'extend', 'extend', 'checkOut', 'checkOut', 'checkOut', 'days', 'answer'] as const),
    ...([
      'modify',
      'rates',
      'block',
      'refund',
      'overstay',
      'post',
      'post',
      'void',
      'void',
      'void',
      'chargeBack',
      'winChargeback',
      'comp',
      'undoComp',
      'undoComp',
      'upgrade',
      'undoCheckIn',
      'undoCheckIn',
      'undoCheckIn',
      'undoCheckIn',
      'checkOut',
    ] as const),
  ],
  CHECKED_OUT: [
    'pay',
    'pay',
    'answer',
    'settle',
    'payOut',
    'payOut',
    'payOut',
    'refund',
    'chargeBack',
    'chargeBack',
    'closeChargeback',
    'winChargeback',
    'winChargeback',
  ],
  CANCELLED: [...ENDED],
  NO_SHOW: [...ENDED],
} as const satisfies Record<ReservationStatus | 'NONE', readonly string[]>;
export type What = (typeof USUAL)[keyof typeof USUAL][number];

/** Something of the bar, an extra of the list, or beds of a stock that is smaller or larger. */
export function drawnPosting(
  id: string,
  { a, b, cents }: Record<'a' | 'b' | 'cents', number>,
): CommandOf<'POST_CHARGE'> {
  const unitAmount = cents + 1;
  if (b % 2 === 0) return bedCommand(id, { unitAmount, quantity: 1 + (a % 2), taxLines: [], stock: 1 + (b % 3) });
  return postCommand(id, { unitAmount, quantity: 1 + (a % 3), ...(b % 3 && { code: 'WATER' }) });
}

/** The beds that there are when a stay changes. */
export const drawnStock = (b: number): { extraStock: { BED: number } } => ({ extraStock: { BED: 1 + (b % 4) } });
