import type { StayToQuote } from '../../../../src/rates/contracts/quotes.ts';
import type { QuotedStay } from '../../../../src/rates/operations/quote-rates.ts';
import { quoteText } from './quote.ts';

/** What a stay of a batch is answered with: the body of its single quote, or of its problem. */
export type AnsweredStay = { stay: StayToQuote; quoted: QuotedStay } | { problem: object };

/** The body of `POST /rates/quotes` (docs/reference/many-quotes.md#many-quotes), in the order of the stays. */
export function quotesText(answered: readonly AnsweredStay[]): string {
  return `{"items":[${answered.map(itemText).join(',')}]}`;
}

function itemText(answered: AnsweredStay): string {
  if ('problem' in answered) return JSON.stringify(answered);
  const { stay, quoted } = answered;
  return `{"quote":${quoteText({ ...stay, explain: false }, quoted)},"seq":${quoted.seq}}`;
}
