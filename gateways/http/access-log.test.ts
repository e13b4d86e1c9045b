import { connect } from 'node:net';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { test } from 'tap';
import { createLog } from '../../src/telemetry.ts';
import { Needs, Open, Operation } from './route.ts';
import { startWorld } from './test-world.ts';

@Controller('api/v1/guests')
class Guests {
  @Get()
  @Needs('VIEWER')
  find(@Query('email') email: string) {
    if (email === 'broken@example.com') throw new Error(`insert into guests values ('${email}', 'tok_visa')`);
    return {};
  }

  @Post()
  @Needs('STAFF')
  @Operation('sell')
  create(@Body() body: unknown) {
    return body;
  }

  @Get('slow')
  @Open()
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 210));
    return {};
  }
}

async function start() {
  const lines: string[] = [];
  const log = createLog({ level: 'info', to: { write: (line: string) => void lines.push(line) } });
  const world = await startWorld({ controllers: [Guests] }, { log });
  const requests = () => lines.filter((line) => line.includes('"msg":"request"')).length;
  return { world, lines, requests, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

void test('writes, failures and slow answers are always logged, quick reads one in a hundred', async (t) => {
  await using started = await start();
  const { world, requests } = started;
  for (let i = 0; i < 99; i++) await world.call('/api/v1/guests');
  t.equal(requests(), 0);
  await world.call('/api/v1/guests');
  t.equal(requests(), 1);
  await world.call('/api/v1/guests', { method: 'POST', json: {} });
  t.equal(requests(), 2);
  await world.call('/api/v1/guests', { as: null });
  await world.call('/nowhere');
  t.equal(requests(), 4);
  await world.call('/api/v1/guests/slow');
  t.equal(requests(), 5);
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
