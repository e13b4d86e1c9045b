import type { FastifyReply, FastifyRequest } from 'fastify';

import type { TenantShares } from '../../../src/kernel/ports.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { demandAgent, type Identity, isNarrow, OPERATE_SCOPE } from '../../auth/identity.ts';
import type { Permission } from '../../auth/permissions.ts';
import { TokenGate } from '../../auth/token-gate.ts';
import type { AllowedMethods } from '../allowed-methods.ts';
import {
  type BasicCredentials,
  bearerOf,
  demandBasic,
  demandOneAuthorization,
  equalSecrets,
  sameTenant,
  tenantOf,
} from '../credentials.ts';
import { pathOf } from '../exchange.ts';
import type { Access } from '../route.ts';
import { demandOrigin, metadataUrl } from './agent-resource.ts';
import { countedAddress } from './client-address.ts';
import { type Quota, QuotaExceeded, type RateLimits, slowDown, stampCounted, stampLimit } from './rate-limit.ts';

export type AdmissionParts = {
  authenticator: Authenticator;
  limits: RateLimits;
  /** Verifies tokens; shared by all services of a process. */
  gate?: TokenGate;
  /** Bounds requests in progress; shared by all services of a process. */
  share?: TenantShares;
  basic?: BasicCredentials;
  /** Access to metrics and health details beside operators; none when absent. */
  monitoring?: { open: boolean; token?: string };
  /** Public address of the service, where it differs from that of requests. */
  publicUrl?: string | undefined;
  /** Allowed browser origins; none when empty. */
  corsOrigins?: readonly string[];
};

/** Length of a subject in journals. */
const MAX_SUBJECT = 100;

/** @returns a promise where it has to wait */
type AdmissionHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;

