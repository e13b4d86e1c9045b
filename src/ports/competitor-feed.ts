import type { Address } from '../domain/caller.ts';
import type { CompetitorRate } from '../domain/competitor-rate.ts';
import type { Day } from '../domain/dates.ts';
import type { BehindBreaker } from './breaker.ts';

/** A house, its currency, and the nights asked for, both inclusive. */
export type FeedQuestion = { to: Address; currency: string; start: Day; end: Day };

export type FeedAnswer = {
  rates: CompetitorRate[];
  /** Rows that were no rates at all. */
  malformed: number;
};

/** Somebody who watches what competitors ask (docs/guide/production.md#partners). */
export interface CompetitorFeed extends BehindBreaker {
  /** Name of the source, fit to be shown: never an address with a secret in it. */
  readonly source: string;
  /** @throws Refusal PARTNER_UNAVAILABLE with words fit to be shown; what `signal` gives when it is aborted */
  read(question: FeedQuestion, signal: AbortSignal): Promise<FeedAnswer>;
}
