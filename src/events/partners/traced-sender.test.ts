import { test } from 'tap';

import type { Tracer } from '../../kernel/ports.ts';
import { type EventSender, NotSent, type OutgoingRecord } from '../ports.ts';
import { tracedSender } from './traced-sender.ts';

const record = (requestId: string): OutgoingRecord => ({
  topic: 'rate.updated',
  key: 'demo:h',
  value: new Uint8Array(),
  headers: { requestId },
});

/** A tracer that knows only request r1, with context p1. */
function recorded() {
  const ended: string[] = [];
  const tracer: Tracer = {
    open: (name, _kind, parent) => ({
      traceparent: `${name} of ${parent}`,
      end: (_facts, failed) => void ended.push(`${name} of ${parent}${failed ? ' failed' : ''}`),
    }),
    record: () => '',
    note: () => undefined,
    noted: (requestId) => (requestId === 'r1' ? 'p1' : undefined),
  };
  return { tracer, ended };
}

void test('records of a traced request take its place with them, the others go as they are', async (t) => {
  const { tracer, ended } = recorded();
  const sent: OutgoingRecord[] = [];
  const inner: EventSender = { send: async (records) => void sent.push(...records) };
  const [traced, other] = [record('r1'), record('r2')];
  await tracedSender(inner, tracer).send([traced, other]);
  t.same(sent[0]!.headers, { requestId: 'r1', traceparent: 'relay rate.updated of p1' });
  t.equal(sent[1], other);
  t.same(ended, ['relay rate.updated of p1']);
  t.same(traced.headers, { requestId: 'r1' }, 'the record itself is sent again without it');
});

void test('records that were not sent leave a failed span, and the error is passed on', async (t) => {
  const { tracer, ended } = recorded();
  const inner: EventSender = { send: () => Promise.reject(new NotSent('away', true)) };
  await t.rejects(tracedSender(inner, tracer).send([record('r1')]), { name: 'NotSent' });
  t.same(ended, ['relay rate.updated of p1 failed']);
});
