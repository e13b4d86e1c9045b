/** A place in a trace, as W3C Trace Context writes it: what others hang their spans on. Plain text, so that it travels. */
export type TraceParent = string;

export type SpanKind = 'server' | 'internal' | 'producer' | 'consumer';

/** What a span says beside its name: ids and counts, never personal data or tokens. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span that has not ended yet. */
export type OpenSpan = {
  readonly traceparent: TraceParent;
  end(facts?: SpanFacts, failed?: boolean): void;
};

/** A span that was noted by its times alone, in milliseconds of `performance.now()`. */
export type EndedSpan = { name: string; parent: TraceParent; from: number; to: number; facts?: SpanFacts };

/** Where spans go; there is none unless somebody wants them. */
export interface Tracer {
  /** @returns `undefined` where this trace is not one of those that are kept */
  open(name: string, kind: SpanKind, parent?: TraceParent): OpenSpan | undefined;
  /** @returns its place, for spans below it */
  record(span: EndedSpan): TraceParent;
  /** Remembers for a while where in its trace a request was committed, for what is told of it later. */
  note(requestId: string, at: TraceParent): void;
  noted(requestId: string): TraceParent | undefined;
}
