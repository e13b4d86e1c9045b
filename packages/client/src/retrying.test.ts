import t from 'tap';

import { connect, type InnkeeperOptions } from './client.ts';
import { itemsOf } from './pages.ts';
import { ProblemError } from './problem.ts';
import { type Patience, sendPatiently } from './retrying.ts';

const answer = (status: number, headers: Record<string, string> = {}): Response =>
  new Response('{}', { status, headers: { 'content-type': 'application/json', ...headers } });
const problem = (status: number, retryable: boolean): Response => {
  const body = JSON.stringify({ status, code: 'SOME', detail: 'some', retryable });
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json' } });
};

/** Sends until it ends, and says how often. */
async function attempts(answers: (() => Response)[], patience: Partial<Patience>) {
  let sent = 0;
  const began = performance.now();
  const { status } = await sendPatiently(async () => (answers[sent++] ?? answers.at(-1)!)(), {
    firstPauseMs: 1,
    ...patience,
  });
  return { sent, status, ms: performance.now() - began };
}

/** A client whose requests are answered by the test. */
function client(fetch: (request: Request, init?: RequestInit) => Promise<Response>, options: object = {}) {
  const given: InnkeeperOptions = {
    rateUrl: 'http://rates.test',
    reservationUrl: 'http://reservations.test',
    tenantId: 'demo',
    token: 'a-token',
    patience: { firstPauseMs: 1 },
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  };
  const { reservations } = connect(given);
  return (init: { signal?: AbortSignal; parseAs?: 'text' } = {}) =>
    reservations.GET('/api/v1/reservations/{reservationId}', { params: { path: { reservationId: 'r' } }, ...init });
}

/** Never answers, and hears when it is given up; as a connection, it keeps the process. */
function silent(signal: AbortSignal | null | undefined): Promise<Response> {
  const connection = setInterval(() => undefined, 1_000);
  return new Promise((_, reject) =>
    signal?.addEventListener('abort', () => {
      clearInterval(connection);
      reject(signal.reason as Error);
    }),
  );
}

t.test('a signal ends a pause at once, and nothing is sent after it', async (t) => {
  let sent = 0;
  const get = client(async () => (sent++, answer(503)), { patience: { firstPauseMs: 30_000, maxPauseMs: 30_000 } });
  const aborting = new AbortController();
  const began = performance.now();
  const call = get({ signal: aborting.signal });
  setTimeout(() => aborting.abort(new Error('no longer wanted')), 20);
  await t.rejects(call, { message: 'no longer wanted' });
  t.ok(performance.now() - began < 5_000);
  await t.rejects(get({ signal: aborting.signal }), { message: 'no longer wanted' });
  t.equal(sent, 1);
});

t.test('a signal ends an attempt, which is not repeated', async (t) => {
  let sent = 0;
  const get = client((_, init) => (sent++, silent(init?.signal)));
  await t.rejects(get({ signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
  t.equal(sent, 1);
});

t.test('an attempt without an answer ends after its time, and is repeated', async (t) => {
  let sent = 0;
  const patience = { tries: 3, timeoutMs: 20, firstPauseMs: 1 };
  const get = client((_, init) => (sent++ < 2 ? silent(init?.signal) : Promise.resolve(answer(200))), { patience });
  t.same((await get()).data, {});
  t.equal(sent, 3);
  const never = client((_, init) => silent(init?.signal), { patience: { ...patience, tries: 2 } });
  await t.rejects(never(), { name: 'TimeoutError' });
  const signals: unknown[] = [];
  const send = async (signal?: AbortSignal) => (signals.push(signal), answer(200));
  await sendPatiently(send, { timeoutMs: Infinity });
  t.same(signals, [undefined], 'without a limit there is nothing to end it');
});

t.test('Retry-After is read as seconds and as a date', async (t) => {
  const at = (ms: number): string => new Date(ms).toUTCString();
  const now = Date.now();
  const far = { 'retry-after': at(now + 3_600_000) };
  t.match(
    await attempts([() => answer(503, far)], {}),
    { sent: 1, status: 503 },
    'too long a pause is not waited for',
  );
  // A clock that is wrong by a year.
  const theirs = now + 365 * 86_400_000;
  const soon = { date: at(theirs), 'retry-after': at(theirs + 1_000) };
  const waited = await attempts([() => answer(503, soon), () => answer(200)], {});
  t.match(waited, { sent: 2, status: 200 });
  t.ok(waited.ms >= 990 && waited.ms < 5_000, `${waited.ms} ms`);
  const odd = { 'retry-after': 'soon' };
  t.match(await attempts([() => answer(503, odd), () => answer(200)], {}), { sent: 2, status: 200 });
});

t.test('a patience that is no number is the usual one', async (t) => {
  for (const tries of [undefined, NaN, '7'])
    t.match(await attempts([() => answer(503)], { tries } as never), { sent: 4, status: 503 }, String(tries));
  for (const tries of [0, -1]) t.match(await attempts([() => answer(503)], { tries }), { sent: 1 });
  const odd = { firstPauseMs: undefined, maxPauseMs: NaN, timeoutMs: undefined } as never;
  t.match(await attempts([() => answer(200)], odd), { sent: 1, status: 200 });
});

t.test('what says that it may succeed later is repeated, whatever its status', async (t) => {
  for (const status of [500, 423, 409, 408])
    t.match(await attempts([() => problem(status, true), () => answer(200)], {}), { sent: 2, status: 200 });
  t.match(await attempts([() => problem(503, false)], {}), { sent: 1, status: 503 });
  t.match(await attempts([() => answer(500)], {}), { sent: 1, status: 500 });
});

t.test('an answer that nobody reads gives its connection back', async (t) => {
  let open = 0;
  const unread = (status: number): Response => {
    open += 1;
    const body = new ReadableStream({ cancel: () => void (open -= 1) });
    return new Response(body, { status, headers: { 'content-type': 'text/html' } });
  };
  const answers = [() => unread(401), () => unread(502), () => unread(404)];
  const get = client(async () => answers.shift()!(), { token: () => 'a-token' });
  await t.rejects(get(), { name: 'ProblemError', status: 404 });
  t.equal(open, 0);
});

t.test('an answer that is none of a service is said to be one', async (t) => {
  const page = (): Response =>
    new Response('<!doctype html><p>Sign in', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  const error: unknown = await client(async () => page())().catch((thrown: unknown) => thrown);
  t.ok(error instanceof ProblemError);
  t.match(error, { status: 200, code: '', isRetryable: false, message: /no JSON but text\/html/ });
  t.match(await client(async () => page())({ parseAs: 'text' }), { data: /Sign in/ }, 'a text may be any');
});

t.test('a list ends without a next cursor, and with an error where it would have no end', async (t) => {
  const read = async (pages: Record<string, string | null | undefined>) => {
    const cursors: string[] = [];
    const page = async (cursor = 'a') => {
      cursors.push(cursor);
      return { items: [cursor], nextCursor: pages[cursor] };
    };
    for await (const _ of itemsOf(page));
    return cursors;
  };
  t.same(await read({ a: 'b', b: undefined }), ['a', 'b']);
  t.same(await read({ a: 'b', b: '' }), ['a', 'b']);
  await t.rejects(read({ a: 'b', b: 'b' }), /has no end/);
  await t.rejects(read({ a: 'b', b: 'c', c: 'b' }), /has no end/);
});
