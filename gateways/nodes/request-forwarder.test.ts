import { Body, Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import t, { type Test } from 'tap';

import { untilTime } from '../../src/testing/fake-clock.ts';
import { startHttpWorld, type HttpWorld } from '../../src/testing/http-world.ts';
import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { TestNode, TwoNodes } from '../../src/testing/nodes/two-nodes.ts';
import { baseRates, envelope, settingUp } from '../../src/testing/property-world.ts';
import { stampSeq } from '../http/exchange.ts';
import { ForOwner, Needs, StaysHere, TakesCsv } from '../http/route.ts';
import { MAX_CHARACTERS } from './node-call.ts';
import { RequestForwarder } from './request-forwarder.ts';

const NODE = Symbol('node');
const PROPERTY_ID = { tenantId: 'demo', propertyId: 'anchor' };

/** What a service does with a property. */
@Controller('api/v1/houses')
class Properties {
  readonly #node: TestNode;

  constructor(@Inject(NODE) node: TestNode) {
    this.#node = node;
  }

  @Get(':propertyId')
  @Needs('rate.read')
  async read(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('propertyId') propertyId: string,
  ): Promise<object> {
    const { tenantId, subject } = request.caller!;
    const view = await this.#node.directory.view({ tenantId, propertyId });
    stampSeq(reply, view.seq);
    return { at: this.#node.placement.self.nodeId, subject, seq: view.seq, requestId: request.id };
  }

  @Post(':propertyId/rates')
  @Needs('rate.set')
  async price(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('propertyId') propertyId: string,
    @Body() { rate }: { rate: number },
  ): Promise<object> {
    const to = { tenantId: 'demo', propertyId };
    const answer = await this.#node.directory.execute(to, envelope(baseRates('STD', rate)));
    stampSeq(reply, answer.seq);
    return { at: this.#node.placement.self.nodeId, seq: answer.seq };
  }
}

/** A list that may be sent as a file. */
@Controller('api/v1/lists')
class Lists {
  readonly #node: TestNode;

  constructor(@Inject(NODE) node: TestNode) {
    this.#node = node;
  }

  @Post(':propertyId')
  @Needs('rate.set')
  @TakesCsv()
  async send(@Param('propertyId') propertyId: string, @Body() sent: unknown): Promise<object> {
    await this.#node.directory.view({ tenantId: 'demo', propertyId });
    return { at: this.#node.placement.self.nodeId, sent };
  }
}

/** Behind the answer, and beside properties. */
@Controller()
class Chores {
  readonly #node: TestNode;
  static later: Promise<unknown> = Promise.resolve();

  constructor(@Inject(NODE) node: TestNode) {
    this.#node = node;
  }

  @Post('dev/steps')
  @Needs('rate.set')
  async steps(): Promise<object> {
    const { seq } = await this.#node.directory.execute(PROPERTY_ID, envelope(baseRates('STD', 90_00)));
    return { at: this.#node.placement.self.nodeId, seq };
  }

  @Post('api/v1/chores')
  @Needs('rate.set')
  ask(): object {
    const work = async () => {
      await new Promise((done) => setTimeout(done, 50));
      return this.#node.directory.execute(PROPERTY_ID, envelope(baseRates('STD', 91_00)));
    };
    Chores.later = work();
    Chores.later.catch(() => undefined);
    return { at: this.#node.placement.self.nodeId };
  }
}

/** Operations that call a property before they do anything, and one that writes first. */
@Controller('api/v1')
class Errands {
  readonly #node: TestNode;
  /** Nodes that have begun with one. */
  static readonly begunAt: string[] = [];

  constructor(@Inject(NODE) node: TestNode) {
    this.#node = node;
  }

  @Post('bookings')
  @Needs('rate.set')
  @ForOwner()
  book(@Body() { propertyId }: { propertyId: string }): Promise<object> {
    return this.#begin(propertyId);
  }

  @Post('erasures')
  @Needs('rate.set')
  @StaysHere()
  erase(@Body() { propertyId }: { propertyId: string }): Promise<object> {
    return this.#begin(propertyId);
  }

  @Get('books/:propertyId')
  @Needs('rate.read')
  async all(@Param('propertyId') propertyId: string): Promise<string> {
    await this.#node.directory.view({ tenantId: 'demo', propertyId });
    return JSON.stringify('x'.repeat(MAX_CHARACTERS));
  }

  async #begin(propertyId: string): Promise<object> {
    const at = this.#node.placement.self.nodeId;
    Errands.begunAt.push(at);
    const { seq } = await this.#node.directory.execute(
      { tenantId: 'demo', propertyId },
      envelope(baseRates('STD', 95_00)),
    );
    return { at, seq };
  }
}

/** A node with a listener for clients. */
async function serve(t: Test, node: TestNode): Promise<HttpWorld> {
  const { placement, links, requestScopes, nodeRpc } = node;
  const forwarder = new RequestForwarder({ placement, links, requestScopes, nodeRpc, production: false });
  const service = {
    controllers: [Properties, Lists, Chores, Errands],
    providers: [{ provide: NODE, useValue: node }],
  };
  const world = await startHttpWorld(service, { forwarding: forwarder.of('rate') });
  t.teardown(() => world[Symbol.asyncDispose]());
  forwarder.registerApp('rate', world.app.getHttpAdapter().getInstance());
  node.nodeRpc.request = (whole) => {
    node.requests += 1;
    return forwarder.serve(whole);
  };
  return world;
}

type Served = { node: TestNode; world: HttpWorld };

/** Two nodes with listeners for clients, and the property of tests on one of them. */
async function property(t: Test): Promise<{ nodes: TwoNodes; owner: Served; other: Served }> {
  const nodes = await TwoNodes.start(t);
  const served: Served[] = [];
  for (const node of [nodes.a, nodes.b]) served.push({ node, world: await serve(t, node) });
  for (const command of settingUp()) await nodes.a.directory.execute(PROPERTY_ID, envelope(command));
  const [owner, other] = nodes.a.host.has(PROPERTY_ID) ? served : served.toReversed();
  return { nodes, owner: owner!, other: other! };
}

const PRICES = '/api/v1/houses/anchor/rates';
const price = (world: HttpWorld, rate: number, headers = {}) =>
  world.call(PRICES, { method: 'POST', json: { rate }, headers });

void t.test(
  'a request is answered by the owner of its property, and looks as if it were called directly',
  async (t) => {
    const { owner, other } = await property(t);
    const headers = { 'x-request-id': 'asked-by-hand' };
    const here = await owner.world.call('/api/v1/houses/anchor', { headers });
    const there = await other.world.call('/api/v1/houses/anchor', { headers });
    t.equal(there.status, 200);
    t.same(there.json, here.json);
    t.match(there.json, { at: owner.node.placement.self.nodeId, subject: /manager/, requestId: 'asked-by-hand' });
    for (const name of ['x-property-seq', 'content-type', 'cache-control', 'x-innkeeper-node', 'x-request-id'])
      t.equal(there.headers.get(name), here.headers.get(name), name);
    t.match(there.headers.get('server-timing'), /node;dur=/);
    t.notMatch(here.headers.get('server-timing') ?? '', /node;dur=/);
  },
);

void t.test('writes and errors too', async (t) => {
  const { owner, other } = await property(t);
  const done = await price(other.world, 120_00);
  t.match([done.status, done.json], [201, { at: owner.node.placement.self.nodeId }]);
  const wrong = await price(other.world, -1);
  const same = await price(owner.world, -1);
  t.same([wrong.status, wrong.json['code']], [same.status, same.json['code']]);
  t.equal(wrong.headers.get('content-type'), same.headers.get('content-type'));
  t.equal((await other.world.call('/api/v1/houses/nowhere')).status, 404);
});

void t.test('a file of CSV travels as it came, where a route takes one', async (t) => {
  const { owner, other } = await property(t);
  const file = {
    method: 'POST',
    body: 'name\r\n"a ""b"", c"\r\n',
    headers: { 'content-type': 'Text/CSV; charset=utf-8' },
  };
  for (const { world } of [owner, other]) {
    const { status, json } = await world.call('/api/v1/lists/anchor', file);
    t.match([status, json], [201, { at: owner.node.placement.self.nodeId, sent: file.body }]);
    t.match((await world.call('/api/v1/lists/anchor', { method: 'POST', json: { a: 1 } })).json, { sent: { a: 1 } });
    t.match((await world.call(PRICES, file)).json, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    const coded = { ...file, headers: { 'content-type': 'text/csv; charset=utf-16' } };
    t.equal((await world.call('/api/v1/lists/anchor', coded)).status, 415);
  }
});

void t.test('callers without permission are refused by the receiving node', async (t) => {
  const { owner, other } = await property(t);
  const { calls } = other.node.links.figures;
  t.equal((await other.world.call('/api/v1/houses/anchor', { as: null })).status, 401);
  t.equal((await other.world.call(PRICES, { method: 'POST', json: { rate: 1 }, as: 'demo-viewer' })).status, 403);
  t.equal((await other.world.call('/api/v1/houses/anchor', { tenant: 'rival' })).status, 403);
  t.ok(other.node.links.figures.calls - calls < 3, 'nothing but pings');
  t.ok(owner);
});

void t.test('a property that moves during a request is found', async (t) => {
  const { nodes, owner, other } = await property(t);
  const answers: number[] = [];
  const stop = new AbortController();
  const clients = [owner, other].map(async ({ world }) => {
    while (!stop.signal.aborted) answers.push((await price(world, 100_00 + answers.length)).status);
  });
  for (let moves = 0; moves < 6; moves++) {
    const next = moves % 2 === 0 ? other.node : owner.node;
    nodes.members(next);
    await untilTime(() => next.host.has(PROPERTY_ID));
  }
  stop.abort();
  await Promise.all(clients);
  t.same([...new Set(answers)], [201]);
});

void t.test('a draining owner has not processed the request, and the next one answers', async (t) => {
  const { nodes, owner, other } = await property(t);
  const { requests: asked } = owner.node;
  await owner.world.app.close();
  const answer = price(other.world, 1_00);
  await untilTime(() => owner.node.requests > asked);
  nodes.members(other.node);
  t.match([(await answer).status, (await answer).json], [201, { at: other.node.placement.self.nodeId }]);
});

void t.test('the owner dies: what may have run is repeated only under a key', async (t) => {
  const { nodes, owner, other } = await property(t);
  t.equal((await price(other.world, 1_00)).status, 201);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  nodes.store.gate = gate;
  const { requests: asked } = owner.node;
  const plain = price(other.world, 2_00);
  const keyed = price(other.world, 3_00, { 'idempotency-key': 'k' });
  await untilTime(() => owner.node.requests === asked + 2);
  await owner.node.unplug();
  t.same([(await plain).status, (await plain).json['code']], [503, 'OUTCOME_UNKNOWN']);
  nodes.store.gate = Promise.resolve();
  open();
  nodes.store.alive.delete(owner.node.placement.self.nodeId);
  other.node.placement.give({ version: 60, members: [other.node.placement.self] });
  const repeated = await keyed;
  t.match([repeated.status, repeated.json], [201, { at: other.node.placement.self.nodeId }]);
});

void t.test('where the way to the owner is cut, a third node has one', async (t) => {
  const { nodes, owner, other } = await property(t);
  const third = await TestNode.start('node-c', nodes.store, nodes.clock);
  t.teardown(() => third.end());
  await serve(t, third);
  const [[port], owning] = [await freePorts(1), owner.node.placement.self];
  const members = [owning, other.node.placement.self, third.placement.self];
  // Rendezvous hashing may give the property to the third node: it is then no owner of anything.
  const asGateway = { ...third.placement.self, role: 'gateway' as const };
  const view = { version: 80, members: [members[0]!, members[1]!, asGateway] };
  third.placement.give(view);
  owner.node.placement.give(view);
  other.node.placement.give({ version: 80, members: [{ ...owning, port: port! }, members[1]!, asGateway] });
  await untilTime(() => other.node.links.reaches(asGateway) && third.links.reaches(owning));
  const answer = await price(other.world, 130_00);
  t.match([answer.status, answer.json], [201, { at: owning.nodeId }]);
  t.ok(
    other.node.placement.suspected.some(({ nodeId }) => nodeId === owning.nodeId),
    'and the owner is checked',
  );
});

void t.test('nobody serves the property: said in time', async (t) => {
  const { other } = await property(t);
  other.node.placement.give({ version: 70, members: [] });
  const answer = await other.world.call('/api/v1/houses/anchor');
  t.same([answer.status, answer.json['code']], [503, 'NOT_EXECUTED']);
  t.ok(answer.headers.get('retry-after'));
});

void t.test('nobody says that nothing was done of what may have been done', async (t) => {
  const { nodes, owner, other } = await property(t);
  t.equal((await price(other.world, 1_00)).status, 201);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  nodes.store.gate = gate;
  t.teardown(open);
  const { requests: asked } = owner.node;
  const keyed = price(other.world, 3_00, { 'idempotency-key': 'k' });
  const read = () => other.world.call('/api/v1/houses/anchor');
  await untilTime(() => owner.node.requests > asked);
  await owner.node.unplug();
  t.match(await keyed, { status: 503, json: { code: 'OUTCOME_UNKNOWN' } }, 'the commit may come yet');
  t.match(await price(other.world, 4_00, { 'idempotency-key': 'l' }), {
    status: 503,
    json: { code: 'NOT_EXECUTED' },
  });
  t.match(await read(), { status: 503, json: { code: 'NOT_EXECUTED' } });
});

void t.test('what is not about one property stays here, and so does what goes on behind an answer', async (t) => {
  const { other } = await property(t);
  const { nodeId: at } = other.node.placement.self;
  t.match(await other.world.call('/dev/steps', { method: 'POST' }), { status: 201, json: { at } });
  t.match(await other.world.call('/api/v1/chores', { method: 'POST' }), { status: 201, json: { at } });
  t.match(await Chores.later, { seq: Number });
});

void t.test('what names its property is looked at by the owner only', async (t) => {
  const { owner, other } = await property(t);
  const at = owner.node.placement.self.nodeId;
  Errands.begunAt.length = 0;
  for (const { world } of [owner, other]) {
    const booked = await world.call('/api/v1/bookings', { method: 'POST', json: PROPERTY_ID });
    t.match(booked, { status: 201, json: { at } });
  }
  t.same(Errands.begunAt, [at, at]);
  const refused = { method: 'POST', json: PROPERTY_ID, as: 'demo-viewer' } as const;
  t.equal((await other.world.call('/api/v1/bookings', refused)).status, 403);
});

void t.test('what writes before it calls a property is done once, by the receiving node', async (t) => {
  const { other } = await property(t);
  const at = other.node.placement.self.nodeId;
  Errands.begunAt.length = 0;
  t.match(await other.world.call('/api/v1/erasures', { method: 'POST', json: PROPERTY_ID }), {
    status: 201,
    json: { at },
  });
  t.same(Errands.begunAt, [at]);
});

void t.test('an answer that no message has room for is refused, and cuts nobody off', async (t) => {
  const { nodes, owner, other } = await property(t);
  t.equal((await price(other.world, 130_00)).status, 201);
  const { failures } = other.node.links.figures;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  nodes.store.gate = gate;
  const waiting = price(other.world, 140_00);
  t.equal((await owner.world.call('/api/v1/books/anchor')).status, 200);
  t.match(await other.world.call('/api/v1/books/anchor'), { status: 500, json: { code: 'INTERNAL' } });
  open();
  t.equal((await waiting).status, 201);
  t.equal(other.node.links.figures.failures, failures);
});
