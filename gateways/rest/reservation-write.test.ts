import { Controller, Post, Put } from '@nestjs/common';
import { test } from 'tap';
import { z } from 'zod';

import { count } from '../../src/kernel/contracts/answers.ts';
import { startHttpWorld } from '../../src/testing/http-world.ts';
import { Answers } from '../http/answers.ts';
import { Body } from '../http/parameters.ts';
import { Needs } from '../http/route.ts';
import { type ReservationWrite, TheReservationWrite, TheReservationWriteOrDryRun } from './reservation-write.ts';

const answer = z.object({ id: z.string(), ifVersion: count, dryRun: z.string(), key: z.string() });
const body = z.strictObject({ reason: z.string() });

/** What the handler is given, and a command whose result has version 7. */
async function echoed({ id, options, send }: ReservationWrite) {
  const { result } = await send(Promise.resolve({ seq: 3, result: { reservation: { version: 7 } } }));
  const { key, ifVersion = result.reservation.version, dryRun } = options;
  return { id, ifVersion, dryRun: String(dryRun), key: key?.key ?? '' };
}

@Controller('api/v1/stays/:reservationId')
class Stays {
  @Put()
  @Answers(answer)
  @Needs('reservation.modify')
  modify(
    @TheReservationWriteOrDryRun() write: ReservationWrite,
    @Body({ schema: body }) _body: z.infer<typeof body>,
  ) {
    return echoed(write);
  }

  @Post('pay')
  @Answers(answer)
  @Needs('reservation.pay')
  pay(@TheReservationWrite() write: ReservationWrite) {
    return echoed(write);
  }
}

const put = (headers: Record<string, string> = {}, json: unknown = { reason: 'late' }) => ({
  method: 'PUT',
  headers,
  json,
});

void test('a write has the reservation of its path, the key and the version that it is about', async (t) => {
  await using world = await startHttpWorld({ controllers: [Stays] });
  const { json, headers } = await world.call('/api/v1/stays/r-1', put({ 'if-match': '"4"', 'idempotency-key': 'k' }));
  t.same(json, { id: 'r-1', ifVersion: 4, dryRun: 'false', key: 'k' });
  t.equal(headers.get('etag'), '"7"');
  t.equal(headers.get('x-property-seq'), '3');
  const { json: any } = await world.call('/api/v1/stays/r-1', put({ 'if-match': '*' }));
  t.equal(any['ifVersion'], 7, 'without a version it is about the newest');
});

void test('a dry run has no version, and only routes that take one have it', async (t) => {
  await using world = await startHttpWorld({ controllers: [Stays] });
  const tried = await world.call('/api/v1/stays/r-1?dryRun=true', put());
  t.match(tried.json, { dryRun: 'true' });
  t.equal(tried.headers.get('etag'), null);
  const paid = await world.call('/api/v1/stays/r-1/pay?dryRun=true', { method: 'POST' });
  t.match(paid.json, { dryRun: 'undefined' });
  t.equal(paid.headers.get('etag'), '"7"');
  const wrong = await world.call('/api/v1/stays/r-1?dryRun=maybe', put());
  t.match(wrong.json, { status: 400, errors: [{ parameter: 'dryRun' }] });
});

void test('a version of nobody is stale; a wrong body is reported before', async (t) => {
  await using world = await startHttpWorld({ controllers: [Stays] });
  const stale = { 'if-match': 'W/"4"' };
  t.match((await world.call('/api/v1/stays/r-1', put(stale))).json, { status: 412, code: 'STALE_VERSION' });
  t.match((await world.call('/api/v1/stays/r-1', put(stale, {}))).json, { status: 400 });
});
