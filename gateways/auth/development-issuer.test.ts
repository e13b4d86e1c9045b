import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as client from 'openid-client';
import { pino } from 'pino';
import { type Test, test } from 'tap';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { localVerifier, remoteVerifier } from './access-token.ts';
import { type DevelopmentIssuer, startDevelopmentIssuer } from './development-issuer.ts';
import { developmentKeys } from './development-keys.ts';
import { CLIENT_SECRET } from './development-provider.ts';
import { mintDevelopmentTokens } from './mint.ts';

const origin = 'http://127.0.0.1:8085';

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'issuer-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

async function start(dataDir: string, port = 0): Promise<DevelopmentIssuer> {
  const keys = await developmentKeys(dataDir);
  const log = pino({ level: 'silent' });
  return startDevelopmentIssuer({ port, keys, log, audience: 'innkeeper', dashboardOrigins: [origin] });
}

function asClient(issuer: DevelopmentIssuer, id: string, secret?: string): Promise<client.Configuration> {
  const auth = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
  return client.discovery(new URL(issuer.url), id, undefined, auth, { execute: [client.allowInsecureRequests] });
}

/** A browser that follows redirects and keeps cookies, until it is sent to `origin`. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async open(url: string, init: RequestInit = {}): Promise<{ url: URL; text: string }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    const next = response.headers.get('location');
    // Switching users goes through a form that a script of the page submits.
    const form = /<form method="post" action="([^"]+)">/.exec(text.includes('.submit()') ? text : '')?.[1];
    if (form !== undefined) return this.open(form, { method: 'POST', body: fieldsOf(text) });
    if (next === null) return { url: new URL(url), text };
    const target = new URL(next, url);
    return target.origin === origin ? { url: target, text } : this.open(target.href);
  }
}

function fieldsOf(page: string): URLSearchParams {
  const inputs = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)"/g);
  return new URLSearchParams([...inputs].map(([, name = '', value = '']): [string, string] => [name, value]));
}

type Flow = { config: client.Configuration; verifier: string; state: string; url: URL };

async function begin(issuer: DevelopmentIssuer, more: Record<string, string> = {}): Promise<Flow> {
  const config = await asClient(issuer, 'dashboard');
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: `${origin}/`,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...more,
  });
  return { config, verifier, state, url };
}

function finish({ config, verifier, state }: Flow, at: URL): ReturnType<typeof client.authorizationCodeGrant> {
  return client.authorizationCodeGrant(config, at, { pkceCodeVerifier: verifier, expectedState: state });
}

void test('a browser signs in by one click and gets an access token', async (t) => {
  const dataDir = folder(t);
  await using issuer = await start(dataDir);
  const flow = await begin(issuer);
  const browser = new Browser();
  const page = await browser.open(flow.url.href);
  t.match(page.text, /value="demo-manager".*value="rival-owner"/s);
  t.equal(page.text.match(/<button/g)?.length, 10);
  const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const done = await browser.open(new URL(action, issuer.url).href, {
    method: 'POST',
    body: new URLSearchParams({ subject: 'demo-staff' }),
  });
  const tokens = await finish(flow, done.url);
  t.match(tokens.claims(), { sub: 'demo-staff' });
  const rules = { issuer: issuer.url, audience: 'innkeeper', tokenTyp: 'at+jwt' } as const;
  const identity = await localVerifier(await developmentKeys(dataDir), rules)(tokens.access_token);
  t.match(identity, { subject: 'demo-staff', issuer: issuer.url });
  t.ok((identity.expiresAt - Date.now()) / 3_600_000 > 23.9);
  t.match(await remoteVerifier(rules)(tokens.access_token), { subject: 'demo-staff' }, 'by discovery too');
  await t.rejects(remoteVerifier(rules)(tokens.id_token ?? ''), 'an ID token is none');
});

void test('login_hint skips the page, also when somebody else is signed in', async (t) => {
  await using issuer = await start(folder(t));
  const browser = new Browser();
  for (const [hint, subject] of [
    ['demo:MANAGER', 'demo-manager'],
    ['rival:VIEWER', 'rival-viewer'],
  ] as const) {
    const flow = await begin(issuer, { login_hint: hint });
    const tokens = await finish(flow, (await browser.open(flow.url.href)).url);
    t.match(tokens.claims(), { sub: subject });
  }
});

void test('a public client without PKCE, or with a foreign redirect, gets nothing', async (t) => {
  await using issuer = await start(folder(t));
  const config = await asClient(issuer, 'dashboard');
  const plain = client.buildAuthorizationUrl(config, { redirect_uri: `${origin}/`, scope: 'openid' });
  t.equal((await new Browser().open(plain.href)).url.searchParams.get('error'), 'invalid_request');
  const flow = await begin(issuer, { redirect_uri: 'http://evil.test/', login_hint: 'demo:OWNER' });
  t.match((await new Browser().open(flow.url.href)).text, /redirect_uri/);
});

void test('client credentials give a token for the demo user of that name, and the operator a scope', async (t) => {
  await using issuer = await start(folder(t));
  const rules = { issuer: issuer.url, audience: 'innkeeper', tokenTyp: 'at+jwt' } as const;
  const verify = remoteVerifier(rules);
  const admin = await client.clientCredentialsGrant(await asClient(issuer, 'demo-admin', CLIENT_SECRET));
  t.match(await verify(admin.access_token), { subject: 'demo-admin', scopes: [] });
  const operator = await asClient(issuer, 'operator', CLIENT_SECRET);
  const scoped = await client.clientCredentialsGrant(operator, { scope: 'innkeeper:operate' });
  t.match(await verify(scoped.access_token), { scopes: ['innkeeper:operate'] });
  const agent = await client.clientCredentialsGrant(await asClient(issuer, 'demo-staff', CLIENT_SECRET), {
    scope: 'innkeeper:agent',
  });
  t.match(await verify(agent.access_token), { subject: 'demo-staff', scopes: ['innkeeper:agent'] });
  const greedy = await asClient(issuer, 'demo-admin', CLIENT_SECRET);
  const asked = await client.clientCredentialsGrant(greedy, { scope: 'innkeeper:operate' }).catch(() => undefined);
  if (asked !== undefined) t.same((await verify(asked.access_token)).scopes, []);
});

void test('only the dashboards may call the token endpoint from a browser', async (t) => {
  await using issuer = await start(folder(t));
  const allowed = async (from: string) => {
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: 'dashboard', code: 'x' });
    const response = await fetch(`${issuer.url}/token`, { method: 'POST', body, headers: { origin: from } });
    return response.headers.get('access-control-allow-origin');
  };
  t.equal(await allowed(origin), origin);
  t.equal(await allowed('http://evil.test'), null);
});

void test('keys survive a restart, and nobody else may read them', async (t) => {
  const dataDir = folder(t);
  const [port] = await freePorts(1);
  const first = await start(dataDir, port);
  const rules = { issuer: first.url, audience: 'innkeeper' };
  const { tokens, operatorToken } = await mintDevelopmentTokens(await developmentKeys(dataDir), rules);
  await first[Symbol.asyncDispose]();
  await using second = await start(dataDir, port);
  const verify = remoteVerifier({ ...rules, tokenTyp: 'at+jwt' });
  t.equal(second.url, first.url);
  t.match(await verify(tokens['demo']?.MANAGER ?? ''), { subject: 'demo-manager' });
  t.match(await verify(tokens['rival']?.OWNER ?? ''), { subject: 'rival-owner' });
  t.match(await verify(operatorToken), { scopes: ['innkeeper:operate'] });
  t.equal(statSync(join(dataDir, 'oidc-keys.json')).mode & 0o777, 0o600);
});
