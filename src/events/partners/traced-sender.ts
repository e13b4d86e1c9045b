import type { OpenSpan, Tracer } from '../../kernel/ports.ts';
import type { EventSender, OutgoingRecord } from '../ports.ts';

/** Sends records through another sender, each as a span of its request's trace, with the trace context in a header. */
export function tracedSender(sender: EventSender, tracer: Tracer): EventSender {
  return {
    async send(records) {
      const spans: OpenSpan[] = [];
      const traced = records.map((record) => withPlace(record, tracer, spans));
      try {
        await sender.send(spans.length === 0 ? records : traced);
        for (const span of spans) span.end();
      } catch (error) {
        for (const span of spans) span.end({}, true);
        throw error;
      }
    },
  };
}

function withPlace(record: OutgoingRecord, tracer: Tracer, spans: OpenSpan[]): OutgoingRecord {
  const { requestId } = record.headers;
  const parent = typeof requestId === 'string' ? tracer.noted(requestId) : undefined;
  const span = parent === undefined ? undefined : tracer.open(`relay ${record.topic}`, 'producer', parent);
  if (!span) return record;
  spans.push(span);
  return { ...record, headers: { ...record.headers, traceparent: span.traceparent } };
}
