import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { LRUCache } from 'lru-cache';

import type {
  EndedSpan,
  Log,
  OpenSpan,
  SpanFacts,
  SpanKind as Kind,
  TraceParent,
  Tracer,
} from '../../kernel/ports.ts';

/** Spans waiting to be sent; further ones are dropped, so that an unavailable collector does not use up memory. */
const MAX_WAITING = 8_192;
const MAX_AT_ONCE = 512;
const SEND_EVERY_MS = 1_000;
const SEND_WITHIN_MS = 5_000;
/** How long the end of the process waits for unsent spans. */
const END_WITHIN_MS = 1_000;
/** Requests with remembered spans, and for how long: the relay publishes them within a moment, or much later. */
const MAX_NOTED = 20_000;
const NOTED_MS = 300_000;
/** Interval of log lines about an unavailable collector. */
const COMPLAIN_EVERY_MS = 60_000;

const KINDS: Record<Kind, SpanKind> = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

type OtelSettings = {
  /** An OTLP/HTTP collector; the console without one. */
  endpoint: string | undefined;
  service: string;
  /** Sampled fraction of traces, by trace id: all nodes decide alike. */
  ratio: number;
  log: Log;
};

/**
 * Spans by OpenTelemetry. Parents are passed explicitly and travel with commands and records: asynchronous context
 * would cost every request, traced or not.
 */
export class OtelTracer implements Tracer, AsyncDisposable {
  readonly #provider: TracerProvider;
  readonly #tracer: ReturnType<TracerProvider['getTracer']>;
  readonly #noted = new LRUCache<string, TraceParent>({ max: MAX_NOTED, ttl: NOTED_MS });

  constructor({ endpoint, service, ratio, log }: OtelSettings) {
    const sampler = new TraceIdRatioBasedSampler(ratio);
    const exporter =
      endpoint === undefined ? new ConsoleSpanExporter() : complaining(new OTLPTraceExporter(toward(endpoint)), log);
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service }),
      sampler: new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: MAX_WAITING,
          maxExportBatchSize: MAX_AT_ONCE,
          scheduledDelayMillis: SEND_EVERY_MS,
          exportTimeoutMillis: SEND_WITHIN_MS,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('innkeeper');
  }

  open(name: string, kind: Kind, parent?: TraceParent): OpenSpan | undefined {
    const startTime = epochOf(performance.now());
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], startTime }, contextOf(parent));
    if (!span.isRecording()) return undefined;
    return {
      traceparent: placeOf(span),
      end(facts, failed) {
        describe(span, facts, failed);
        span.end(epochOf(performance.now()));
      },
    };
  }

  record({ name, parent, from, to, facts }: EndedSpan): TraceParent {
    const span = this.#tracer.startSpan(name, { startTime: epochOf(from) }, contextOf(parent));
    describe(span, facts, false);
    span.end(epochOf(to));
    return placeOf(span);
  }

  note(requestId: string, at: TraceParent): void {
    this.#noted.set(requestId, at);
  }

  noted(requestId: string): TraceParent | undefined {
    return this.#noted.get(requestId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((done) => (timer = setTimeout(done, END_WITHIN_MS)));
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}

function toward(endpoint: string): { url: string; timeoutMillis: number } {
  return { url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: SEND_WITHIN_MS };
}

/** One clock for open spans and for those recorded afterwards. */
const epochOf = (at: number): number => performance.timeOrigin + at;

function describe(span: Span, facts: SpanFacts = {}, failed = false): void {
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) span.setAttribute(name, value);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
}

function placeOf(span: Span): TraceParent {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

const PLACE = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** An invalid trace position starts a new trace. */
function contextOf(parent: TraceParent | undefined): Context {
  const match = parent === undefined ? null : PLACE.exec(parent);
  if (!match) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true });
}

/** An unavailable collector does not affect the service; it is logged once in a while. */
function complaining(exporter: SpanExporter, log: Log): SpanExporter {
  let complainAt = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined && performance.now() >= complainAt) {
          complainAt = performance.now() + COMPLAIN_EVERY_MS;
          log.warn({ error: result.error.message, spans: spans.length }, 'spans could not be sent');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
