import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { RateLimits } from '../http/admission/rate-limit.ts';
import type { Authenticator } from './authenticator.ts';
import { FairLane, type LaneBounds } from './fair-lane.ts';
import { type Identity, unauthenticated } from './identity.ts';

/** Verifications for addresses beyond their share of bad tokens: together they take a few percent of a core. */
const LANE: LaneBounds = { perSecond: 200, perKey: 4, keys: 500 };
/**
 * Tokens that were refused lately are refused again without a look. Not for long: the issuer may have a new key that we
 * have not heard of.
 */
const FAILED = { max: 10_000, ttl: 5_000 };
/** Subjects that came with a valid token since the start. */
const MAX_KNOWN_SUBJECTS = 20_000;

/**
 * Every token that is not in memory comes through here, over REST and over sockets. A stranger may send forged ones as
 * often as he likes, from the address that honest users have too (an office, an unconfigured proxy), and a
 * valid token has to get in all the same. So failures of an address refuse nobody by themselves. They only decide how
 * its next unknown tokens are verified:
 *
 * 1. A token in memory passes without being counted.
 * 2. One that failed within the last seconds is refused by its hash. What is no access token of our issuer is refused
 *    by what it says, before its signature is looked at (access-token.ts).
 * 3. Up to its share of failures, an address has its tokens verified at once.
 * 4. Beyond that, they are verified at a fixed pace, round-robin by address and by the subject that they name. A forger
 *    who names one subject waits behind himself; one who names a new one each time shares the slots of subjects that
 *    nobody has seen, while those who were here before have every second slot for themselves.
 *
 * What is left: somebody who names the very subject of a victim, from the victim's own address, can fill that one
 * queue; the victim gets a retry after a second.
 */
export class TokenGate {
  readonly #authenticator: Authenticator;
  readonly #limits: RateLimits;
  readonly #lane: FairLane;
  readonly #failed = new LRUCache<string, true>(FAILED);
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN_SUBJECTS });

  constructor(authenticator: Authenticator, limits: RateLimits, lane: LaneBounds = LANE) {
    this.#authenticator = authenticator;
    this.#limits = limits;
    this.#lane = new FairLane(lane);
  }

  /**
   * Who the token speaks for; from memory at once, without a promise.
   *
   * @param address as it is counted
   * @throws DomainError UNAUTHENTICATED, PARTNER_UNAVAILABLE; QUOTA_EXCEEDED when too many wait to be verified
   */
  identify(token: string, address: string): Identity | Promise<Identity> {
    return this.#authenticator.remembered(token) ?? this.#verify(token, address);
  }

  async #verify(token: string, address: string): Promise<Identity> {
    const mark = hash('sha256', token, 'base64');
    try {
      if (this.#failed.has(mark)) throw unauthenticated('The access token is not valid.');
      if (await this.#limits.hasManyBadTokens(address)) {
        const subject = subjectOf(token);
        await this.#lane.enter(`${address}\n${subject}`, this.#known.has(subject));
      }
      const identity = await this.#authenticator.identify(token);
      this.#known.set(identity.subject, true);
      return identity;
    } catch (refused) {
      const isBad = refused instanceof DomainError && refused.kind === 'unauthenticated';
      if (isBad) this.#failed.set(mark, true);
      if (isBad) await this.#limits.countBadToken(address);
      throw refused;
    }
  }
}

/** Subject of a token, unverified; the same for all that are not readable. */
function subjectOf(token: string): string {
  try {
    return decodeJwt(token).sub ?? '';
  } catch {
    return '';
  }
}
