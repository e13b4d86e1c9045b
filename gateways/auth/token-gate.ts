import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { RateLimits } from '../http/admission/rate-limit.ts';
import type { Authenticator } from './authenticator.ts';
import { FairLane, type LaneBounds } from './fair-lane.ts';
import { type Identity, unauthenticated } from './identity.ts';

/** Verifications for addresses beyond their share of bad tokens: a few percent of a core in total. */
const LANE: LaneBounds = { perSecond: 200, perKey: 4, keys: 500 };
/**
 * Recently failed tokens are rejected by their hash. Not for long: the issuer may have a new key that is not loaded
 * yet.
 */
const FAILED = { max: 10_000, ttl: 5_000 };
/** Subjects seen with a valid token since the start. */
const MAX_KNOWN_SUBJECTS = 20_000;

/**
 * Verifies every token that is not cached, for REST and sockets. An attacker may send forged tokens from an address
 * that honest users share (an office, an unconfigured proxy), and valid tokens must still be accepted. So failures of
 * an address refuse nobody by themselves; they decide how its next unknown tokens are verified:
 *
 * 1. A cached token passes without being counted.
 *
 * 2. A token that failed within the last seconds is rejected by its hash. One that is not an access token of the
 * issuer is rejected by its claims, before its signature is verified (access-token.ts).
 *
 * 3. Up to its share of failures, tokens of an address are verified at once.
 *
 * 4. Beyond that, they are verified at a fixed pace, round-robin by address and claimed subject. An attacker with one
 * subject waits behind himself; with many, they share the slots of unknown subjects, while known subjects have every
 * second slot.
 *
 * Remaining risk: who claims exactly the victim's subject from the victim's address can fill that one queue; the
 * victim gets a retry after a second.
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
   * The identity of a token; from the cache at once, without a promise.
   *
   * @param address as it is counted
   * @throws DomainError UNAUTHENTICATED, PARTNER_UNAVAILABLE; QUOTA_EXCEEDED when too many tokens wait for
   * verification
   */
  identify(token: string, address: string): Identity | Promise<Identity> {
    return this.#authenticator.remembered(token) ?? this.#verify(token, address);
  }

  async #verify(token: string, address: string): Promise<Identity> {
    const mark = hash('sha256', token, 'base64');
    try {
      if (this.#failed.has(mark)) throw unauthenticated('The access token is not valid.');
      if (this.#limits.hasManyBadTokens(address)) {
        const subject = subjectOf(token);
        await this.#lane.enter(`${address}\n${subject}`, this.#known.has(subject));
      }
      const identity = await this.#authenticator.identify(token);
      this.#known.set(identity.subject, true);
      return identity;
    } catch (refused) {
      const isBad = refused instanceof DomainError && refused.kind === 'unauthenticated';
      if (isBad) this.#failed.set(mark, true);
      if (isBad) this.#limits.countBadToken(address);
      throw refused;
    }
  }
}

/** Claimed subject of a token, unverified; the same for all unreadable tokens. */
function subjectOf(token: string): string {
  try {
    return decodeJwt(token).sub ?? '';
  } catch {
    return '';
  }
}
