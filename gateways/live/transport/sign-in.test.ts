import Fastify from 'fastify';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Test, test } from 'tap';

import { SealedText } from '../../../src/kernel/operations/sealed-text.ts';
import type { SigningKey } from '../../../src/kernel/operations/signed-text.ts';
import { memoryCounters } from '../../../src/platform/coordination/memory-counters.ts';
import { markOf } from '../../../src/tenants/contracts/person-key.ts';
import { freePorts } from '../../../src/testing/launch/free-ports.ts';
import { memorySessions } from '../../../src/testing/partners/memory-sessions.ts';
import { Browser } from '../../../test/blackbox/browser.ts';
import { until } from '../../../test/blackbox/waiting.ts';
import { localVerifier } from '../../auth/access-token.ts';
import { BrowserSessions } from '../../auth/browser-sessions.ts';
import { startDevelopmentIssuer } from '../../auth/development-issuer.ts';
import { developmentKeys } from '../../auth/development-keys.ts';
import { SessionCookies } from '../../auth/session-cookie.ts';
import { RateLimits } from '../../http/admission/rate-limit.ts';
import { sendProblem } from '../../http/problem-filter.ts';
import type { OwnSettingsOptions } from './own-settings.ts';
import { registerSignIn } from './sign-in.ts';

const HOUR_MS = 3_600_000;
const log = pino({ level: 'silent' });

/** What is made and read under one key. */
const under = (one: SigningKey) => ({ sealed: new SealedText([one]), cookies: new SessionCookies([one]) });
const NO_LIMITS = new RateLimits({ tenant: 0, subject: 0, address: 0 }, memoryCounters);
const key = (id: string) => ({ id, secret: randomBytes(32) });

/** The routes on a server of their own, with the development issuer behind them. */
async function start(t: Test, refreshBeforeMs?: number, limits = NO_LIMITS) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sign-in-'));
  t.teardown(() => rmSync(dataDir, { recursive: true }));
  const keys = await developmentKeys(dataDir);
  // The page is served anew at its address.
  const [port] = (await freePorts(1)) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const issuer = await startDevelopmentIssuer({
    port: 0,
    keys,
    log,
    audience: 'innkeeper',
    dashboardOrigins: [origin],
  });
  t.teardown(() => issuer[Symbol.asyncDispose]());
  const settings = {
    issuer: issuer.url,
    audience: 'innkeeper',
    client: { id: 'dashboard' },
    store: memorySessions(),
  };
  const first = key('k1');
  const verify = localVerifier(keys, { issuer: issuer.url, audience: 'innkeeper', tokenTyp: 'at+jwt' });
  const own: OwnSettingsOptions = {
    people: settings.store.people,
    identify: async (token) => ({ ...(await verify(token)), mark: markOf(token) }),
    profileOf: async ({ issuer, subject }) => ({ issuer, subject, name: null, email: null, tenants: [] }),
  };
  let page = Fastify();
  t.teardown(() => page.close());
  /** The process that serves the page; what it stored outside of itself stays. */
  const serve = async (keys: SigningKey[]): Promise<void> => {
    await page.close();
    page = Fastify();
    const made = { sealed: new SealedText(keys), cookies: new SessionCookies(keys) };
    const sessions = new BrowserSessions({ ...settings, ...made }, refreshBeforeMs);
    page.setErrorHandler((error, request, reply) => sendProblem(log, error, request, reply));
    registerSignIn(page, { sessions, origins: [origin], limits, log, roleOf: async () => 'STAFF', own });
    await page.listen({ port, host: '127.0.0.1' });
    // Connections to the one before are dead; who finds one so is not to be one of the tests.
    await until('the page answers', 30_000, () => fetch(origin).catch(() => undefined));
  };
  await serve([first]);
  return { origin, issuer, verify, serve, first, store: settings.store };
}

async function session(browser: Browser, origin: string, init?: { headers: Record<string, string> }) {
  const response = await browser.ask(`${origin}/auth/session`, init);
  const text = await response.text();
  const body: { tenantId?: string; token?: string; expiresAt?: number } = text === '' ? {} : JSON.parse(text);
  return { status: response.status, body, text, headers: response.headers };
}

