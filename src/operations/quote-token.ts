import { randomBytes } from 'node:crypto';

import type { Address } from '../domain/caller.ts';
import type { VerifiedQuote } from '../domain/commands.ts';
import type { QuotedRate } from '../domain/queries.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Stay } from '../domain/reservation.ts';
import type { SignedText } from './signed-text.ts';

/** A promised price holds this long (contracts.md 6). */
export const QUOTE_LIFE_MS = 15 * 60_000;

/** Unique over all processes and restarts; not a secret, since the token is signed. */
const run = randomBytes(9).toString('base64url');
let quotes = 0;

/** The id of one answer; each room type in it appends its place. */
export function nextQuoteId(): string {
  return `${run}${(quotes++).toString(36)}-`;
}

type Bound = Pick<Stay, 'checkIn' | 'checkOut' | 'adults' | 'children'>;

/** The token that promises the price of one quoted room type: bound to everything the price depends on. */
export function quoteToken(
  signed: SignedText,
  to: Address,
  stay: Bound,
  rate: QuotedRate,
  id: string,
  now: number,
): string {
  const { checkIn, checkOut, adults, children } = stay;
  const bound = [to.tenantId, to.propertyId, rate.roomType, checkIn, checkOut, rate.rateCode, adults, children];
  return signed.sign('quote', JSON.stringify([id, now + QUOTE_LIFE_MS, bound, rate.nightly]));
}

/**
 * The promise behind a token, when it is ours and is for exactly this stay.
 * Whether its time is over is decided by the actor, so that a repeat under a key still gets its kept answer.
 * @throws Refusal QUOTE_EXPIRED for another stay or a changed text
 */
export function verifyQuote(signed: SignedText, token: string, to: Address, stay: Stay): VerifiedQuote {
  const payload = signed.open('quote', token);
  if (payload === undefined) throw new Refusal('QUOTE_EXPIRED', 'The quote token is not one of ours.');
  const [quoteId, expiresAt, bound, nightly] = JSON.parse(payload) as [string, number, unknown[], number[]];
  const { roomType, checkIn, checkOut, rateCode, adults, children } = stay;
  const wanted = [to.tenantId, to.propertyId, roomType, checkIn, checkOut, rateCode, adults, children];
  if (wanted.some((value, index) => value !== bound[index]))
    throw new Refusal('QUOTE_EXPIRED', 'The quote is for another stay.');
  return { quoteId, expiresAt, nightly };
}
