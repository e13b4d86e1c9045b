import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';

import type { Address } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { NotServed, pauseOf, SEARCH_MS } from '../../src/kernel/rules/owner-search.ts';
import {
  LinkLost,
  type Member,
  NotOwner,
  type Placement,
  type RequestScope,
  type RequestScopes,
} from '../../src/platform/coordination/ports.ts';
import type { Forwarding, ForwardTarget } from '../http/app.ts';
import { addTiming, traceparentOf } from '../http/exchange.ts';
import type { ForwardedAnswer, ForwardedRequest } from './node-call.ts';
import type { NodeRpc } from './node-rpc.ts';
import type { TcpLinks } from './tcp-links.ts';

/** Request headers that the answer depends on; the receiving node adds the caller. */
const FORWARDED_HEADERS =
  `accept accept-language content-type idempotency-key if-match if-none-match x-tenant-id x-property-id
  mcp-protocol-version mcp-method mcp-name`.split(/\s+/);
/** Answer headers that the receiving node sets itself. */
const OWN = new Set(
  'connection content-length date keep-alive traceparent transfer-encoding x-request-id'.split(' '),
);

/** Status for a forwarding node when the property has another owner; never sent to clients. */
const NOT_OWNER_STATUS = 421;

type RequestForwarderOptions = {
  placement: Placement;
  links: TcpLinks;
  requestScopes: RequestScopes;
  /** Knows which properties this node owns. */
  nodeRpc: NodeRpc;
  production: boolean;
};

/**
 * Forwards requests to the node that owns their property: this node authenticates the caller, the owner runs the
 * request. Retried are only requests that have not run or may run twice: reads, and requests with a key
 * (docs/concepts/cluster.md#request-forwarding).
 */
export class RequestForwarder {
  readonly #options: RequestForwarderOptions;
  readonly #apps = new Map<ForwardedRequest['service'], FastifyInstance>();

  constructor(options: RequestForwarderOptions) {
    this.#options = options;
  }

  /** Registers the app that answers forwarded requests of a service. */
  registerApp(service: ForwardedRequest['service'], app: FastifyInstance): void {
    this.#apps.set(service, app);
  }

  /** Request forwarding for one service. */
  of(service: ForwardedRequest['service']): Forwarding {
    const { requestScopes, placement, production } = this.#options;
    return {
      requestScopes,
      ...(!production && { nodeId: placement.self.nodeId }),
      forwardTarget: (to) => this.#forwardTarget(to),
      send: (request, reply, others) => this.send(service, request, reply, others),
    };
  }

  /** Answers a client's request with the owner's answer. @throws DomainError when no owner answers in time */
  async send(
    service: ForwardedRequest['service'],
    request: FastifyRequest,
    reply: FastifyReply,
    { to, holder }: ForwardTarget,
  ): Promise<void> {
    const scope = request.requestScope;
    if (scope?.admitted && !scope.relay) {
      if (holder) scope.holder = holder;
      void reply.code(NOT_OWNER_STATUS).send('');
      return;
    }
    const began = performance.now();
    const forwarded = { ...forwardedRequestOf(service, request), to };
    const answer = await this.#answered(forwarded, { mayRelay: !scope?.relay, holder });
    for (const [name, value] of Object.entries(answer.headers)) if (!OWN.has(name)) reply.header(name, value);
    addTiming(reply, 'node', performance.now() - began);
    void reply.code(answer.status).send(answer.body === '' ? undefined : answer.body);
  }

  /** Answers a request that another node has forwarded. @throws NotOwner when another node owns its property */
  async serve(forwarded: ForwardedRequest): Promise<ForwardedAnswer> {
    const { service, method, url, headers, body, admitted, relay } = forwarded;
    const scope: RequestScope = { begun: false, admitted, ...(relay && { relay }) };
    const app = this.#apps.get(service);
    if (!app) throw new NotServed();
    // Awaited within the request scope: `inject` starts nothing before it is awaited.
    const answer = await this.#options.requestScopes
      .run(scope, async () => {
        return await app.inject({
          method: method as 'GET',
          url,
          headers,
          ...(body !== undefined && { payload: body }),
        });
      })
      .catch((error: unknown) => {
        // The app is closing, and its properties are about to be released: the request was not processed.
        if (isClosing(error)) throw new NotOwner(this.#options.placement.view.version, scope.holder);
        throw error;
      });
    if (answer.statusCode === NOT_OWNER_STATUS)
      throw new NotOwner(this.#options.placement.view.version, scope.holder);
    return { status: answer.statusCode, headers: presentOf(answer.headers), body: answer.payload };
  }

  #forwardTarget(to: Address): ForwardTarget | undefined {
    return this.#options.nodeRpc.properties?.isMine(to) === false ? { to } : undefined;
  }

  async #answered(forwarded: ForwardedRequest, { mayRelay, holder }: Way): Promise<ForwardedAnswer> {
    const { placement } = this.#options;
    const isRead = forwarded.method === 'GET';
    const isRepeatable = isRead || forwarded.headers['idempotency-key'] !== undefined;
    const until = performance.now() + SEARCH_MS;
    let mayHaveRun = false;
    for (let tries = 0; ; tries++) {
      try {
        const answer = await this.#ask(forwarded, { mayRelay, holder });
        if (mayHaveRun && isNotExecuted(answer)) throw outcomeUnknown();
        return answer;
      } catch (error) {
        const isLost = error instanceof LinkLost;
        mayHaveRun ||= isLost && error.mayHaveRun && !isRead;
        if (mayHaveRun && !isRepeatable) throw outcomeUnknown();
        const isOver = performance.now() > until || !(isLost || error instanceof NotOwner);
        // NOT_EXECUTED is only said when it is true of every attempt.
        if (isOver && mayHaveRun && !isDecided(error)) throw outcomeUnknown();
        if (isOver) throw isLost || error instanceof NotOwner ? new NotServed() : error;
        holder = error instanceof NotOwner ? error.holder : undefined;
        // The answer names the holder: the property is moving to another node.
        if (holder) continue;
        if (error instanceof NotOwner) await placement.refresh(error.viewVersion);
      }
      await pause(pauseOf(tries));
    }
  }