const isPage = ({ pathname }: URL): boolean => pathname === '/';
const isCallback = ({ pathname }: URL): boolean => pathname === '/auth/callback';

void test('a browser signs in, and has a session that no script can read', async (t) => {
  const { origin, verify, issuer } = await start(t);
  const browser = new Browser();
  t.equal((await session(browser, origin)).status, 204, 'nobody yet');
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:MANAGER`, isPage);
  const line = browser.lines.find((one) => one.startsWith('__Host-innkeeper-session='));
  for (const part of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/']) t.match(line, part);
  t.notMatch(line, /Domain/i);
  const { status, body, text, headers } = await session(browser, origin);
  t.match({ status, body }, { status: 200, body: { tenantId: 'demo' } });
  t.equal(headers.get('cache-control'), 'no-store');
  t.match(await verify(body.token ?? ''), { issuer: issuer.url, subject: 'demo-manager' });
  t.same(
    Object.keys(body).sort(),
    ['expiresAt', 'preferences', 'role', 'tenantId', 'token'],
    'no refresh token leaves',
  );
  t.notOk(
    browser.lines.some((one) => one.includes(body.token ?? text)),
    'and no token is a cookie',
  );
});

void test('signing out ends the session here, whatever the browser keeps', async (t) => {
  const { origin } = await start(t);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  const retained = new Map(browser.cookies);
  t.equal((await browser.ask(`${origin}/auth/sign-out`, { method: 'POST' })).status, 204);
  t.notOk([...browser.cookies.keys()].some((name) => name.includes('session=')));
  for (const [name, value] of retained) browser.cookies.set(name, value);
  t.equal((await session(browser, origin)).status, 204);
});

void test('a token that ends soon is exchanged for a new one, once for all callers', async (t) => {
  const { origin } = await start(t, 48 * HOUR_MS);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  const asked = await Promise.all([1, 2, 3].map(() => session(browser, origin)));
  t.equal(new Set(asked.map(({ body }) => body.token)).size, 1);
  const later = await session(browser, origin);
  t.equal(later.status, 200, 'the refresh token was exchanged too');
  t.not(later.body.token, asked[0]?.body.token);
});

void test('an answer of the issuer signs in the browser that began, once, and no other', async (t) => {
  const { origin } = await start(t);
  const [browser, thief] = [new Browser(), new Browser()];
  const callback = await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:OWNER`, isCallback);
  t.equal(await thief.follow(callback, isPage), `${origin}/?sign-in=refused`);
  t.equal((await session(thief, origin)).status, 204);
  const retained = new Map(browser.cookies);
  t.equal(await browser.follow(callback, isPage), `${origin}/`, 'which the thief cannot lock out either');
  for (const [name, value] of retained) browser.cookies.set(name, value);
  t.equal(await browser.follow(callback, isPage), `${origin}/?sign-in=refused`, 'the code is spent');
  for (const query of ['', '?code=x&state=y', '?error=access_denied&state=y'])
    t.equal(await browser.follow(`${origin}/auth/callback${query}`, isPage), `${origin}/?sign-in=refused`);
});

void test('people stay signed in over a restart, and a restart of the page amid signing in costs nothing', async (t) => {
  const { origin, serve, first } = await start(t);
  const browser = new Browser();
  const callback = await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isCallback);
  await serve([first]);
  t.equal(await browser.follow(callback, isPage), `${origin}/`);
  const before = await session(browser, origin);
  await serve([key('k2'), first]);
  const after = await session(browser, origin);
  t.same(after.body, before.body, 'the key was rotated; what is under the old one can be read');
  await serve([key('k2')]);
  t.equal((await session(browser, origin)).status, 204, 'without the key nobody can, so nobody is signed in');
});

