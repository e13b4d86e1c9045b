import { randomBytes } from 'node:crypto';
import tap, { type Test, test } from 'tap';

import { isNightly } from '../loop/nightly.ts';
import { ownServicesOrSkip } from '../services/needed.ts';
import { Collector, type CollectedSpan } from './collector.ts';
import { BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import { pause, until } from './waiting.ts';

/** Starts a broker, a registry, and a cluster. */
tap.setTimeout(300_000);

const SERVER_KIND = 2;

const collector = new Collector();
const service = await Service.start({ OTEL_EXPORTER_OTLP_ENDPOINT: await collector.open() });
tap.teardown(async () => {
  await service.remove();
  await collector[Symbol.asyncDispose]();
});
const property = await BlackboxProperty.open(service);

/** A place in a trace of somebody who calls us. */
function somewhere(flags = '01') {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

function named(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

/** What a span is part of, up to the request that a client has sent. */
function chainAbove(spans: readonly CollectedSpan[], { parentSpanId }: CollectedSpan): CollectedSpan[] {
  const parent = spans.find(({ spanId }) => spanId === parentSpanId);
  return parent ? [parent, ...chainAbove(spans, parent)] : [];
}

const shown = (chain: readonly CollectedSpan[]): string => chain.map(({ name }) => name).join(' < ');

const attribute = (span: CollectedSpan, name: string): unknown => {
  const value = span.attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? Number(value?.intValue);
};

void test('a paid booking is one trace: request, operation, mailbox, decision and commit', async (t) => {
  const { traceId, spanId, headers } = somewhere();
  const answer = must(
    await property.book({ guest: { lastName: 'Unspoken', email: 'unspoken@example.com' } }, { headers }),
    201,
  );
  const spans = await collector.trace(traceId, 'POST /api/v1/reservations');
  const above = chainAbove(spans, named(spans, 'actor START_BOOKING'));
  const request = above.at(-1)!;
  t.equal(request.parentSpanId, spanId, 'it goes on in the trace of the caller');
  t.equal(request.kind, SERVER_KIND);
  t.equal(answer.headers['traceparent'], `00-${traceId}-${request.spanId}-01`, 'and says where');
  t.equal(attribute(request, 'http.response.status_code'), 201);
  t.equal(attribute(request, 'innkeeper.tenant'), 'demo');
  t.equal(attribute(request, 'innkeeper.request'), answer.headers['x-request-id']);
  t.match(shown(above), /^reservation\.create < POST \/api\/v1\/reservations/);
  const [operation] = above;
  for (const command of ['START_BOOKING', 'CONFIRM_BOOKING']) {
    const actor = named(spans, `actor ${command}`);
    t.equal(actor.parentSpanId, operation!.spanId, `${command} is part of the operation`);
    t.equal(attribute(actor, 'innkeeper.property'), property.propertyId);
    const below = spans.filter(({ parentSpanId }) => parentSpanId === actor.spanId);
    t.same(below.map(({ name }) => name).toSorted(), ['decide', 'lane commit', 'mailbox']);
    const [mailbox, decide, commit] = ['mailbox', 'decide', 'lane commit'].map((name) => named(below, name));
    t.equal(mailbox!.startTimeUnixNano, actor.startTimeUnixNano);
    t.equal(mailbox!.endTimeUnixNano, decide!.startTimeUnixNano, 'one begins where the other ends');
    t.equal(decide!.endTimeUnixNano, commit!.startTimeUnixNano);
    t.ok(BigInt(request.startTimeUnixNano) <= BigInt(actor.startTimeUnixNano));
    t.ok(BigInt(actor.endTimeUnixNano) <= BigInt(request.endTimeUnixNano));
  }
});

void test('spans say nothing of guests, cards or tokens', async (t) => {
  t.ok(collector.spans.length > 0);
  t.notMatch(collector.text, /unspoken|tok_visa/i);
  for (const token of [service.token('demo', 'STAFF'), service.dev.operatorToken])
    t.notOk(collector.text.includes(token.slice(-20)));
});

void test('who says that nobody keeps the trace is believed, and a new one begins where there is none', async (t) => {
  const unkept = somewhere('00');
  must(await property.quote(), 200);
  must(await service.rates('GET', '/plans?propertyId=harbor-hotel', { headers: unkept.headers }), 200);
  const answer = must(await service.rates('GET', '/plans?propertyId=harbor-hotel', {}), 200);
  const traceId = String(answer.headers['traceparent']).split('-')[1]!;
  await collector.trace(traceId, 'GET /api/v1/rates/plans');
  t.notOk(collector.spans.some((span) => span.traceId === unkept.traceId));
});

void test('a collector that is away changes nothing', async (t) => {
  await collector[Symbol.asyncDispose]();
  must(await property.book({ from: 40 }, { headers: somewhere().headers }), 201);
  await pause(2_000);
  must(await property.book({ from: 44 }), 201);
  const { code, ms } = await service.terminate();
  t.equal(code, 0);
  t.ok(ms < 10_000, `ends in ${ms} ms`);
});

// Each starts programs of its own. The parts of a trace are tested above, brokers and nodes in files of their own.
if (isNightly()) {
  void test('the trace goes on through the broker to who reads the event', throughBroker);
  void test('what another node does for a request is part of its trace', overNodes);
}

async function throughBroker(t: Test): Promise<void> {
  const services = await ownServicesOrSkip(t, ['kafka', 'registry']);
  if (!services) return;
  await using collector = new Collector();
  const traced = await Service.start({ ...services.env, OTEL_EXPORTER_OTLP_ENDPOINT: await collector.open() });
  t.teardown(() => traced.remove());
  const { traceId, headers } = somewhere();
  must(await (await BlackboxProperty.open(traced)).book({}, { headers }), 201);
  const spans = await collector.trace(traceId, 'consume reservation.created');
  const confirmed = named(spans, 'actor CONFIRM_BOOKING');
  const relayed = named(spans, 'relay reservation.created');
  const commit = spans.find(({ spanId }) => spanId === relayed.parentSpanId);
  t.match(commit, { name: 'lane commit', parentSpanId: confirmed.spanId }, 'sent after its commit');
  t.ok(BigInt(commit!.endTimeUnixNano) <= BigInt(relayed.startTimeUnixNano));
  t.equal(named(spans, 'consume reservation.created').parentSpanId, relayed.spanId, 'and read after it was sent');
}

async function overNodes(t: Test): Promise<void> {
  const services = await ownServicesOrSkip(t, ['redis']);
  if (!services) return;
  await using collector = new Collector();
  const env = { ...services.env, INNKEEPER_NODES: '2', OTEL_EXPORTER_OTLP_ENDPOINT: await collector.open() };
  const cluster = await Service.start(env);
  t.teardown(() => cluster.remove());
  const wanted = await BlackboxProperty.open(cluster);
  const chains: string[] = [];
  for (const [n, { reservationUrl }] of cluster.nodes.entries()) {
    const { traceId, headers } = somewhere();
    const options = { role: 'STAFF', body: wanted.wish({ from: 30 + 5 * n }), headers } as const;
    must(await cluster.call('POST', `${reservationUrl}/api/v1/reservations`, options), 201);
    // Either node sends its own spans, each when it comes to it.
    const whole = await until('the whole trace', 20_000, async () => {
      const spans = await collector.trace(traceId, 'actor CONFIRM_BOOKING');
      const above = chainAbove(spans, named(spans, 'actor CONFIRM_BOOKING'));
      return above.at(-1)?.parentSpanId === headers.traceparent.split('-')[2] ? above : undefined;
    });
    chains.push(shown(whole));
  }
  const here = 'reservation.create < POST /api/v1/reservations';
  t.same(new Set(chains), new Set([here, `${here} < ${here}`]), 'at the owner, and handed on by the other');
}
