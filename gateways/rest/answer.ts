import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Caller } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { addTiming, stampEtag, stampSeq } from '../http/exchange.ts';
import { type Idempotency, idempotencyOf } from '../http/idempotency.ts';
import { callerOf } from '../http/route.ts';

/** Injection token of the operations' services. */
export const SERVICES = Symbol('services');

/** What an answer of an actor says beside its result: its position, and whether it is an idempotency record. */
type Stamps = { seq?: number; replayed?: boolean };

/** The headers of an answer, while its body is what the handler returns. */
export class HttpResponse {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  /** Waits for an actor, stamps what it answers, and says how long it took (docs/reference/api.md#every-answer). */
  actor<T extends object>(work: Promise<T>): Promise<T> {
    return this.#timed('actor', work);
  }

  /** The same of what is read from the database. */
  db<T extends object | undefined>(work: Promise<T>): Promise<T> {
    return this.#timed('db', work);
  }

  /**
   * Headers of an answer: the position that it was made of, where it has one, and whether it was kept and is given
   * again (docs/reference/api.md#idempotency).
   */
  stamp<T extends object | undefined>(answer: T): T {
    const { seq, replayed }: Stamps = answer ?? {};
    if (seq !== undefined) stampSeq(this.#reply, seq);
    if (replayed) this.header('idempotency-replayed', 'true');
    return answer;
  }

  /** `ETag` of an answer about one reservation (docs/reference/api.md#versions). */
  version({ version }: { version: number }): void {
    stampEtag(this.#reply, version);
  }

  header(name: string, value: string): void {
    this.#reply.header(name, value);
  }

  status(code: number): void {
    this.#reply.status(code);
  }

  /** `{items, nextCursor}` with the next page as a link (docs/reference/api.md#lists). */
  list<T>(items: T[], nextCursor: string | undefined): { items: T[]; nextCursor: string | null } {
    if (nextCursor !== undefined) {
      const [path, query] = this.#request.url.split('?', 2);
      const parameters = new URLSearchParams(query);
      parameters.set('cursor', nextCursor);
      this.header('link', `<${path}?${parameters.toString()}>; rel="next"`);
    }
    return { items, nextCursor: nextCursor ?? null };
  }

  async #timed<T extends object | undefined>(part: 'actor' | 'db', work: Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return this.stamp(await work);
    } finally {
      addTiming(this.#reply, part, performance.now() - began);
    }
  }
}

/** Who reads in a tenant, and what is said of the answer. */
export type Read = { caller: Caller; response: HttpResponse };

/** Who writes in a tenant, under which key. */
export type Write = Read & { key: Idempotency | undefined };

/** Gives the handler its {@link HttpResponse}. */
export const TheResponse = createParamDecorator(
  (_: unknown, context: ExecutionContext) => exchangeOf(context).response,
);

/** Gives the handler its {@link Read}; only on routes with `@Needs`. */
export const TheRead = createParamDecorator((_: unknown, context: ExecutionContext): Read => {
  const { request, response } = exchangeOf(context);
  return { caller: callerOf(request), response };
});

/** Gives the handler its {@link Write}; only on routes with `@Needs`. */
export const TheWrite = createParamDecorator((_: unknown, context: ExecutionContext): Write => {
  const { request, response } = exchangeOf(context);
  return { caller: callerOf(request), key: idempotencyOf(request), response };
});

function exchangeOf(context: ExecutionContext): { request: FastifyRequest; response: HttpResponse } {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  return { request, response: new HttpResponse(request, http.getResponse<FastifyReply>()) };
}

/** The version that `If-Match` names; `undefined` without the header or for `*`. @throws DomainError STALE_VERSION */
export function ifMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const match = /^"(\d{1,9})"$/.exec(header.trim());
  if (!match) throw new DomainError('STALE_VERSION', 'If-Match is not an ETag of ours.');
  return Number(match[1]);
}
