import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { localVerifier, remoteVerifier } from './access-token.ts';
import { type DevelopmentKeys, developmentKeys } from './development-keys.ts';
import { mint } from './mint.ts';

const rules = { issuer: 'http://issuer.test', audience: 'innkeeper', tokenTyp: 'at+jwt' } as const;

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'auth-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

type Changes = { typ?: string; iss?: string; aud?: string; exp?: number; claims?: Record<string, unknown> };

async function signed(
  keys: DevelopmentKeys,
  { typ = 'at+jwt', iss, aud, exp, claims }: Changes = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub: 'demo-manager', ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ, kid: keys.signing.kid })
    .setIssuer(iss ?? rules.issuer)
    .setAudience(aud ?? rules.audience)
    .setExpirationTime(exp ?? now + 60)
    .sign(await importJWK(keys.signing, 'EdDSA'));
}

async function error(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'accepted';
  } catch (error) {
    return error instanceof DomainError ? `${error.code}: ${error.message}` : `not a DomainError: ${String(error)}`;
  }
}

void test('a token of the issuer says who it speaks for', async (t) => {
  const keys = await developmentKeys(folder(t));
  const token = await mint(keys, { ...rules, subject: 'operator', scope: 'innkeeper:operate x' });
  const identity = await localVerifier(keys, rules)(token);
  t.match(identity, { issuer: rules.issuer, subject: 'operator', scopes: ['innkeeper:operate', 'x'] });
  const hours = (identity.expiresAt - Date.now()) / 3_600_000;
  t.ok(hours > 23.9 && hours <= 24);
});

void test('whatever is wrong with a token is refused', async (t) => {
  const keys = await developmentKeys(folder(t));
  const verify = localVerifier(keys, rules);
  const now = Math.floor(Date.now() / 1000);
  t.match(await error(verify(await signed(keys, { exp: now - 10 }))), /^UNAUTHENTICATED: .*expired/);
  t.equal(await error(verify(await signed(keys, { exp: now - 2 }))), 'accepted', 'five seconds of skew');
  t.match(await error(verify(await signed(keys, { aud: 'other' }))), /`aud`/);
  t.match(await error(verify(await signed(keys, { iss: 'http://other.test' }))), /`iss`/);
  t.match(await error(verify(await signed(keys, { typ: 'JWT' }))), /typ/);
  t.match(await error(verify(await signed(keys, { claims: { sub: '' } }))), /^UNAUTHENTICATED/);
  const other = await developmentKeys(folder(t));
  t.match(await error(verify(await signed(other))), /^UNAUTHENTICATED/, 'signed by another key');
  const unsecured = new UnsecuredJWT({ sub: 'x' }).setIssuer(rules.issuer).setAudience(rules.audience);
  t.match(await error(verify(unsecured.setExpirationTime('1h').encode())), /^UNAUTHENTICATED/, 'alg none');
  const secret = new TextEncoder().encode(keys.signing.x.padEnd(64, 'x'));
  const symmetric = new SignJWT({ sub: 'x' }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' });
  const hs256 = await symmetric
    .setIssuer(rules.issuer)
    .setAudience(rules.audience)
    .setExpirationTime('1h')
    .sign(secret);
  t.match(await error(verify(hs256)), /^UNAUTHENTICATED/, 'HS256');
  for (const junk of ['', 'x', 'a.b.c', `${await signed(keys)}x`])
    t.match(await error(verify(junk)), /^UNAUTHENTICATED/);
});

void test('with OIDC_TOKEN_TYP=JWT a plain JWT passes unless it looks like an ID token', async (t) => {
  const keys = await developmentKeys(folder(t));
  const verify = localVerifier(keys, { ...rules, tokenTyp: 'JWT' });
  t.equal(await error(verify(await signed(keys, { typ: 'JWT' }))), 'accepted');
  t.equal(await error(verify(await signed(keys))), 'accepted');
  t.match(await error(verify(await signed(keys, { typ: 'JWT', claims: { nonce: 'n' } }))), /^UNAUTHENTICATED/);
  t.match(await error(verify(await signed(keys, { typ: 'JWT', claims: { at_hash: 'h' } }))), /^UNAUTHENTICATED/);
});

void test('opaque tokens are shown to the issuer, where that is wanted', async (t) => {
  const said: Record<string, object> = {};
  let url = '';
  const server = createServer((request, response) => void answered(request, response));
  const answered = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const answer = request.url?.endsWith('openid-configuration')
      ? { issuer: url, jwks_uri: `${url}/jwks`, token_endpoint: url, introspection_endpoint: `${url}/introspect` }
      : said[new URLSearchParams(body).get('token') ?? ''];
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer ?? { active: false }));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const exp = Math.floor(Date.now() / 1000) + 60;
  const fine = { active: true, iss: url, sub: 'u1', aud: ['innkeeper'], exp, scope: 'a b' };
  Object.assign(said, {
    fine,
    foreign: { ...fine, aud: 'other' },
    late: { ...fine, exp: exp - 120 },
    nobody: { ...fine, sub: '' },
  });
  const foreign = { ...rules, issuer: url };
  const verify = remoteVerifier(foreign, { id: 'innkeeper', secret: 's' });
  t.match(await verify('fine'), { issuer: url, subject: 'u1', scopes: ['a', 'b'] });
  for (const token of ['unknown', 'foreign', 'late', 'nobody'])
    t.match(await error(verify(token)), /^UNAUTHENTICATED/, token);
  t.match(await error(remoteVerifier(foreign)('fine')), /^UNAUTHENTICATED/, 'and nowhere else');
});

