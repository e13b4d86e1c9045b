import t, { type Test } from 'tap';

import { connect, dataOf, type InnkeeperOptions } from './client.ts';
import { itemsOf } from './pages.ts';
import { ProblemError } from './problem.ts';

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | Error;

const problem = (status: number, code: string, retryable: boolean, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { status, code, retryable, detail: `it says ${code}` },
});

/** A client whose service gives these answers, one after the other, and what it was sent. */
function scripted(answers: Answer[], options: Partial<InnkeeperOptions> = {}) {
  const sent: { method: string; url: string; headers: Record<string, string>; body: string }[] = [];
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const request = input as Request;
    const { method, url, headers } = request;
    sent.push({ method, url, headers: Object.fromEntries(headers), body: await request.text() });
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new Error('nothing more is expected');
    const { status = 200, body = {}, headers: given = { 'content-type': 'application/json' } } = answer;
    return new Response(JSON.stringify(body), { status, headers: given });
  };
  const innkeeper = connect({
    rateUrl: 'http://rates.test',
    reservationUrl: 'http://reservations.test',
    tenantId: 'demo',
    token: 'a-token',
    patience: { firstPauseMs: 1 },
    fetch,
    ...options,
  });
  return { innkeeper, sent };
}

const path = '/api/v1/reservations/{reservationId}';
const params = { path: { reservationId: 'r/1' } };
const errorOf = (call: Promise<unknown>): Promise<ProblemError> =>
  call.then(
    () => Promise.reject(new Error('it was answered')),
    (error: ProblemError) => error,
  );

t.test('a request says whose it is', async (t) => {
  const { innkeeper, sent } = scripted([{ body: { reservationId: 'r/1' } }]);
  const { reservationId } = await dataOf(innkeeper.reservations.GET(path, { params }));
  t.equal(reservationId, 'r/1');
  t.match(sent, [
    {
      method: 'GET',
      url: 'http://reservations.test/api/v1/reservations/r%2F1',
      headers: { authorization: 'Bearer a-token', 'x-tenant-id': 'demo', 'idempotency-key': undefined },
    },
  ]);
});

t.test('a refusal is thrown, and not repeated', async (t) => {
  const { innkeeper, sent } = scripted([problem(404, 'RESERVATION_NOT_FOUND', false)]);
  const error = await errorOf(innkeeper.reservations.GET(path, { params }));
  t.ok(error instanceof ProblemError);
  t.match(error, {
    status: 404,
    code: 'RESERVATION_NOT_FOUND',
    isRetryable: false,
    message: /RESERVATION_NOT_FOUND/,
  });
  t.equal(sent.length, 1);
});

t.test('a write is repeated under one key while the service says that it may succeed', async (t) => {
  const { innkeeper, sent } = scripted([
    new TypeError('the connection is closed'),
    problem(503, 'OUTCOME_UNKNOWN', true),
    problem(409, 'IDEMPOTENCY_IN_PROGRESS', true),
    { status: 201, body: { holdId: 'h' } },
  ]);
  const body = { propertyId: 'p' } as never;
  t.match(await dataOf(innkeeper.reservations.POST('/api/v1/reservations/holds', { body })), { holdId: 'h' });
  const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
  t.equal(sent.length, 4);
  t.equal(keys.size, 1);
  t.match([...keys][0], /^[0-9a-f]{32}$/);
  t.strictSame(new Set(sent.map((one) => one.body)), new Set(['{"propertyId":"p"}']));
});

t.test('a key of the caller is used', async (t) => {
  const { innkeeper, sent } = scripted([{ status: 201 }]);
  const header = { 'Idempotency-Key': 'mine' };
  await innkeeper.reservations.POST('/api/v1/reservations/holds', { params: { header }, body: {} as never });
  t.equal(sent[0]!.headers['idempotency-key'], 'mine');
});

t.test('what is not answered in the end is what was answered last', async (t) => {
  const busy = () => problem(503, 'NOT_EXECUTED', true);
  const patience = { tries: 3, firstPauseMs: 1 };
  const { innkeeper, sent } = scripted([busy(), busy(), busy()], { patience });
  t.match(await errorOf(innkeeper.reservations.GET(path, { params })), { code: 'NOT_EXECUTED', isRetryable: true });
  t.equal(sent.length, 3);
  const lost = scripted([new TypeError('closed'), new TypeError('closed again')], { patience: { tries: 2 } });
  await t.rejects(lost.innkeeper.reservations.GET(path, { params }), { message: 'closed again' });
});

t.test('a service that wants a long pause is not waited for', async (t) => {
  const { innkeeper, sent } = scripted([problem(429, 'RATE_LIMITED', true, { 'retry-after': '60' })]);
  t.match(await errorOf(innkeeper.reservations.GET(path, { params })), { status: 429 });
  t.equal(sent.length, 1);
});

t.test('a proxy that has no service behind it is asked again', async (t) => {
  const page = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' };
  const { innkeeper } = scripted([page, { body: { reservationId: 'r' } }]);
  t.match(await dataOf(innkeeper.reservations.GET(path, { params })), { reservationId: 'r' });
});

async function renewing(t: Test, answers: Answer[]) {
  const asked: boolean[] = [];
  const token = ({ isRefused }: { isRefused: boolean }) => {
    asked.push(isRefused);
    return isRefused ? 'a-fresh-one' : 'an-old-one';
  };
  const { innkeeper, sent } = scripted(answers, { token });
  const ended = await innkeeper.reservations.GET(path, { params }).then(
    () => 'answered',
    ({ code }: ProblemError) => code,
  );
  t.same(asked, [false, true]);
  return [ended, ...sent.map(({ headers }) => headers['authorization'])];
}

t.test('a token that is refused is renewed once', async (t) => {
  const refusal = () => problem(401, 'UNAUTHENTICATED', false);
  t.same(await renewing(t, [refusal(), { body: {} }]), ['answered', 'Bearer an-old-one', 'Bearer a-fresh-one']);
  t.match(await renewing(t, [refusal(), refusal()]), ['UNAUTHENTICATED']);
});

t.test('a list is read page by page, as far as somebody reads', async (t) => {
  const pages: Record<string, { items: number[]; nextCursor: string | null }> = {
    first: { items: [1, 2], nextCursor: 'b' },
    b: { items: [3], nextCursor: 'c' },
    c: { items: [4], nextCursor: null },
  };
  const read: string[] = [];
  const items = (most?: number) =>
    itemsOf(async (cursor = 'first') => {
      read.push(cursor);
      return pages[cursor]!;
    }, most);
  const all: number[] = [];
  for await (const item of items()) all.push(item);
  t.same(
    [all, read],
    [
      [1, 2, 3, 4],
      ['first', 'b', 'c'],
    ],
  );
  read.length = 0;
  for await (const item of items()) if (item === 2) break;
  t.same(read, ['first']);
  const two: number[] = [];
  for await (const item of items(2)) two.push(item);
  t.same(two, [1, 2, 3]);
});

t.test('a live client needs an address', async (t) => {
  const { innkeeper } = scripted([]);
  await t.rejects(innkeeper.live({ listener: {} as never }), { message: /liveUrl/ });
});
