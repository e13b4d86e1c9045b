import type { Minor } from '../../kernel/rules/money.ts';
import type { LiveSignal } from './live-signal.ts';

/** The bid price of a night as it was computed for `rooms` left (docs/concepts/forecast.md#bid-prices). */
export type BidSignal = {
  amount: Minor;
  /** Rise with each room sold since then; at least 0. */
  perRoom: Minor;
  rooms: number;
};

/** What forecast, market and program say of a night; 0 and undefined without one. */
export type NightSignals = {
  demand: number;
  market: Minor | undefined;
  bid: BidSignal | undefined;
  live: LiveSignal | undefined;
};

/** The bid price when so many rooms are left; at least 0. */
export function bidAt({ amount, perRoom, rooms }: BidSignal, left: number): Minor {
  return Math.max(0, amount + perRoom * (rooms - left));
}

/** Whether two signals, or none, are the same. */
export function isSameBid(one: BidSignal | undefined, other: BidSignal | undefined): boolean {
  return one?.amount === other?.amount && one?.perRoom === other?.perRoom && one?.rooms === other?.rooms;
}
