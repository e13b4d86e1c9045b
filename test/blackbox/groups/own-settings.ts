import type { Test } from 'tap';

import { Browser } from '../browser.ts';
import { openWs } from '../live-client.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

type Session = { token: string; tenantId: string; preferences?: Record<string, string> };
type Listed = { id: string; tenantId: string; browser: string | null; usedAt: string | null; isThis: boolean };

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile Safari/604.1';
/** Within this time what was ended is over everywhere. */
const ENDED_MS = 30_000;

/** What belongs to a person (docs/reference/own-settings.md#own-settings). */
export async function ownSettings(group: Test, service: Service): Promise<void> {
  const { liveUrl } = service.dev;

  /** A browser that is signed in. */
  async function signedIn(hint: string, userAgent = FIREFOX) {
    const browser = new Browser();
    const [tenant = ''] = hint.split(':');
    await browser.follow(`${liveUrl}/auth/sign-in?tenant=${tenant}&hint=${hint}`, ({ pathname }) => pathname === '/');
    const current = async (): Promise<Session | undefined> => {
      const answer = await browser.ask(`${liveUrl}/auth/session`, { headers: { 'user-agent': userAgent } });
      return answer.status === 200 ? ((await answer.json()) as Session) : undefined;
    };
    const { token } = (await current())!;
    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'x-tenant-id': tenant,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const answer = await browser.ask(`${liveUrl}/auth/${path}`, init);
      const text = await answer.text();
      return { status: answer.status, text, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
    };
    const sessions = async (): Promise<Listed[]> => (await ask('GET', 'sessions')).json['items'] as Listed[];
    return { browser, token, current, ask, sessions };
  }
  /** The status of a read with a token. */
  const reads = async (token: string): Promise<number> =>
    (await service.reservations('GET', '?limit=1', { authorization: `Bearer ${token}` })).status;

  await group.test('one browser signs another one out, with its token and its socket', async (t) => {
    const here = await signedIn('demo:MANAGER');
    const there = await signedIn('demo:MANAGER', SAFARI);
    const stranger = await signedIn('demo:STAFF');
    const socket = await openWs(liveUrl);
    socket.send({ t: 'auth', token: there.token, tenantId: 'demo' });
    await until('the socket is ready', 10_000, () => socket.frames.find((frame) => frame.t === 'ready'));

    const listed = await here.sessions();
    const own = listed.find(({ isThis }) => isThis)!;
    const other = listed.find(({ browser }) => browser === 'Safari, iPhone')!;
    t.match(own, { tenantId: 'demo', browser: 'Firefox, Linux', usedAt: /^\d{4}-/ });
    t.match(other, { tenantId: 'demo', isThis: false });
    t.same(Object.keys(own).sort(), ['beganAt', 'browser', 'id', 'isThis', 'tenantId', 'usedAt']);
    const secrets = [...here.browser.cookies.values(), here.token, there.token].map((one) => one.split('.')[1]!);
    const { text } = await here.ask('GET', 'sessions');
    for (const secret of secrets) t.notOk(text.includes(secret), 'neither a cookie nor a token is shown');
    t.notOk((await stranger.sessions()).some(({ id }) => id === own.id || id === other.id));
    const refused = await stranger.ask('DELETE', `sessions/${other.id}`);
    t.match(refused, { status: 404, json: { code: 'SESSION_NOT_FOUND' } });
    t.ok(await there.current(), 'a session of somebody else goes on');

    const began = performance.now();
    t.match(await here.ask('DELETE', `sessions/${other.id}`), { status: 200, json: { ended: 1 } });
    t.equal(await there.current(), undefined, 'no new token');
    t.equal((await there.ask('GET', 'sessions')).status, 401, 'the old token ends nothing any more');
    await until('the token is refused', ENDED_MS, async () =>
      (await reads(there.token)) === 401 ? true : undefined,
    );
    t.equal(await socket.closed, 4401);
    t.ok(performance.now() - began < ENDED_MS, 'within the time that is promised');
    t.equal((await here.ask('DELETE', `sessions/${other.id}`)).status, 404, 'it is over');
    t.equal((await here.ask('DELETE', 'sessions/x')).status, 404);
    t.ok(await here.current());
    t.equal(await reads(here.token), 200);
    t.equal(await reads(stranger.token), 200);
  });

  await group.test('a browser signs all others of its person out, in whatever tenant', async (t) => {
    const here = await signedIn('demo:VIEWER');
    const others = [await signedIn('demo:VIEWER'), await signedIn('demo:VIEWER', SAFARI)];
    const stranger = await signedIn('demo:STAFF');
    t.equal((await here.ask('DELETE', 'sessions')).json['ended'], 2);
    t.match(await here.sessions(), [{ isThis: true }]);
    for (const other of others) t.equal(await other.current(), undefined);
    t.ok(await stranger.current());
    await here.browser.ask(`${liveUrl}/auth/sign-out`, { method: 'POST' });
    t.equal((await here.ask('GET', 'preferences')).status, 401, 'signing out ends the token too');
  });

  await group.test('preferences follow a person to another browser, and no other person', async (t) => {
    const here = await signedIn('demo:ADMIN');
    t.match(await here.ask('PATCH', 'preferences', { language: 'de', clock: '12h' }), {
      status: 200,
      json: { language: 'de', clock: '12h' },
    });
    t.same((await here.ask('PATCH', 'preferences', { clock: null, theme: 'dark' })).json, {
      language: 'de',
      theme: 'dark',
    });
    const there = await signedIn('demo:ADMIN', SAFARI);
    t.same((await there.current())?.preferences, { language: 'de', theme: 'dark' });
    t.ok(
      there.browser.lines.some((line) => line.startsWith('language=de;')),
      'the first document is in the language already',
    );
    const stranger = await signedIn('demo:STAFF');
    t.same((await stranger.ask('GET', 'preferences')).json, {});
    const typed = await fetch(`${liveUrl}/auth/role`, {
      headers: { authorization: `Bearer ${service.dev.tokens['demo']!['ADMIN']}`, 'x-tenant-id': 'demo' },
    });
    t.match(await typed.json(), { role: 'ADMIN', preferences: { language: 'de' } }, 'also with a typed token');
    const twice = { notices: ['BOOKED', 'BOOKED'] };
    for (const body of [
      twice,
      { notices: ['SOLD'] },
      { language: 'xx' },
      { sound: true },
      { theme: 'x'.repeat(3_000) },
      [],
      { clock: 24 },
    ])
      t.match(await here.ask('PATCH', 'preferences', body), { status: 400, json: { code: 'VALIDATION_FAILED' } });
    t.equal((await here.ask('PATCH', 'preferences', { language: 'x'.repeat(5_000) })).status, 413);
    const none = { notices: [] };
    t.same(
      (await here.ask('PATCH', 'preferences', { ...none, language: null, theme: null })).json,
      none,
      'none is a choice',
    );
    t.same((await here.ask('PATCH', 'preferences', { notices: null })).json, {});
  });

  await group.test('a person learns who he is here, and what a token does not say is not shown', async (t) => {
    const here = await signedIn('demo:STAFF');
    t.match(await here.ask('GET', 'person'), {
      status: 200,
      json: { subject: 'demo-staff', tenants: [{ tenantId: 'demo', role: 'STAFF', status: 'ACTIVE' }] },
    });
    const foreign = await fetch(`${liveUrl}/auth/person`, {
      headers: { authorization: `Bearer ${here.token}`, 'x-tenant-id': 'rival' },
    });
    t.match(await foreign.json(), { name: null, email: null });
    for (const path of ['person', 'preferences', 'sessions']) {
      t.equal((await fetch(`${liveUrl}/auth/${path}`)).status, 401, 'without a token');
      const headers = { authorization: `Bearer ${here.token}`, origin: 'https://evil.example' };
      t.equal((await fetch(`${liveUrl}/auth/${path}`, { headers })).status, 401, 'from another site');
    }
  });
}