void test('signing out at one node signs out at all of them, also while a token is renewed', async (t) => {
  const { origin, issuer, store, first } = await start(t, 48 * HOUR_MS);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  const cookie = browser.cookies.get(`${origin}__Host-innkeeper-session`);
  const settings = { issuer: issuer.url, audience: 'innkeeper', client: { id: 'dashboard' }, store };
  const other = new BrowserSessions({ ...settings, ...under(first) }, 48 * HOUR_MS);
  const both = await Promise.all([other.current(cookie), session(browser, origin)]);
  t.ok(both[0]?.token, 'nodes that renew at the same moment do not spend the refresh token twice');
  t.equal(both[1].status, 200);
  t.ok((await other.current(cookie))?.token, 'and the session goes on');
  const renewing = other.current(cookie);
  await browser.ask(`${origin}/auth/sign-out`, { method: 'POST' });
  await renewing;
  t.equal(await other.current(cookie), undefined);
});

void test('a request after another one has renewed the session uses its result', async (t) => {
  const { origin, issuer, store, first } = await start(t, 48 * HOUR_MS);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  const cookie = browser.cookies.get(`${origin}__Host-innkeeper-session`);
  let renewed: string | undefined;
  const late: typeof store = {
    ...store,
    async claim(place, forMs) {
      renewed = (await session(browser, origin)).body.token;
      return store.claim(place, forMs);
    },
  };
  const settings = { issuer: issuer.url, audience: 'innkeeper', client: { id: 'dashboard' }, store: late };
  const other = new BrowserSessions({ ...settings, ...under(first) }, 48 * HOUR_MS);
  t.equal((await other.current(cookie))?.token, renewed, 'the refresh token it knew is spent');
  t.equal((await session(browser, origin)).status, 200, 'and the session goes on');
});

void test('a session that the issuer has ended is over', async (t) => {
  const { origin, store, first } = await start(t, 48 * HOUR_MS);
  const keep = store.store.bind(store);
  store.store = async (place, { endsAt, token }) => {
    const ended = { token: 'x', expiresAt: endsAt, refreshToken: 'not one of its' };
    const bound = `browser session ${place.tenantId} ${place.id}`;
    await keep(place, { sealed: new SealedText([first]).seal(JSON.stringify(ended), bound), endsAt, token });
  };
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  await session(browser, origin);
  t.equal((await session(browser, origin)).status, 204);
});

void test('an issuer that is away ends no session', async (t) => {
  const { origin, issuer } = await start(t, 48 * HOUR_MS);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  await issuer[Symbol.asyncDispose]();
  t.equal((await session(browser, origin)).status, 200, 'the token lasts for a while');
});

void test('a cookie that was changed, is of another tenant, or is far too long is no session', async (t) => {
  const { origin } = await start(t);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  const name = `${origin}__Host-innkeeper-session`;
  const good = browser.cookies.get(name)!;
  t.match(good, /^demo\.[\w-]{43}\.k1\.[\w-]{43}$/, 'it says where to look and who made it, and nothing else');
  const flipped = good.slice(0, -2) + (good.at(-2) === 'A' ? 'B' : 'A') + good.slice(-1);
  for (const wrong of [flipped, good.replace('demo', 'rival'), good + 'x'.repeat(8_000), 'demo.', '.', "'; drop"]) {
    browser.cookies.set(name, wrong);
    t.equal((await session(browser, origin)).status, 204, wrong.slice(0, 60));
  }
  browser.cookies.set(name, good);
  t.equal((await session(browser, origin)).status, 200);
  const starting = `${origin}__Host-innkeeper-signing-in`;
  const callback = await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isCallback);
  const sealed = browser.cookies.get(starting)!;
  for (const wrong of [`${sealed.slice(0, -2)}AA`, 'x'.repeat(8_000), 'k9.AAAA', '']) {
    browser.cookies.set(starting, wrong);
    t.equal(await browser.follow(callback, isPage), `${origin}/?sign-in=refused`, wrong.slice(0, 60));
  }
});

