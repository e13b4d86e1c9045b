import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import t from 'tap';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { type CallInit, startHttpWorld, type HttpWorld } from '../../src/testing/http-world.ts';
import { type TestNode, TwoNodes } from '../../src/testing/nodes/two-nodes.ts';
import { envelope, PROPERTY_ID, settingUp } from '../../src/testing/property-world.ts';
import { stampEtag } from '../http/exchange.ts';
import { Needs, HttpReply } from '../http/route.ts';
import { RequestForwarder } from './request-forwarder.ts';

const NODE = Symbol('node');
const TEXT = 'Zoë, "Ærø"; 日本, 🛏️\n';

/** Every kind of answer that a request about a property may have. */
@Controller('api/v1/answers/:kind')
class Kinds {
  readonly #node: TestNode;

  constructor(@Inject(NODE) node: TestNode) {
    this.#node = node;
  }

  @Get()
  @Needs('rate.read')
  async read(
    @Param('kind') kind: string,
    @Req() { headers }: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    await this.#node.directory.view(PROPERTY_ID);
    stampEtag(reply, 7);
    reply.header('link', '</api/v1/answers?cursor=a%20b>; rel="next"').header('vary', 'accept');
    if (kind === 'html') {
      reply.header('content-type', 'text/html; charset=utf-8');
      return `<p>${TEXT}</p>`;
    }
    if (kind === 'csv') {
      reply.header('content-type', 'text/csv; charset=utf-8; header=present');
      reply.header('content-disposition', 'attachment; filename="a.csv"');
      return Buffer.from(TEXT.repeat(200_000));
    }
    if (kind === 'refused')
      throw new DomainError('ROOM_NOT_AVAILABLE', TEXT, { seq: 3, extra: { alternatives: [{ roomType: 'DLX' }] } });
    if (kind === 'broken') throw new Error('a fault of ours');
    return {
      kind,
      text: TEXT,
      accept: headers.accept,
      ifMatch: headers['if-match'],
      language: headers['accept-language'],
    };
  }

  @Post()
  @Needs('rate.set')
  async write(
    @Param('kind') kind: string,
    @Body() body: unknown,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    await this.#node.directory.view(PROPERTY_ID);
    reply.header('location', `/api/v1/answers/${encodeURIComponent(TEXT)}`);
    return { kind, body };
  }

  @Delete()
  @Needs('rate.set')
  @HttpCode(204)
  async remove(): Promise<void> {
    await this.#node.directory.view(PROPERTY_ID);
  }
}

/** What each answer says of its own. */
const OWN = new Set(['date', 'server-timing', 'traceparent', 'x-request-id', 'keep-alive']);

void t.test('whatever a request is answered with, it is the same from another node', async (t) => {
  const nodes = await TwoNodes.start(t);
  const worlds = new Map<TestNode, HttpWorld>();
  for (const node of [nodes.a, nodes.b]) {
    const { placement, links, requestScopes, nodeRpc } = node;
    const forwarder = new RequestForwarder({ placement, links, requestScopes, nodeRpc, production: false });
    const service = { controllers: [Kinds], providers: [{ provide: NODE, useValue: node }] };
    const world = await startHttpWorld(service, { forwarding: forwarder.of('rate') });
    t.teardown(() => world[Symbol.asyncDispose]());
    forwarder.registerApp('rate', world.app.getHttpAdapter().getInstance());
    node.nodeRpc.request = (whole) => forwarder.serve(whole);
    worlds.set(node, world);
  }
  for (const command of settingUp()) await nodes.a.directory.execute(PROPERTY_ID, envelope(command));
  const [owner, other] = nodes.a.host.has(PROPERTY_ID) ? [nodes.a, nodes.b] : [nodes.b, nodes.a];
  const large = { text: 'é'.repeat(126_000), number: 199.0, nothing: null };
  const asked: [string, CallInit][] = [
    ['json', { headers: { 'accept-language': 'pt', 'if-match': '"7"' } }],
    ['json', { method: 'HEAD' }],
    ['html', {}],
    ['html', { method: 'HEAD' }],
    ['csv', {}],
    ['refused', {}],
    ['refused', { method: 'HEAD' }],
    ['broken', {}],
    ['json', { method: 'POST', json: large }],
    ['json', { method: 'POST', json: [1, 2, { a: TEXT }] }],
    ['json', { method: 'POST' }],
    [encodeURIComponent('a b/ä'), { method: 'POST', json: {} }],
    ['json', { method: 'DELETE' }],
  ];
  for (const [kind, init] of asked) {
    const headers = { 'x-request-id': 'asked-by-hand', ...(init.headers as object) };
    const ask = (node: TestNode) => worlds.get(node)!.call(`/api/v1/answers/${kind}`, { ...init, headers });
    const here = await ask(owner);
    const there = await ask(other);
    const name = `${init.method ?? 'GET'} ${kind}`;
    t.equal(there.status, here.status, name);
    t.ok(there.text === here.text, `${name}: body`);
    const said = (of: Headers) => Object.fromEntries([...of].filter(([key]) => !OWN.has(key)));
    t.same(said(there.headers), said(here.headers), `${name}: headers`);
  }
});
