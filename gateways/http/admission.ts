import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../src/domain/caller.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { type Identity, OPERATE_SCOPE } from '../auth/identity.ts';
import type { Permission } from '../auth/permissions.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import {
  type BasicCredentials,
  bearerOf,
  demandBasic,
  demandOneAuthorization,
  equalSecrets,
  sameTenant,
  tenantOf,
} from './credentials.ts';
import { pathOf } from './exchange.ts';
import { type Quota, QuotaRefusal, type RateLimits, stampCounted, stampLimit } from './rate-limit.ts';
import type { Access } from './route.ts';

export type AdmissionParts = {
  authenticator: Authenticator;
  limits: RateLimits;
  basic?: BasicCredentials;
  /** Who may see metrics and details of health beside operators; nobody when absent. */
  monitoring?: { open: boolean; token?: string };
};

/** What a journal keeps of a name. */
const MAX_SUBJECT = 100;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * The checks before a body is read, in the order of contracts.md 3: token, tenant header, tenant, role. They run in
 * `onRequest` hooks, so a stranger's 10 MB are never parsed.
 */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #methods: AllowedMethods;

  constructor(parts: AdmissionParts, methods: AllowedMethods) {
    this.#parts = parts;
    this.#methods = methods;
  }

  /** The hook of a route; `undefined` where everybody may pass. */
  hookFor(access: Access): Hook | undefined {
    if (access.gate === 'tenant') {
      const { permission, isCostly, orBasic } = access;
      return async (request, reply) => {
        if (orBasic && isBrowserWithoutToken(request)) return this.#basic(request, reply);
        const caller = await this.#tenant(request, reply, permission);
        if (isCostly) await stamped(reply, this.#parts.limits.countCostly(caller.tenantId));
        request.caller = caller;
      };
    }
    if (access.gate === 'link')
      return (request, reply) => stamped(reply, this.#parts.limits.countUnauthenticated(request.ip));
    if (access.gate === 'operator') return (request, reply) => this.#operator(request, reply);
    if (access.gate === 'monitor') return (request, reply) => this.#monitor(request, reply);
    if (access.gate === 'steer') return (request, reply) => this.#steer(request, reply);
    if (access.gate === 'glance') return (request, reply) => this.#glance(request, reply);
    return access.gate === 'basic' ? (request, reply) => this.#basic(request, reply) : undefined;
  }

  /** The answer where no route is: below /api strangers learn nothing, so the token comes first there too. */
  async nothingHere(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const path = pathOf(request);
    if (path.startsWith('/api/')) {
      await this.#tenant(request, reply, 'property.read');
    }
    const allowed = this.#methods.of(path);
    if (allowed.length === 0) throw new Refusal('ROUTE_NOT_FOUND', 'Nothing has this path.');
    reply.header('allow', allowed.join(', '));
    throw new Refusal('METHOD_NOT_ALLOWED', `Here one may ${allowed.join(', ')}.`);
  }

  async #tenant(request: FastifyRequest, reply: FastifyReply, permission: Permission): Promise<Caller> {
    const { authenticator, limits } = this.#parts;
    const identity = await this.#identify(request, reply);
    await stamped(reply, limits.countSubject(`${identity.issuer}|${identity.subject}`));
    const tenantId = tenantOf(request);
    sameTenant(request, tenantId);
    const caller = await authenticator.callerFor(identity, tenantId, request.id, permission);
    await stamped(reply, limits.countTenant(tenantId));
    return caller;
  }

  async #verified(token: string, address: string): Promise<Identity> {
    try {
      return await this.#parts.authenticator.identify(token);
    } catch (refused) {
      await this.#parts.limits.countBadToken(address);
      throw refused;
    }
  }

  async #operator(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const identity = await this.#identify(request, reply);
    if (!identity.scopes.includes(OPERATE_SCOPE)) {
      throw new Refusal('ROLE_TOO_LOW', `This needs a token with scope ${OPERATE_SCOPE}.`);
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
    const { authenticator, limits } = this.#parts;
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      demandOneAuthorization(request);
      const known = authenticator.knownBearer(authorization, request.raw.socket);
      if (known !== undefined) return known;
    }
    return this.#countFailures(request, reply, async () => {
      const token = bearerOf(request);
      await stamped(reply, limits.beforeUnknownToken(request.ip));
      return this.#verified(token, request.ip);
    });
  }

  /** Whoever comes without a valid credential uses up the share of their address. */
  async #countFailures<T>(request: FastifyRequest, reply: FastifyReply, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (refused) {
      const unknown = refused instanceof Refusal && refused.kind === 'unauthenticated';
      if (unknown) await stamped(reply, this.#parts.limits.countUnauthenticated(request.ip));
      throw refused;
    }
  }
}

/** It wants a page, and has at most what somebody has typed into its own window. */
function isBrowserWithoutToken({ headers: { accept = '', authorization } }: FastifyRequest): boolean {
  return accept.includes('text/html') && (authorization === undefined || /^Basic /i.test(authorization));
}

/** Waits for a limit, and puts what it says on the answer, whatever that will be. */
async function stamped(reply: FastifyReply, counted: Promise<Quota | undefined>): Promise<void> {
  try {
    stampCounted(reply, await counted);
  } catch (refused) {
    if (refused instanceof QuotaRefusal) stampLimit(reply, refused.quota);
    throw refused;
  }
}
