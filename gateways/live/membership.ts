import { CLOSE_CODES, type CloseCode } from '../../packages/client/src/live/live-limits.ts';
import type { Caller } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { AuthFrame } from '../../src/live/contracts/live.ts';
import { domainErrorOf } from '../http/domain-error-of.ts';
import type { LiveConnection } from './connection.ts';
import type { GatewayLimits } from './limits.ts';
import type { LiveLog } from './log.ts';

/** Authenticates sockets; the gateway's Authenticator, or a fake. */
export interface LiveAuthenticator<I extends { readonly expiresAt: Instant }> {
  /** @throws DomainError UNAUTHENTICATED, PARTNER_UNAVAILABLE */
  identify(token: string, address: string): I | Promise<I>;
  /** @throws DomainError TENANT_FORBIDDEN, TENANT_NOT_ACTIVE, ROLE_TOO_LOW; UNAUTHENTICATED for an expired identity */
  callerFor(identity: I, tenantId: TenantId, requestId: string, permission: 'stream.read'): Caller | Promise<Caller>;
  /** The clock for token times. */
  now(): Instant;
}

export interface MembershipListener {
  /** Called when the caller was admitted: by the first token, a new one, or with another role. */
  admitted(caller: Caller, expiresAt: Instant): void;
  refused(error: DomainError): void;
  close(code: CloseCode, reason: string): void;
}

/** Longest delay of a timer. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Whether a connection is authorized (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do): its
 * token, its expiry, its association with the tenant.
 */
export class Membership<I extends { readonly expiresAt: Instant }> {
  readonly #authenticator: LiveAuthenticator<I>;
  readonly #listener: MembershipListener;
  readonly #limits: GatewayLimits;
  readonly #log: LiveLog;
  readonly #connectionId: string;
  readonly #address: string;
  #identity: I | undefined;
  #caller: Caller | undefined;
  /** Closes a connection without a valid token: at the start, and after the token has expired. */
  #deadline: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #recheck: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    authenticator: LiveAuthenticator<I>,
    listener: MembershipListener,
    limits: GatewayLimits,
    log: LiveLog,
    { id, address }: Pick<LiveConnection, 'id' | 'address'>,
  ) {
    this.#authenticator = authenticator;
    this.#listener = listener;
    this.#limits = limits;
    this.#log = log;
    this.#connectionId = id;
    this.#address = address;
    this.#expectToken(limits.authWithinMs);
  }

  /** @throws DomainError UNAUTHENTICATED before the first valid token */
  get caller(): Caller {
    if (!this.#caller) throw new DomainError('UNAUTHENTICATED', 'Send an auth frame with a valid token first.');
    return this.#caller;
  }

  /** Authenticates by a token; a bad first one closes with 4401, a foreign tenant always with 4403. */
  async authenticate(frame: AuthFrame): Promise<void> {
    const before = this.#caller;
    if (before && before.tenantId !== frame.tenantId) {
      throw new DomainError(
        'INVALID_STATE',
        'A connection belongs to one tenant: open another one for another tenant.',
      );
    }
    try {
      const identity = await this.#authenticator.identify(frame.token, this.#address);
      const caller = await this.#authenticator.callerFor(identity, frame.tenantId, this.#connectionId, 'stream.read');
      if (!this.#closed) this.#admit(identity, caller);
    } catch (thrown) {
      this.#turnAway(domainErrorOf(thrown), before !== undefined);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#expiry);
    clearInterval(this.#recheck);
  }

  #admit(identity: I, caller: Caller): void {
    this.#identity = identity;
    this.#caller = caller;
    clearTimeout(this.#deadline);
    this.#expectExpiry(identity.expiresAt);
    this.#recheck ??= setInterval(() => void this.#lookAgain(), this.#limits.recheckMs);
    this.#listener.admitted(caller, identity.expiresAt);
  }

  #turnAway(error: DomainError, wasAdmitted: boolean): void {
    if (this.#closed) return;
    this.#listener.refused(error);
    if (error.kind === 'forbidden') this.#listener.close(CLOSE_CODES.tenantForbidden, 'tenant');
    else if (error.kind === 'unauthenticated' && !wasAdmitted) this.#closeWithoutToken();
  }

  #expectToken(withinMs: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#closeWithoutToken(), withinMs);
  }

  #closeWithoutToken(): void {
    this.#listener.close(CLOSE_CODES.unauthenticated, 'no valid token');
  }

  /**
   * Tokens expire by the real clock, even when the development clock was moved
   * (docs/reference/set-up.md#development-only).
   */
  #expectExpiry(expiresAt: Instant): void {
    clearTimeout(this.#expiry);
    const left = Math.max(0, expiresAt - this.#authenticator.now());
    this.#expiry = setTimeout(
      () => {
        if (expiresAt > this.#authenticator.now()) this.#expectExpiry(expiresAt);
        else this.#expired();
      },
      Math.min(left, MAX_TIMER_MS),
    );
  }

  #expired(): void {
    const seconds = Math.round(this.#limits.expiryGraceMs / 1000);
    this.#listener.refused(
      new DomainError('UNAUTHENTICATED', `The access token has expired; send a new one within ${seconds} s.`),
    );
    this.#expectToken(this.#limits.expiryGraceMs);
  }

  /** Checks the association again: the role may have changed, or access ended (within 30 s). */
  async #lookAgain(): Promise<void> {
    const identity = this.#identity;
    const before = this.#caller;
    if (!identity || !before) return;
    try {
      // Token expiry has its own deadline. Only the association is checked here, so the expiry must not interfere.
      const lasting = { ...identity, expiresAt: Math.max(identity.expiresAt, this.#authenticator.now() + 1000) };
      const caller = await this.#authenticator.callerFor(lasting, before.tenantId, this.#connectionId, 'stream.read');
      if (this.#closed || this.#caller !== before || caller.role === before.role) return;
      this.#caller = caller;
      this.#listener.admitted(caller, identity.expiresAt);
    } catch (thrown) {
      const error = domainErrorOf(thrown);
      if (error.kind === 'forbidden') this.#turnAway(error, true);
      // Its session was ended: the page has to sign in again.
      else if (error.kind === 'unauthenticated') this.#turnAway(error, false);
      else this.#log.warn({ connection: this.#connectionId, code: error.code }, 'association could not be checked');
    }
  }
}