  async #ask(forwarded: ForwardedRequest, { mayRelay, holder }: Way): Promise<ForwardedAnswer> {
    const { placement, links } = this.#options;
    const owner = holder ?? placement.ownerOf(forwarded.to);
    // No node owns shards at the moment: after a hanging database, nodes come back one by one.
    if (!owner) throw new NotOwner(placement.view.version + 1);
    if (owner.nodeId === placement.self.nodeId) return this.serve(forwarded);
    try {
      return await links.request(owner, forwarded);
    } catch (error) {
      const other = mayRelay && error instanceof LinkLost && !error.mayHaveRun ? this.#other(owner) : undefined;
      if (!other) throw error;
      return links.request(other, { ...forwarded, relay: true });
    }
  }

  /** A third node that may reach the owner when this one cannot. */
  #other(owner: Member): Member | undefined {
    const { placement, links } = this.#options;
    return placement.view.members.find(
      (member) => member.nodeId !== owner.nodeId && member.nodeId !== placement.self.nodeId && links.reaches(member),
    );
  }
}

/** The target: the holder, where known, else the node of the view; through a third node where allowed. */
type Way = { mayRelay: boolean; holder: Member | undefined };

function forwardedRequestOf(
  service: ForwardedRequest['service'],
  request: FastifyRequest,
): Omit<ForwardedRequest, 'to'> {
  const { method, url, headers, body, caller, operator, id } = request;
  const forwardedHeaders = FORWARDED_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  // A form has been read; the owner gets its fields as JSON.
  if (isForm(headers)) forwardedHeaders.push(['content-type', 'application/json']);
  return {
    // For HEAD this node drops the body and sends its length.
    service,
    method: method === 'HEAD' ? 'GET' : method,
    url,
    headers: { ...Object.fromEntries(forwardedHeaders), 'x-request-id': id, traceparent: traceparentFor(request) },
    ...(body !== undefined &&
      body !== null && { body: isCsv(headers) && typeof body === 'string' ? body : JSON.stringify(body) }),
    admitted: { ...(caller && { caller }), ...(operator && { operator }) },
  };
}

/** The owner's spans are children of this request's span, if it is traced. */
function traceparentFor({ operation, span, headers, id }: FastifyRequest): string {
  return operation?.traceparent ?? span?.traceparent ?? traceparentOf(headers, id);
}

/** Whether the error is that of an app that is closing or closed. */
function isClosing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_REOPENED_CLOSE_SERVER';
}

/** Whether the answer says that nothing was done. */
function isNotExecuted({ status, body }: ForwardedAnswer): boolean {
  return status === 503 && (JSON.parse(body) as { code?: string }).code === 'NOT_EXECUTED';
}

/** Whether an error is about the request itself, not only about its execution. */
function isDecided(error: unknown): boolean {
  return error instanceof DomainError && error.code !== 'NOT_EXECUTED';
}

function presentOf(headers: Record<string, unknown>): ForwardedAnswer['headers'] {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}

function outcomeUnknown(): DomainError {
  return new DomainError('OUTCOME_UNKNOWN', 'The node of the property was lost while it worked.', {
    retryAfterSeconds: 1,
  });
}

const isForm = ({ 'content-type': type = '' }: FastifyRequest['headers']): boolean =>
  type.toLowerCase().startsWith('application/x-www-form-urlencoded');

/** Text that is not JSON travels as it came. */
const isCsv = ({ 'content-type': type = '' }: FastifyRequest['headers']): boolean =>
  type.toLowerCase().startsWith('text/csv');
