import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { answerTag } from '../../src/kernel/operations/state-tag.ts';
import type { PropertyView } from '../../src/kernel/property-actors.ts';
import type { Address, Caller } from '../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../src/kernel/rules/ids.ts';
import { addTiming, stampEtag, stampSeq } from '../http/exchange.ts';
import { type Idempotency, idempotencyOf } from '../http/idempotency.ts';
import { parameterFrom } from '../http/parameters.ts';
import { callerOf, reading } from '../http/route.ts';
import { heldTagsOf, stampHeld, stampNotModified } from '../http/validators.ts';
import { answerBytes } from './held-answers.ts';

/** Injection token of the operations' services. */
export const SERVICES = Symbol('services');

/** Stamps of an actor's answer: its `seq`, and whether it is a replayed idempotency record. */
type Stamps = { seq?: number; replayed?: boolean };

/** Headers of an answer; the handler returns its body. */
export class HttpResponse {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  /** Awaits an actor's answer, stamps it, and adds its duration (docs/reference/api.md#every-answer). */
  actor<T extends object>(work: Promise<T>): Promise<T> {
    return this.#timed('actor', work);
  }

  /** Awaits a database read, stamps it, and adds its duration. */
  db<T extends object | undefined>(work: Promise<T>): Promise<T> {
    return this.#timed('db', work);
  }

  /** Sets the answer's headers: its `seq`, if any, and whether it is a replay (docs/reference/api.md#idempotency). */
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

  /** Tags of the answers that the client holds. */
  heldTags(): readonly string[] {
    return heldTagsOf(this.#request);
  }

  /** Lets the client hold an answer of which another copy differs in bytes; 304 where it holds it already. */
  held(tag: string, isHeld: boolean): void {
    stampHeld(this.#reply, `W/"${tag}"`);
    if (isHeld) stampNotModified(this.#reply);
  }

  /**
   * An answer that follows from a state of a property and from the request alone: encoded once, and 304 without a body
   * where the client holds it (docs/reference/api.md#held-answers).
   */
  ofState(state: PropertyView, write: () => string): Buffer | undefined {
    const tag = answerTag(state, this.#request.url);
    stampHeld(this.#reply, `"${tag}"`);
    if (!this.heldTags().includes(tag)) return answerBytes(tag, write);
    stampNotModified(this.#reply);
    return undefined;
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

/** Caller of a read, and the headers of its answer. */
export type Read = { caller: Caller; response: HttpResponse };

/** Caller of a write, and its idempotency key. */
export type Write = Read & { key: Idempotency | undefined };

/** A read of the property that the path names. */
export type PropertyRead = Read & { to: Address };

/** A write to the property that the path names. */
export type PropertyWrite = Write & { to: Address };

/** Gives the handler its {@link HttpResponse}. */
export const TheResponse = parameterFrom((context) => exchangeOf(context).response);

/** Gives the handler its {@link Read}; only on routes with `@Needs`. */
export const TheRead = parameterFrom((context): Read => {
  const { request, response } = exchangeOf(context);
  return { caller: callerOf(request), response };
});

/** Gives the handler its {@link Write}; only on routes with `@Needs`. */
export const TheWrite = reading(['Idempotency-Key'], (context): Write => {
  const { request, response } = exchangeOf(context);
  return { caller: callerOf(request), key: idempotencyOf(request), response };
});

/** Gives the handler its {@link PropertyRead}; only on routes with `@Needs` and `:propertyId`. */
export const ThePropertyRead = parameterFrom((context): PropertyRead => {
  const { request, response } = exchangeOf(context);
  return { caller: callerOf(request), to: propertyOf(request), response };
});

/** Gives the handler its {@link PropertyWrite}; only on routes with `@Needs` and `:propertyId`. */
export const ThePropertyWrite = reading(['Idempotency-Key'], propertyWriteOf);

export function propertyWriteOf(context: ExecutionContext): PropertyWrite {
  const { request, response } = exchangeOf(context);
  return { caller: callerOf(request), to: propertyOf(request), key: idempotencyOf(request), response };
}

function propertyOf(request: FastifyRequest): Address {
  const { propertyId } = request.params as { propertyId: PropertyId };
  return { tenantId: callerOf(request).tenantId, propertyId };
}

/** The request of a handler, and its {@link HttpResponse}. */
export function exchangeOf(context: ExecutionContext): { request: FastifyRequest; response: HttpResponse } {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  return { request, response: new HttpResponse(request, http.getResponse<FastifyReply>()) };
}
