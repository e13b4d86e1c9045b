import { LRUCache, type Perf } from 'lru-cache';

import type { Caller } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import { markOf } from '../../src/tenants/contracts/person-key.ts';
import type { Association, Associations } from '../../src/tenants/ports.ts';
import type { TenantStatus } from '../../src/tenants/rules/tenant.ts';
import {
  CLOCK_SKEW_SECONDS,
  type Identity,
  demandAgent,
  isActingAsChannel,
  isOverIdentity,
  MAX_TOKEN_LENGTH,
  refuseNarrow,
  sessionEnded,
  type TokenClock,
  type VerifyToken,
  unauthenticated,
} from './identity.ts';
import { mustMay, opensToChannels, type Permission, ruleOf } from './permissions.ts';
import { tenantAllows } from './tenant-rules.ts';

/** A caller in a tenant, with the tenant's status when it was read. */
type ResidentToken = Caller & { tenantStatus: TenantStatus };

/**
 * A verified token is trusted for 60 s at most, an association for 30 s at most
 * (docs/concepts/tenants-and-roles.md#tokens).
 */
const TOKEN_TRUST_MS = 60_000;
/** The permission that makes an agent of a caller. */
const AS_AGENT: Permission = 'agent.act';
/** What the user of a channel's token needs. */
const AS_CHANNEL: Permission = 'channel.act';
/** How long associations are cached, in milliseconds. */
const TRUST = {
  /** Half of the allowed time: sockets check again at an interval of their own, and both together stay under 30 s. */
  associationMs: 15_000,
  /** A missing association is cached for a short time only, so that a newly invited user need not wait. */
  strangerMs: 1_000,
};
const MAX_TOKENS = 20_000;
const MAX_ASSOCIATIONS = 20_000;

type Cached = { readonly identity: Identity; readonly until: Instant };

/**
 * Resolves the caller and its role, for REST and live alike. Both methods answer at once from memory, without a
 * promise, when they can: they are on the path of every quote.
 */
export class Authenticator {
  readonly #verifyToken: VerifyToken;
  readonly #associations: Associations;
  readonly #trust: typeof TRUST;
  readonly #tokens = new LRUCache<string, Cached>({ max: MAX_TOKENS });
  readonly #connections = new WeakMap<object, { authorization: string; cached: Cached }>();
  readonly #places: LRUCache<string, { association: Association | undefined }>;
  readonly #lookups = new Map<string, Promise<Association | undefined>>();

  /** The clock for token times. */
  readonly now: TokenClock;

  /**
   * @param settings.age clock by which cached entries expire; monotonic, so that setting the wall clock does not
   * extend them
   */
  constructor(
    verifyToken: VerifyToken,
    associations: Associations,
    { now = Date.now, age = performance, ...trust }: Partial<typeof TRUST> & { now?: TokenClock; age?: Perf } = {},
  ) {
    this.now = now;
    this.#places = new LRUCache({ max: MAX_ASSOCIATIONS, perf: age, ttlResolution: 0 });
    this.#trust = { ...TRUST, ...trust };
    this.#verifyToken = verifyToken;
    this.#associations = associations;
  }

  /**
   * The identity of a token.
   *
   * @throws DomainError UNAUTHENTICATED, PARTNER_UNAVAILABLE when the issuer's keys are not available
   */
  identify(token: string): Identity | Promise<Identity> {
    return this.#cached(token)?.identity ?? this.#verify(token);
  }

  /**
   * The identity of a token that was verified within the last minute.
   * @throws DomainError for a token that is too long
   */
  remembered(token: string): Identity | undefined {
    return this.#cached(token)?.identity;
  }

  /**
   * The identity of an `Authorization` header that was verified within the last minute.
   *
   * @param connection of the header: a connection nearly always repeats its header, and comparing is cheaper than
   * hashing (0.8 us on Node, 2.4 us on Deno, measured)
   */
  knownBearer(authorization: string, connection: object): Identity | undefined {
    const last = this.#connections.get(connection);
    if (last?.authorization === authorization && last.cached.until > this.now()) return last.cached.identity;
    if (!authorization.startsWith('Bearer ')) return undefined;
    const cached = this.#cached(authorization.slice('Bearer '.length));
    if (cached !== undefined) this.#connections.set(connection, { authorization, cached });
    return cached?.identity;
  }

