import { request } from 'node:http';
import t from 'tap';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import {
  launchBrowser,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { AgentClient, agentToken } from './agent-client.ts';
import { Browser } from './browser.ts';
import { arrival, openWs } from './live-client.ts';
import { reverseProxy } from './reverse-proxy.ts';
import { Service } from './service.ts';

t.setTimeout(PAGE_FILE_MS);

const [port] = (await freePorts(1)) as [number];
const origin = `http://127.0.0.1:${port}`;
/** Another address of this machine: a separate client when seen through the proxy. */
const STRANGER = '127.0.0.2';

const service = await Service.start({
  PUBLIC_RATE_URL: `${origin}/rate`,
  PUBLIC_RESERVATION_URL: `${origin}/reservation/`,
  PUBLIC_LIVE_URL: origin,
  TRUST_PROXY: '127.0.0.1',
});
t.teardown(() => service.remove());
const { rateUrl, reservationUrl, liveUrl } = service.dev;
const proxy = await reverseProxy(port, { '/rate/': rateUrl, '/reservation/': reservationUrl, '/': liveUrl });
t.teardown(() => proxy[Symbol.dispose]());

const list = (token: string, localAddress: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const path = '/reservation/api/v1/tenants/demo/properties?limit=1';
    const all = { authorization: `Bearer ${token}`, 'x-tenant-id': 'demo', ...headers };
    request({ host: '127.0.0.1', port, path, localAddress, headers: all, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

void t.test('pages, links and documents have public addresses only', async (t) => {
  const config = (await (await fetch(`${origin}/config.json`)).json()) as Record<string, unknown>;
  t.match(config, { rateUrl: `${origin}/rate`, reservationUrl: `${origin}/reservation` });
  const document = (await (await fetch(`${origin}/rate/v3/api-docs`)).json()) as Record<string, unknown>;
  t.same(document['servers'], [{ url: `${origin}/rate` }]);
  const asyncApi = (await (await fetch(`${origin}/reservation/v3/asyncapi.json`)).json()) as Record<string, unknown>;
  t.match(asyncApi, { servers: { live: { host: `127.0.0.1:${port}`, protocol: 'ws' } } });
  const docs = await fetch(`${origin}/rate/swagger-ui.html`);
  t.equal(docs.url, `${origin}/rate/swagger-ui/index.html`);
  t.equal(docs.status, 200);
});

void t.test('a browser signs in, stays signed in, and comes back to the public address', async (t) => {
  const browser = new Browser();
  const end = await browser.follow(
    `${origin}/auth/sign-in?tenant=demo&hint=demo:STAFF`,
    ({ pathname }) => pathname === '/',
  );
  t.equal(end, `${origin}/`);
  t.match(await (await browser.ask(`${origin}/auth/session`)).json(), { tenantId: 'demo' });
});

void t.test('a client that tries many session cookies is limited, as everywhere', async (t) => {
  const ask = (n: number) =>
    fetch(`${liveUrl}/auth/session`, { headers: { cookie: `__Host-innkeeper-session=demo.${n}` } });
  const flood = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)));
  t.same(new Set(flood.map(({ status }) => status)), new Set([204, 429]));
  t.match(await flood.find(({ status }) => status === 429)?.json(), { code: 'QUOTA_EXCEEDED', retryable: true });
});

void t.test('the page works over one origin with paths', pageTestOptions, async (t) => {
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const { page, complaints } = await openPage(browser, 'about:blank');
  const origins = new Set<string>();
  page.on('request', (one) => origins.add(new URL(one.url()).origin));
  page.on('websocket', (one) => origins.add(new URL(one.url()).origin.replace(/^ws/, 'http')));
  await page.goto(`${origin}/`);
  await signInWithToken(page, service.token('demo', 'MANAGER'));
  await page.locator('.picker option[value="harbor-hotel"]').waitFor({ state: 'attached' });
  await page.locator('.connection[data-state="live"]').waitFor();
  t.same([...origins], [origin]);
  t.same(complaints, []);
});

void t.test('an agent finds server and issuer below a path', async (t) => {
  const url = `${origin}/reservation/mcp`;
  const refused = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  t.equal(refused.status, 401);
  const document = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
  t.equal(document, `${origin}/reservation/.well-known/oauth-protected-resource/mcp`);
  const described = (await (await fetch(document!)).json()) as Record<string, unknown>;
  t.match(described, { resource: url, authorization_servers: [service.dev.issuer] });
  await using agent = await AgentClient.open(url, await agentToken(service));
  t.match(await agent.call('list_properties'), { isError: false, json: { properties: Array } });
});

void t.test('limits count clients, not the proxy, and nobody can say that he is another', async (t) => {
  const flood = await Promise.all(Array.from({ length: 200 }, (_, n) => list(`forged${n}`, STRANGER)));
  t.same(new Set(flood), new Set([401, 429]));
  t.equal(await list('forged', '127.0.0.1'), 401, 'another client has its own share');
  const pretending = await Promise.all(
    Array.from({ length: 200 }, (_, n) => list(`more${n}`, STRANGER, { 'x-forwarded-for': `198.51.100.${n}` })),
  );
  t.ok(pretending.includes(429));
  t.equal(await list(service.token('demo', 'OWNER'), STRANGER), 200, 'a valid token gets in from the same address');
  const socket = await openWs(origin);
  t.teardown(() => socket.close());
  socket.send({ t: 'auth', token: service.token('demo', 'VIEWER'), tenantId: 'demo' });
  await arrival(socket, 'ready', ({ t: kind }) => kind === 'ready');
});
