import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { connect } from 'node:net';
import { test } from 'tap';

import { createLog } from '../../../src/platform/telemetry/telemetry.ts';
import { startHttpWorld } from '../../../src/testing/http-world.ts';
import { Needs } from '../route.ts';
import { observeResponses } from './access-log.ts';

@Controller('api/v1/guests')
class Guests {
  @Get()
  @Needs('reservation.read')
  find(@Query('email') email: string) {
    if (email === 'broken@example.com') throw new Error(`insert into guests values ('${email}', 'tok_visa')`);
    return {};
  }

  @Post()
  @Needs('reservation.create')
  create(@Body() body: unknown) {
    return body;
  }
}

async function start() {
  const lines: string[] = [];
  const log = createLog({ level: 'info', to: { write: (line: string) => void lines.push(line) } });
  const world = await startHttpWorld({ controllers: [Guests] }, { log });
  return { world, lines, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

void test('writes, failures and slow answers are always logged, quick reads one in a hundred', async (t) => {
  let lines = 0;
  const log = createLog({ level: 'info', to: { write: () => void (lines += 1) } });
  const seen = observeResponses(log, undefined)('/api/v1/guests');
  const answer = (elapsedTime: number, { method = 'GET', statusCode = 200 } = {}): number => {
    const request = { method, id: 'r', caller: null, refused: null } as unknown as FastifyRequest;
    seen(request, { elapsedTime, statusCode } as unknown as FastifyReply, () => undefined);
    return lines;
  };
  for (let i = 0; i < 99; i++) t.equal(answer(199), 0);
  t.equal(answer(199), 1);
  t.equal(answer(1, { method: 'POST' }), 2);
  t.equal(answer(1, { statusCode: 401 }), 3);
  t.equal(answer(1, { statusCode: 404 }), 4);
  t.equal(answer(200), 5);
  for (let i = 0; i < 100; i++)
    t.equal(answer(1, { statusCode: 429 }), 6, 'of strangers in a flood one in a hundred');
  t.equal(answer(1, { statusCode: 429 }), 7);
});

void test('neither tokens nor guests stand in the log', async (t) => {
  await using started = await start();
  const { world, lines } = started;
  await world.call('/api/v1/guests?email=ada@example.com', { as: 'wrong.token.value' });
  await world.call('/api/v1/guests?email=broken@example.com');
  await world.call('/api/v1/guests/ada@example.com?cardToken=tok_visa');
  await world.call('/api/v1/guests', { method: 'POST', json: { email: 'eve@example.com', cardToken: 'tok_visa' } });
  const text = lines.join('');
  t.match(text, '"route":"/api/v1/guests"');
  t.match(text, '"tenantId":"demo"');
  t.match(text, '"code":"INTERNAL"');
  t.notMatch(text, /@example|tok_visa|wrong\.token|demo-manager\b(?!")|Bearer/);
});

void test('what is not even HTTP gets a problem', async (t) => {
  await using started = await start();
  const port = Number(new URL(started.world.url).port);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('GARBAGE\r\n\r\n'));
    socket
      .on('data', (chunk) => (text += chunk.toString()))
      .on('end', () => resolve(text))
      .on('error', reject);
  });
  t.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  t.match(answer, /content-type: application\/problem\+json/);
  t.match(answer, '"code":"BODY_UNREADABLE"');
});