  #cached(token: string): Cached | undefined {
    if (token.length > MAX_TOKEN_LENGTH) throw unauthenticated('The token is too long to be one of ours.');
    const cached = this.#tokens.get(markOf(token));
    return cached !== undefined && cached.until > this.now() ? cached : undefined;
  }

  /**
   * The caller in a tenant, if permitted: the one authorization check of REST and of sockets.
   *
   * @throws DomainError TENANT_FORBIDDEN (the same for unknown and foreign tenants), TENANT_NOT_ACTIVE, ROLE_TOO_LOW;
   * AGENT_TOKEN, CHANNEL_TOKEN and INSUFFICIENT_SCOPE where a token is for agents or channels, or is not;
   * UNAUTHENTICATED when the session of the token was ended
   */
  callerFor(
    identity: Identity,
    tenantId: TenantId,
    requestId: string,
    permission: Permission,
  ): ResidentToken | Promise<ResidentToken> {
    if (isOverIdentity(identity, this.now())) throw unauthenticated('The access token has expired.');
    if (permission === AS_AGENT) demandAgent(identity);
    else if (!opensToChannels(permission)) refuseNarrow(identity);
    else if (isActingAsChannel(identity)) return this.#resident(identity, tenantId, requestId, AS_CHANNEL);
    return this.#resident(identity, tenantId, requestId, permission);
  }

  #resident(
    identity: Identity,
    tenantId: TenantId,
    requestId: string,
    permission: Permission,
  ): ResidentToken | Promise<ResidentToken> {
    const key = `${tenantId}\n${identity.issuer}\n${identity.subject}`;
    const place = this.#places.get(key);
    const { mark } = identity;
    if (place !== undefined) return resident(place.association, { tenantId, mark }, requestId, permission);
    return this.#find(key, tenantId, identity).then((found) =>
      resident(found, { tenantId, mark }, requestId, permission),
    );
  }

  /** Drops cached entries of a tenant whose users or status have changed. */
  forget(tenantId: TenantId): void {
    const keys = [...this.#places.keys()].filter((key) => key.startsWith(`${tenantId}\n`));
    for (const key of keys) this.#places.delete(key);
  }

  async #verify(token: string): Promise<Identity> {
    const identity = { ...(await this.#verifyToken(token)), mark: markOf(token) };
    const until = Math.min(identity.expiresAt + CLOCK_SKEW_SECONDS * 1000, this.now() + TOKEN_TRUST_MS);
    this.#tokens.set(identity.mark, { identity, until });
    return identity;
  }

  /** Concurrent requests after the entry expired share one read. */
  #find(key: string, tenantId: TenantId, identity: Identity): Promise<Association | undefined> {
    const running = this.#lookups.get(key);
    if (running !== undefined) return running;
    const lookup = this.#associations
      .find(tenantId, identity.issuer, identity.subject)
      .then((association) => {
        const { associationMs, strangerMs } = this.#trust;
        const ttl = association === undefined ? strangerMs : associationMs;
        this.#places.set(key, { association }, { ttl });
        return association;
      })
      .finally(() => this.#lookups.delete(key));
    this.#lookups.set(key, lookup);
    return lookup;
  }
}

function resident(
  association: Association | undefined,
  { tenantId, mark }: { tenantId: TenantId; mark: string | undefined },
  requestId: string,
  permission: Permission,
): ResidentToken {
  if (association === undefined) throw new DomainError('TENANT_FORBIDDEN', 'You do not belong to this tenant.');
  const { userId, role, tenantStatus, endedTokens } = association;
  if (mark !== undefined && endedTokens?.includes(mark)) throw sessionEnded();
  if (!tenantAllows(tenantStatus, role, ruleOf(permission).operation)) {
    throw new DomainError('TENANT_NOT_ACTIVE', `The tenant is ${tenantStatus}.`);
  }
  mustMay(association, permission);
  if (permission === AS_AGENT) return { ...agentOf({ tenantId, requestId }, userId), tenantStatus };
  // The user is the channel manager's own; its role opens nothing beside what the scope is for.
  if (permission === AS_CHANNEL) return { tenantId, subject: userId, role: 'VIEWER', requestId, tenantStatus };
  return { tenantId, subject: userId, role, requestId, tenantStatus };
}

/**
 * The caller that an agent's token becomes, whatever role its user has: the least one, so that nothing shows it contact
 * data or amounts of others, and a subject of its own, so that it holds, repeats and finds only what it did itself
 * (docs/reference/mcp.md#what-an-agent-may).
 */
function agentOf(request: Pick<Caller, 'tenantId' | 'requestId'>, userId: string): Caller {
  return { ...request, subject: `agent-${userId}`, role: 'VIEWER' };
}