void test('a forged cookie never reaches the store, and its address is soon limited', async (t) => {
  const limits = new RateLimits({ tenant: 0, subject: 0, address: 20 }, memoryCounters);
  const { origin, store } = await start(t, undefined, limits);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  let questions = 0;
  for (const name of ['find', 'end'] as const) {
    const ask = store[name].bind(store);
    store[name] = (place) => ((questions += 1), ask(place));
  }
  const name = `${origin}__Host-innkeeper-session`;
  const good = browser.cookies.get(name)!;
  const secret = (): string => randomBytes(32).toString('base64url');
  const forged = [
    `demo.${secret()}`,
    `demo.${secret()}.k1.${secret()}`,
    `demo.${secret()}.k9.${secret()}`,
    good.replace(/[^.]+$/, secret()),
    good.replace('demo', 'rival'),
  ];
  const ask = (cookie: string, path = 'session', method = 'GET') =>
    fetch(`${origin}/auth/${path}`, { method, headers: { cookie: `__Host-innkeeper-session=${cookie}` } });
  for (const cookie of forged) {
    const answer = await ask(cookie);
    t.equal(answer.status, 204);
    t.match(answer.headers.get('set-cookie'), 'Max-Age=0', 'the browser forgets it');
    t.equal((await ask(cookie, 'sign-out', 'POST')).status, 204);
  }
  t.equal(questions, 0);
  const flood = await Promise.all(Array.from({ length: 200 }, () => ask(forged[1]!)));
  const refused = flood.find(({ status }) => status === 429)!;
  t.ok(refused.headers.get('retry-after'));
  t.match(await refused.json(), { code: 'QUOTA_EXCEEDED' });
  t.equal(questions, 0);
  t.equal((await session(browser, origin)).status, 200, 'who is signed in at that address is not touched');
});

void test('a session is looked for once at a time, and never again after it is gone', async (t) => {
  const { origin, issuer, store, first } = await start(t);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  const cookie = browser.cookies.get(`${origin}__Host-innkeeper-session`);
  let questions = 0;
  const counted: typeof store = { ...store, find: (place) => ((questions += 1), store.find(place)) };
  const settings = { issuer: issuer.url, audience: 'innkeeper', client: { id: 'dashboard' }, store: counted };
  const sessions = new BrowserSessions({ ...settings, ...under(first) });
  const found = await Promise.all([1, 2, 3, 4, 5].map(() => sessions.current(cookie)));
  t.equal(new Set(found.map((one) => one?.token)).size, 1);
  t.ok(found[0]?.token);
  t.equal(questions, 1);
  t.ok(await sessions.current(cookie));
  t.equal(questions, 2, 'and is not believed for longer than the question takes');
  await sessions.end(cookie);
  for (let n = 0; n < 3; n += 1) t.notOk(await sessions.current(cookie));
  t.equal(questions, 2);
});

void test('the stored row opens no session, and holds no token in the clear', async (t) => {
  const { origin, store } = await start(t);
  const retained: string[] = [];
  const keep = store.store.bind(store);
  store.store = async (place, one) => {
    retained.push(JSON.stringify([place, one]));
    await keep(place, one);
  };
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`, isPage);
  const { body } = await session(browser, origin);
  const secret = browser.cookies.get(`${origin}__Host-innkeeper-session`)!.split('.')[1]!;
  t.equal(retained.length, 1);
  for (const word of [body.token!, body.token!.split('.')[1]!, secret]) t.notOk(retained[0]!.includes(word));
});

void test('a page of another site gets neither the session nor its end', async (t) => {
  const { origin } = await start(t);
  const browser = new Browser();
  await browser.follow(`${origin}/auth/sign-in?tenant=demo&hint=demo:OWNER`, isPage);
  const others: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
  for (const headers of others) {
    t.equal((await session(browser, origin, { headers })).status, 204);
    t.equal((await browser.ask(`${origin}/auth/sign-out`, { method: 'POST', headers })).status, 403);
  }
  t.equal((await session(browser, origin)).status, 200, 'the session lives');
});

void test('without an issuer, or without a tenant, the page gets an error', async (t) => {
  const { origin, issuer } = await start(t);
  const browser = new Browser();
  t.equal(await browser.follow(`${origin}/auth/sign-in?tenant=a%20b`, isPage), `${origin}/?sign-in=unavailable`);
  await issuer[Symbol.asyncDispose]();
  t.equal(await browser.follow(`${origin}/auth/sign-in?tenant=demo`, isPage), `${origin}/?sign-in=unavailable`);
});
