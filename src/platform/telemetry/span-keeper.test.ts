import t from 'tap';

import type { OpenSpan, Tracer } from '../../kernel/ports.ts';
import { SpanKeeper } from './span-keeper.ts';

const place = (digit: string, flags = '00'): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`;

/** A request that is answered after its only operation. */
function request(keeper: SpanKeeper, name: string, failed = false, parent?: string): OpenSpan {
  const span = keeper.open(name, 'server', parent)!;
  keeper.open('reservation.create', 'internal', span.traceparent)!.end();
  span.end({ 'innkeeper.tenant': 'demo', 'innkeeper.refused': undefined }, failed);
  return span;
}

t.test('a request is retained with its spans, and goes on in the trace of its client', async (t) => {
  const keeper = new SpanKeeper();
  const span = keeper.open('POST /api/v1/reservations', 'server', place('a', '01'))!;
  t.match(span.traceparent, /^00-a{32}-[0-9a-f]{16}-01$/);
  const operation = keeper.open('reservation.create', 'internal', span.traceparent)!;
  const now = performance.now();
  const facts = { 'innkeeper.command': 'BOOK' };
  const actor = keeper.record({ name: 'actor BOOK', parent: operation.traceparent, from: now, to: now + 4, facts });
  keeper.record({ name: 'lane commit', parent: actor, from: now + 1, to: now + 4 });
  operation.end();
  t.same(keeper.retained(), [], 'not before its end');
  span.end({ 'http.response.status_code': 201 });
  const [retained] = keeper.retained();
  const [first, second, third, fourth] = retained!.spans;
  t.match(first, { name: 'POST /api/v1/reservations', facts: { 'http.response.status_code': 201 } });
  t.equal(first!.parent, undefined, 'the span of the client is not of this service');
  t.same([second!.parent, third!.parent, fourth!.parent], [first!.id, second!.id, third!.id]);
  t.match(fourth, { name: 'lane commit', ms: 3 });
  t.same(third!.facts, facts);
  keeper.record({ name: 'late', parent: span.traceparent, from: now, to: now + 1 });
  t.equal(keeper.retained()[0]!.spans.length, 4, 'nothing is collected after the end');
});

t.test('it keeps fifty of the slowest for an hour, and what failed, but nothing of operators', async (t) => {
  let now = 1_000_000;
  const keeper = new SpanKeeper(undefined, () => now);
  for (let at = 0; at < 120; at++) request(keeper, 'GET /api/v1/rates/calendar');
  t.equal(keeper.retained().length, 50);
  request(keeper, 'GET /ops/cluster', true);
  request(keeper, 'GET /actuator/health', true);
  t.equal(keeper.retained().length, 50);
  request(keeper, 'POST /api/v1/holds', true);
  const failed = keeper.retained().filter((one) => one.failed);
  t.equal(failed.length, 1, 'once, though it may be slow as well');
  t.same(failed[0]!.spans[0]!.facts, { 'innkeeper.tenant': 'demo' });
  now += 3_600_001;
  t.same(keeper.retained(), []);
  request(keeper, 'GET /api/v1/quotes');
  t.equal(keeper.retained().length, 1, 'the hour before makes room');
});

t.test('what is slow and often read hides no other route', async (t) => {
  const keeper = new SpanKeeper();
  for (let at = 0; at < 5; at++) request(keeper, 'POST /api/v1/holds');
  const slow = Array.from({ length: 60 }, () => keeper.open('GET /api/v1/rates/calendar', 'server')!);
  const end = performance.now() + 5;
  while (performance.now() < end);
  for (const span of slow) span.end();
  const routes = keeper.retained().map(({ spans }) => spans[0]!.name);
  t.ok(routes.filter((name) => name === 'POST /api/v1/holds').length >= 3, 'its slowest');
  t.ok(routes.filter((name) => name === 'GET /api/v1/rates/calendar').length >= 45);
});

t.test('what the exporter samples has its places, and nothing else is sent to it', async (t) => {
  const sent: string[] = [];
  const exporter: Tracer = {
    open(name, _kind, parent) {
      if (parent?.endsWith('00') === true) return undefined;
      sent.push(name);
      return { traceparent: place('e', '01'), end: () => sent.push(`end ${name}`) };
    },
    record: ({ name }) => (sent.push(name), place('f', '01')),
    note: (id) => sent.push(`note ${id}`),
    noted: () => place('f', '01'),
  };
  const keeper = new SpanKeeper(exporter);
  const sampled = keeper.open('GET /a', 'server')!;
  t.equal(sampled.traceparent, place('e', '01'));
  const at = keeper.record({ name: 'actor', parent: sampled.traceparent, from: 0, to: 1 });
  keeper.note('one', at);
  sampled.end();
  t.same(sent.splice(0), ['GET /a', 'actor', 'note one', 'end GET /a']);
  const other = keeper.open('GET /b', 'server', place('b'))!;
  keeper.note('two', keeper.record({ name: 'actor', parent: other.traceparent, from: 0, to: 1 }));
  keeper.open('operation', 'internal', other.traceparent)!.end();
  other.end();
  t.same(sent.splice(0), []);
  t.equal(keeper.retained().length, 2);
  t.equal(keeper.record({ name: 'of another node', parent: place('c', '01'), from: 0, to: 1 }), place('f', '01'));
  t.same(sent, ['of another node'], 'the exporter decides about what began elsewhere');
});
