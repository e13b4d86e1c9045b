import type { Test } from 'tap';

import { Browser } from '../browser.ts';
import { isProblem } from '../problems.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

type PageSession = { tenantId: string; token: string; expiresAt: number };

/**
 * Signing in at the page, as a browser does it, and what machines do instead
 * (docs/concepts/tenants-and-roles.md#tokens).
 */
export async function signIn(group: Test, service: Service): Promise<void> {
  const { liveUrl } = service.dev;
  await group.test('a browser signs in by code and PKCE, reads with its session, and signs out', async (t) => {
    const browser = new Browser();
    await browser.follow(`${liveUrl}/auth/sign-in?tenant=demo&hint=demo:STAFF`, ({ pathname }) => pathname === '/');
    const cookie = browser.lines.find((line) => line.startsWith('__Host-innkeeper-session='));
    t.match(cookie, /Secure.*HttpOnly.*SameSite=Strict/);
    const session = await browser.ask(`${liveUrl}/auth/session`);
    const { token, tenantId } = (await session.json()) as PageSession;
    t.equal(tenantId, 'demo');
    const list = await service.reservations('GET', '?limit=1', { authorization: `Bearer ${token}` });
    t.equal(list.status, 200);
    const rates = await service.rates('PUT', '/base', { authorization: `Bearer ${token}`, body: {} });
    isProblem(t, rates, 403, { code: 'ROLE_TOO_LOW' });
    t.equal((await browser.ask(`${liveUrl}/auth/sign-out`, { method: 'POST' })).status, 204);
    t.equal((await browser.ask(`${liveUrl}/auth/session`)).status, 204);
  });
  await group.test('a machine gets a token by client credentials', async (t) => {
    const found = await fetch(`${service.dev.issuer}/.well-known/openid-configuration`);
    const { token_endpoint: endpoint } = (await found.json()) as { token_endpoint: string };
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('demo-manager:development-only').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const list = await service.reservations('GET', '?limit=1', { authorization: `Bearer ${token}` });
    t.equal(list.status, 200);
  });
  await group.test('who is signed in stays so over a restart, and signs out for good', async (t) => {
    const browser = new Browser();
    await browser.follow(`${liveUrl}/auth/sign-in?tenant=demo&hint=demo:MANAGER`, ({ pathname }) => pathname === '/');
    await service.terminate();
    await service.up();
    const session = await until('the page answers', 30_000, () =>
      browser.ask(`${liveUrl}/auth/session`).catch(() => undefined),
    );
    t.equal(session.status, 200);
    const { token } = (await session.json()) as PageSession;
    const list = await service.reservations('GET', '?limit=1', { authorization: `Bearer ${token}` });
    t.equal(list.status, 200);
    const stored = new Map(browser.cookies);
    t.equal((await browser.ask(`${liveUrl}/auth/sign-out`, { method: 'POST' })).status, 204);
    for (const [name, value] of stored) browser.cookies.set(name, value);
    t.equal((await browser.ask(`${liveUrl}/auth/session`)).status, 204, 'also with the old cookie');
  });
}