void test('keys of a foreign issuer are found by discovery; while it is away the answer is 503', async (t) => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' };
  let url = '';
  const server = createServer((request, response) => {
    const body = request.url?.endsWith('openid-configuration')
      ? { issuer: url, jwks_uri: `${url}/jwks`, authorization_endpoint: url, token_endpoint: url }
      : { keys: [jwk] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const verify = remoteVerifier({ ...rules, issuer: url });
  const build = () => new SignJWT({ sub: 'u1' }).setIssuer(url).setAudience('innkeeper').setExpirationTime('1h');
  const token = await build().setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k1' }).sign(privateKey);
  t.match(await verify(token), { issuer: url, subject: 'u1' });
  const unknown = await build().setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k2' }).sign(privateKey);
  t.match(await error(verify(unknown)), /^UNAUTHENTICATED/);
  const es512 = generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey;
  const wrongAlg = await build().setProtectedHeader({ alg: 'ES512', typ: 'at+jwt', kid: 'k1' }).sign(es512);
  t.match(await error(verify(wrongAlg)), /^UNAUTHENTICATED: .*algorithm/);
  const away = remoteVerifier({ ...rules, issuer: 'http://127.0.0.1:9' });
  t.match(await error(away(token)), /^PARTNER_UNAVAILABLE/);
});

/** An issuer with keys that a test changes; it counts how often they are fetched. */
async function changingIssuer(t: Test) {
  const keys: JWK[] = [];
  const issuer = { url: '', fetched: 0, keys };
  const server = createServer((request, response) => {
    const asksKeys = request.url === '/jwks';
    if (asksKeys) issuer.fetched += 1;
    const found = { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, token_endpoint: issuer.url };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(asksKeys ? { keys } : found));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  issuer.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const signWith = async (kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA');
    keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' });
    return (header = kid) =>
      new SignJWT({ sub: 'u1' })
        .setIssuer(issuer.url)
        .setAudience('innkeeper')
        .setExpirationTime('1h')
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: header })
        .sign(privateKey);
  };
  return { issuer, signWith };
}

/** The time of this process during a test: a busy machine takes longer than a cooldown to sign 200 tokens. */
function standingClock(t: Test): (ms: number) => void {
  let now = Date.now();
  t.intercept(Date, 'now', { value: () => now });
  return (ms) => (now += ms);
}

void test('a flood of unknown key ids costs one fetch of the keys in a cooldown', async (t) => {
  const { issuer, signWith } = await changingIssuer(t);
  const sign = await signWith('k1');
  const verify = remoteVerifier({ ...rules, issuer: issuer.url }, undefined, 400);
  const passes = standingClock(t);
  await verify(await sign());
  t.equal(issuer.fetched, 1);
  const flood = async (): Promise<void> => {
    const tokens = await Promise.all(Array.from({ length: 200 }, (_, n) => sign(`made-up-${n}`)));
    const answers = await Promise.all(tokens.map((token) => error(verify(token))));
    t.ok(answers.every((answer) => answer.startsWith('UNAUTHENTICATED')));
  };
  await flood();
  t.equal(issuer.fetched, 1, 'within the cooldown none');
  passes(400);
  await flood();
  t.equal(issuer.fetched, 2, 'after it one for all of them');
});

void test('keys are rotated: a new one is found after the cooldown, one that is gone opens nothing', async (t) => {
  const { issuer, signWith } = await changingIssuer(t);
  const first = await signWith('k1');
  const verify = remoteVerifier({ ...rules, issuer: issuer.url }, undefined, 100);
  const passes = standingClock(t);
  await verify(await first());
  issuer.keys.length = 0;
  const second = await signWith('k2');
  t.match(await error(verify(await second())), /^UNAUTHENTICATED/, 'within the cooldown it is not looked for');
  passes(100);
  t.match(await verify(await second()), { subject: 'u1' });
  t.match(await error(verify(await first())), /^UNAUTHENTICATED/);
  t.equal(issuer.fetched, 2);
});

void test('a token from the future is refused', async (t) => {
  const keys = await developmentKeys(folder(t));
  const now = Math.floor(Date.now() / 1000);
  const made = (iat: number) => signed(keys, { claims: { iat } });
  t.equal(await error(localVerifier(keys, rules)(await made(now + 3))), 'accepted', 'five seconds of skew');
  t.match(await error(localVerifier(keys, rules)(await made(now + 60))), /^UNAUTHENTICATED: .*future/);
});

void test('a token counts by the time that is given, whatever the clock of this machine shows', async (t) => {
  const keys = await developmentKeys(folder(t));
  for (const hours of [-3, 3]) {
    const there = Date.now() + hours * 3_600_000;
    const seconds = Math.floor(there / 1000);
    const token = await signed(keys, { exp: seconds + 60, claims: { iat: seconds } });
    const by = (now: number) => error(localVerifier(keys, { ...rules, now: () => now })(token));
    t.equal(await by(there), 'accepted');
    t.match(await by(there + 120_000), /^UNAUTHENTICATED: .*expired/);
    t.match(await by(there - 120_000), /^UNAUTHENTICATED: .*future/);
  }
});
