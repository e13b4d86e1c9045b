import type { ReservationStatus } from '../../stay/rules/reservation.ts';

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
    ...(['days', 'answer', 'rates', 'block', 'post', 'void'] as const),
  ],
  CHECKED_IN: [
    ...(['pay', 'pay', 'extend', 'extend', 'extend', 'checkOut', 'checkOut', 'checkOut', 'days', 'answer'] as const),
    ...(['modify', 'rates', 'block', 'refund', 'overstay', 'post', 'post', 'void', 'void'] as const),
  ],
  CHECKED_OUT: ['pay', 'answer', 'settle', 'payOut', 'refund'],
  CANCELLED: ['waive', 'answer', 'answer', 'settle', 'payOut', 'refund', 'reinstate', 'reinstate', 'days', 'block'],
  NO_SHOW: ['waive', 'answer', 'answer', 'settle', 'payOut', 'refund', 'reinstate', 'reinstate', 'days', 'block'],
} as const satisfies Record<ReservationStatus | 'NONE', readonly string[]>;
export type What = (typeof USUAL)[keyof typeof USUAL][number];