/**
 * Checks before a body is read, in the order of docs/reference/api.md#every-request: token, tenant header, tenant,
 * role. They run in `onRequest` hooks, so that an unauthenticated body of 10 MB is never parsed.
 */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #methods: AllowedMethods;
  readonly #gate: TokenGate;

  constructor(parts: AdmissionParts, methods: AllowedMethods) {
    this.#parts = parts;
    this.#gate = parts.gate ?? new TokenGate(parts.authenticator, parts.limits);
    this.#methods = methods;
  }

  /** The hook of a route; `undefined` for routes without checks. */
  hookFor(access: Access): AdmissionHook | undefined {
    if (access.gate === 'tenant') {
      const { permission, isCostly, orBasic, orOperator } = access;
      const admit = (request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined => {
        const admitted = (caller: Caller): void => {
          if (isCostly) stampedReply(reply, () => this.#parts.limits.countCostly(caller.tenantId));
          request.caller = caller;
        };
        const caller = this.#tenant(request, reply, permission);
        if (caller instanceof Promise) return caller.then(admitted);
        admitted(caller);
        return undefined;
      };
      if (!orBasic && !orOperator) return admit;
      return async (request, reply) => {
        if (orBasic && isBrowserWithoutToken(request)) return this.#basic(request, reply);
        if (orOperator && isOperator(await this.#identify(request, reply))) return this.#operator(request, reply);
        await admit(request, reply);
      };
    }
    if (access.gate === 'agent') return (request, reply) => this.#agent(request, reply);
    if (access.gate === 'open') return (request, reply) => this.open(request, reply);
    if (access.gate === 'link') return (request, reply) => this.limitAnonymous(request, reply);
    if (access.gate === 'operator') return (request, reply) => this.#operator(request, reply);
    if (access.gate === 'monitor') return (request, reply) => this.#monitor(request, reply);
    if (access.gate === 'steer') return (request, reply) => this.#steer(request, reply);
    if (access.gate === 'glance') return (request, reply) => this.#glance(request, reply);
    return access.gate === 'basic' ? (request, reply) => this.#basic(request, reply) : undefined;
  }

  /** Counts a request for public data: an address has a large quota. @throws QuotaExceeded */
  open(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return stampedSlowly(reply, this.#parts.limits.countOpen(countedAddress(request.ip)));
  }

  /** Counts a request without a valid credential: an address has a small quota. @throws QuotaExceeded */
  limitAnonymous(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return stampedSlowly(reply, this.#parts.limits.countUnauthenticated(countedAddress(request.ip)));
  }

  /** Answers where no route exists. Below /api the token is checked first, so that anonymous clients learn nothing. */
  async nothingHere(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const path = pathOf(request);
    if (path.startsWith('/api/')) {
      await this.#tenant(request, reply, 'property.read');
    } else await this.open(request, reply);
    const allowed = this.#methods.of(path);
    if (allowed.length === 0) throw new DomainError('ROUTE_NOT_FOUND', `No route matches ${path}.`);
    reply.header('allow', allowed.join(', '));
    throw new DomainError('METHOD_NOT_ALLOWED', `Allowed: ${allowed.join(', ')}.`);
  }

  /** Counts what an admitted request is worth beyond one. @throws QuotaExceeded */
  async countMore(request: FastifyRequest, reply: FastifyReply, more: number): Promise<void> {
    if (more < 1 || request.caller === null || request.requestScope?.admitted) return;
    const { limits } = this.#parts;
    const { issuer, subject } = await this.#identify(request, reply);
    const { tenantId } = request.caller;
    stampedReply(reply, () => limits.countSubject(`${issuer}|${subject}`, more));
    stampedReply(reply, () => limits.countTenant(tenantId, more));
  }

  /** Waits where the tenant has its share of requests in progress. @throws DomainError QUOTA_EXCEEDED */
  waitForShare(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { share } = this.#parts;
    // The node that received a request has counted it; two that wait for each other would wait for ever.
    if (!share || request.caller === null || request.requestScope?.admitted) return undefined;
    const place = share.enter(request.caller.tenantId);
    let isBegun = place.begun === undefined;
    let isGone = reply.raw.destroyed;
    let isAnswered = false;
    let isLeft = false;
    const leave = (): void => {
      // What was begun goes on without its client, and counts until then: who hangs up would have no bound.
      if (isLeft || !isGone || (isBegun && !isAnswered)) return;
      isLeft = true;
      place.end();
    };
    // A connection that is gone already does not close again.
    if (isGone) leave();
    reply.raw.once('close', () => {
      isGone = true;
      leave();
    });
    request.answered = () => {
      isAnswered = true;
      leave();
    };
    return place.begun?.then(() => void (isBegun = true));
  }

  /** At once for a token and a user that are known, as those of nearly all requests are. */
  #tenant(request: FastifyRequest, reply: FastifyReply, permission: Permission): Caller | Promise<Caller> {
    const identity = this.#identify(request, reply);
    const named = (one: Identity): Caller | Promise<Caller> => this.#callerOf(one, request, reply, permission);
    return identity instanceof Promise ? identity.then(named) : named(identity);
  }

  #callerOf(
    identity: Identity,
    request: FastifyRequest,
    reply: FastifyReply,
    permission: Permission,
  ): Caller | Promise<Caller> {
    const { authenticator, limits } = this.#parts;
    stampedReply(reply, () => limits.countSubject(`${identity.issuer}|${identity.subject}`));
    const tenantId = tenantOf(request);
    sameTenant(request, tenantId);
    const counted = (caller: Caller): Caller => {
      stampedReply(reply, () => limits.countTenant(tenantId));
      return caller;
    };
    const caller = authenticator.callerFor(identity, tenantId, request.id, permission);
    return caller instanceof Promise ? caller.then(counted) : counted(caller);
  }

  /** An agent's request; errors name the document that says where its token comes from (RFC 9728). */
  async #agent(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { publicUrl, corsOrigins = [] } = this.#parts;
    request.agentResource = metadataUrl(publicUrl, request);
    demandOrigin(request, corsOrigins);
    demandAgent(await this.#identify(request, reply));
    request.caller = await this.#tenant(request, reply, 'agent.act');
  }

  async #operator(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const identity = await this.#identify(request, reply);
    if (!isOperator(identity)) {
      throw new DomainError('ROLE_TOO_LOW', `This needs a token with scope ${OPERATE_SCOPE}.`);
    }
    request.operator = { subject: identity.subject.slice(0, MAX_SUBJECT), requestId: request.id };
  }

  async #monitor(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { open = false, token } = this.#parts.monitoring ?? {};
    if (open || (token !== undefined && equalSecrets(request.headers.authorization ?? '', `Bearer ${token}`))) return;
    await this.#operator(request, reply);
  }

  async #steer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#parts.monitoring?.open !== true) await this.#operator(request, reply);
  }

  async #glance(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const asks = this.#parts.monitoring?.open === true || request.headers.authorization !== undefined;
    request.trusted =
      asks &&
      (await this.#monitor(request, reply).then(
        () => true,
        () => false,
      ));
  }

  async #basic(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.challenge = 'Basic';
    await this.#countFailures(request, reply, async () => demandBasic(request, this.#parts.basic));
  }

  #identify(request: FastifyRequest, reply: FastifyReply): Identity | Promise<Identity> {
    const { authenticator } = this.#parts;
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      demandOneAuthorization(request);
      const known = authenticator.knownBearer(authorization, request.raw.socket);
      if (known !== undefined) return known;
    }
    return this.#countFailures(request, reply, async () => {
      return this.#gate.identify(bearerOf(request), countedAddress(request.ip));
    });
  }

  /** Counts a failed credential against the quota of its address. */
  async #countFailures<T>(request: FastifyRequest, reply: FastifyReply, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (refused) {
      // A `limit` error means that too many tokens wait for verification.
      const unknown = refused instanceof DomainError && ['unauthenticated', 'limit'].includes(refused.kind);
      if (unknown) await this.limitAnonymous(request, reply);
      throw refused;
    }
  }
}

const isOperator = (identity: Identity): boolean => identity.scopes.includes(OPERATE_SCOPE) && !isNarrow(identity);

/** Whether a browser requests a page without a token, or with Basic credentials typed into its dialog. */
function isBrowserWithoutToken({ headers: { accept = '', authorization } }: FastifyRequest): boolean {
  return accept.includes('text/html') && (authorization === undefined || /^Basic /i.test(authorization));
}

/** Counts, and sets the headers of the quota on the answer, whatever the result. @throws QuotaExceeded */
export function stampedReply(reply: FastifyReply, count: () => Quota | undefined): void {
  try {
    stampCounted(reply, count());
  } catch (refused) {
    if (refused instanceof QuotaExceeded) stampLimit(reply, refused.quota);
    throw refused;
  }
}

/** The same for quotas of addresses, whose errors may be delayed. */
export async function stampedSlowly(reply: FastifyReply, counted: Promise<Quota | undefined>): Promise<void> {
  try {
    stampCounted(reply, await counted);
  } catch (refused) {
    if (!(refused instanceof QuotaExceeded)) throw refused;
    stampLimit(reply, refused.quota);
    await slowDown(refused);
    throw refused;
  }
}
