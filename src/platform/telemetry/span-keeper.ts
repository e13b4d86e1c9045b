import { randomBytes } from 'node:crypto';

import type { EndedSpan, OpenSpan, SpanFacts, SpanKind, TraceParent, Tracer } from '../../kernel/ports.ts';
import type { RetainedRequest, RetainedSpan } from '../coordination/ports.ts';

/** Retained requests of each kind: the slowest of the last hour, and the newest that failed. */
const MAX_RETAINED = 50;
/** Of each route the slowest, too: what is often read would hide the rest. */
const MAX_OF_ROUTE = 3;
const MAX_ROUTES = 500;
const KEEP_MS = 3_600_000;
/** Spans of one request, and requests under way whose spans are collected. */
const MAX_SPANS = 100;
const MAX_OPEN = 4_096;

/** A request under way; the ids of its spans are its places in the index. */
type Open = { id: string; from: number; exported: boolean; spans: Span[] };
type Span = { id: string; parent?: string; name: string; from: number; to: number; facts?: SpanFacts };

/** Reads of operators would otherwise fill the list of a quiet node. */
const OF_OPERATORS = / \/(ops|actuator)(\/|$)/;

const PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Keeps the spans of slow and of failed requests in memory, beside the tracer that exports them, if there is one
 * (docs/operations/health.md#slow-requests). A quick request costs a few objects that are dropped at its end.
 */
export class SpanKeeper implements Tracer {
  readonly #exporter: Tracer | undefined;
  readonly #now: () => number;
  /** Requests under way, by the ids of their spans: several requests of one client may have one trace. */
  readonly #open = new Map<string, Open>();
  #requests = 0;
  readonly #slow = new Slowest(MAX_RETAINED);
  readonly #routes = new Map<string, Slowest>();
  #failed: RetainedRequest[] = [];
  /** Ids of spans of this process: random, then counted. */
  readonly #salt = randomBytes(4).toString('hex');
  #spans = 0;

  /** @param now milliseconds since 1970, for the time of a request */
  constructor(exporter?: Tracer, now: () => number = Date.now) {
    this.#exporter = exporter;
    this.#now = now;
  }

  open(name: string, kind: SpanKind, parent?: TraceParent, trace?: string): OpenSpan | undefined {
    const request = kind === 'server' ? this.#begin() : this.#of(parent);
    const exported = request === undefined || kind === 'server' || request.exported;
    const inner = exported ? this.#exporter?.open(name, kind, parent) : undefined;
    if (request === undefined) return inner;
    if (kind === 'server') request.exported = inner !== undefined;
    const traceparent =
      inner?.traceparent ?? (kind === 'server' ? this.#place(parent, trace) : this.#within(parent!));
    const span = this.#add(request, { id: spanIdOf(traceparent), name, from: performance.now(), to: 0 }, parent);
    if (kind === 'server') request.id = span?.id ?? '';
    return {
      traceparent,
      end: (facts, failed) => {
        inner?.end(facts, failed);
        if (span) {
          span.to = performance.now();
          span.facts = facts;
        }
        if (kind === 'server') this.#end(request, failed === true);
      },
    };
  }

  record(span: EndedSpan): TraceParent {
    const request = this.#of(span.parent);
    const exports = this.#exporter !== undefined && (request === undefined || request.exported);
    const traceparent = exports ? this.#exporter.record(span) : this.#place(span.parent);
    const { name, parent, from, to, facts } = span;
    if (request) this.#add(request, { id: spanIdOf(traceparent), name, from, to, facts }, parent);
    return traceparent;
  }

  note(requestId: string, at: TraceParent): void {
    if (this.#of(at)?.exported !== false) this.#exporter?.note(requestId, at);
  }

  noted(requestId: string): TraceParent | undefined {
    return this.#exporter?.noted(requestId);
  }

  /** The slowest requests of the last hour, slowest first, and those that failed. */
  retained(): RetainedRequest[] {
    const since = this.#now() - KEEP_MS;
    const slow = [this.#slow, ...this.#routes.values()].flatMap(({ requests }) => requests);
    const all = new Set([...slow, ...this.#failed].filter(({ at }) => at >= since));
    return [...all].toSorted((a, b) => b.ms - a.ms);
  }

  #begin(): Open | undefined {
    if (this.#requests >= MAX_OPEN) return undefined;
    this.#requests += 1;
    return { id: '', from: performance.now(), exported: false, spans: [] };
  }

  #of(at: TraceParent | undefined): Open | undefined {
    return at === undefined ? undefined : this.#open.get(spanIdOf(at));
  }

  #add(request: Open, span: Span, parent: TraceParent | undefined): Span | undefined {
    if (request.spans.length >= MAX_SPANS) return undefined;
    if (request.spans.length > 0 && parent !== undefined) span.parent = spanIdOf(parent);
    request.spans.push(span);
    this.#open.set(span.id, request);
    return span;
  }

  #end(request: Open, failed: boolean): void {
    this.#requests -= 1;
    for (const { id } of request.spans) this.#open.delete(id);
    const route = request.spans[0]?.name ?? '';
    if (OF_OPERATORS.test(route)) return;
    const ms = performance.now() - request.from;
    const since = this.#now() - KEEP_MS;
    const lists = [this.#slow, this.#ofRoute(route)].filter((list) => list?.takes(ms, since) === true);
    if (lists.length === 0 && !failed) return;
    const retained = this.#retain(request, ms, failed);
    if (failed) this.#failed = [...this.#failed.slice(1 - MAX_RETAINED), retained];
    for (const list of lists) list!.add(retained, since);
  }

  #ofRoute(route: string): Slowest | undefined {
    const known = this.#routes.get(route);
    if (known || this.#routes.size >= MAX_ROUTES) return known;
    const list = new Slowest(MAX_OF_ROUTE);
    this.#routes.set(route, list);
    return list;
  }

  #retain({ id, from, spans }: Open, ms: number, failed: boolean): RetainedRequest {
    const retained = spans.map(({ id: spanId, parent, name, from: start, to, facts = {} }) => ({
      id: spanId,
      ...(parent !== undefined && { parent }),
      name,
      startMs: Math.max(0, start - from),
      ms: Math.max(0, (to === 0 ? from + ms : to) - start),
      facts: Object.fromEntries(
        Object.entries(facts).filter(([, value]) => value !== undefined),
      ) as RetainedSpan['facts'],
    }));
    return { id, at: this.#now() - ms, ms, failed, spans: retained };
  }

  /** A place in the trace of the parent, or in one that begins here. */
  #place(parent: TraceParent | undefined, trace?: string): TraceParent {
    const match = parent === undefined ? null : PARENT.exec(parent);
    const [, traceId = trace ?? randomBytes(16).toString('hex'), , flags = '00'] = match ?? [];
    return `00-${traceId}-${this.#spanId()}-${flags}`;
  }

  /** A place below one of this process, which need not be checked. */
  #within(parent: TraceParent): TraceParent {
    return `${parent.slice(0, 36)}${this.#spanId()}${parent.slice(52)}`;
  }

  #spanId(): string {
    this.#spans = (this.#spans + 1) % 0xffffffff;
    return this.#salt + this.#spans.toString(16).padStart(8, '0');
  }
}

/** The slowest requests since a time, slowest first. */
class Slowest {
  readonly #limit: number;
  /** Time of the oldest. */
  #oldest = 0;
  requests: RetainedRequest[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a request of so many milliseconds belongs in it. */
  takes(ms: number, since: number): boolean {
    return this.requests.length < this.#limit || this.#oldest < since || ms > this.requests.at(-1)!.ms;
  }

  add(request: RetainedRequest, since: number): void {
    const all = [...this.requests.filter(({ at }) => at >= since), request];
    this.requests = all.sort((a, b) => b.ms - a.ms).slice(0, this.#limit);
    this.#oldest = Math.min(...this.requests.map(({ at }) => at));
  }
}

/** `00-` and 32 digits of the trace come before. */
const spanIdOf = (at: TraceParent): string => at.slice(36, 52);
