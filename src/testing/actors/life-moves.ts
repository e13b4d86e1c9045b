import type { ReservationStatus } from '../../stay/rules/reservation.ts';

const ENDED = [
  ...([
    'waive',
    'answer',
    'answer',
    'settle',
    'payOut',
    'refund',
    'reinstate',
    'reinstate',
    'days',
    'block',
  ] as const),
  ...(['chargeBack', 'chargeBack', 'closeChargeback', 'pay'] as const),
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
    'post',
    'void',
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
      'refund',
      'hours',
    ] as const),
    ...(['days', 'answer', 'rates', 'block', 'post', 'void', 'chargeBack', 'closeChargeback'] as const),
  ],
  CHECKED_IN: [
    ...(['pay', 'pay', 'extend', 'extend', 'extend', 'checkOut', 'checkOut', 'checkOut', 'days', 'answer'] as const),
    ...(['modify', 'rates', 'block', 'refund', 'overstay', 'post', 'post', 'void', 'void', 'chargeBack'] as const),
  ],
  CHECKED_OUT: ['pay', 'pay', 'answer', 'settle', 'payOut', 'refund', 'chargeBack', 'chargeBack', 'closeChargeback'],
  CANCELLED: [...ENDED],
  NO_SHOW: [...ENDED],
} as const satisfies Record<ReservationStatus | 'NONE', readonly string[]>;
export type What = (typeof USUAL)[keyof typeof USUAL][number];
