import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { Browser } from '../browser.ts';
import { outbox } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { advanceClock, must } from '../property.ts';
import type { CallOptions, Role, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { until } from '../waiting.ts';

type Letter = { language: string; status: string; sentAt: string | null; reason: string | null };
type Invitation = {
  invitationId: string;
  email: string;
  role: Role;
  status: string;
  expiresAt: string;
  letter: Letter | null;
};
type User = { userId: string; subject: string; name: string; email: string };

const DAY_SECONDS = 86_400;

/** Colleagues who are invited by mail address, and sign in (docs/reference/set-up.md#invitations). */
export async function invitations(group: Test, service: Service): Promise<void> {
  const demo = <T = unknown>(method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    service.tenants<T>(method, path, { role: 'OWNER', body, ...options });
  const invite = async (email: string, role: Role = 'STAFF') =>
    must(await demo<Invitation>('POST', '/invitations', { email, role }), 201).json;
  const open = async () => must(await demo<Page<Invitation>>('GET', '/invitations'), 200).json.items;
  const users = async () => must(await demo<Page<User>>('GET', '/users?limit=200'), 200).json.items;
  /** Signs a demo user of the other tenant in to this one. @returns the role there */
  const roleAfterSignIn = async (role: Role): Promise<Role | undefined> => {
    const { liveUrl } = service.dev;
    const browser = new Browser();
    const link = `${liveUrl}/auth/sign-in?tenant=demo&hint=rival:${role}`;
    await browser.follow(link, ({ pathname }) => pathname === '/');
    const session = await browser.ask(`${liveUrl}/auth/session`);
    return ((await session.json()) as { role?: Role }).role;
  };

  await group.test('who signs in with the address gets the role, once', async (t) => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { email: 'Rival-Viewer@Example.com', name: 'Rune', role: 'STAFF' };
    const made = must(await demo<Invitation>('POST', '/invitations', body, { headers }), 201);
    t.match(made.json, { email: 'rival-viewer@example.com', role: 'STAFF', status: 'OPEN' });
    t.match(await demo('POST', '/invitations', body, { headers }), {
      headers: { 'idempotency-replayed': 'true' },
      json: made.json,
    });
    t.equal(await roleAfterSignIn('MANAGER'), undefined, 'the address of somebody else');
    t.equal((await open()).length, 1);
    t.equal(await roleAfterSignIn('VIEWER'), 'STAFF');
    t.strictSame(await open(), []);
    const user = (await users()).find(({ subject }) => subject === 'rival-viewer');
    t.match(user, { name: 'Rune', email: 'rival-viewer@example.com' });
    isProblem(t, await demo('POST', '/invitations', body), 409, { code: 'ALREADY_EXISTS' });
    must(await demo('DELETE', `/users/${user?.userId}`), 200);
    t.equal(await roleAfterSignIn('VIEWER'), undefined, 'it was used');
    await invite('rival-viewer@example.com', 'MANAGER');
    t.equal(await roleAfterSignIn('VIEWER'), 'MANAGER', 'invited anew');
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?limit=200`;
    type Entry = { entityId: string; entity: string; action: string; after: unknown };
    const { text, json } = must(await service.call<Page<Entry>>('GET', trail), 200);
    t.strictSame(
      json.items.filter(({ entityId }) => entityId === made.json.invitationId).map(({ action }) => action),
      ['ACCEPTED', 'CREATED'],
    );
    t.notMatch(text, 'rival-viewer@', 'addresses of staff are not written down for years');
    must(await demo('DELETE', `/users/${user?.userId}`), 200);
  });

  await group.test('it is replaced, revoked, and for the owner alone', async (t) => {
    const first = await invite('rival-staff@example.com');
    const second = await invite('rival-staff@example.com', 'VIEWER');
    t.equal(second.invitationId, first.invitationId);
    t.match(await open(), [{ role: 'VIEWER' }]);
    for (const [method, path] of [
      ['GET', '/invitations'],
      ['POST', '/invitations'],
      ['DELETE', `/invitations/${first.invitationId}`],
    ] as const)
      isProblem(t, await service.tenants(method, path, { role: 'ADMIN' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(
      t,
      await service.tenants('DELETE', `/invitations/${first.invitationId}`, { role: 'OWNER', tenant: 'rival' }),
      404,
      { code: 'INVITATION_NOT_FOUND' },
    );
    must(await demo('DELETE', `/invitations/${first.invitationId}`), 200);
    isProblem(t, await demo('DELETE', `/invitations/${first.invitationId}`), 404, { code: 'INVITATION_NOT_FOUND' });
    t.equal(await roleAfterSignIn('STAFF'), undefined);
    isProblem(t, await demo('POST', '/invitations', { email: 'nobody', role: 'KING' }), 400, {
      pointers: ['/email', '/role'],
    });
  });

  await group.test('the service mails it in the language that the inviter chooses, once under a key', async (t) => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { email: 'letter@example.com', role: 'STAFF', language: 'fr' };
    const made = must(await demo<Invitation>('POST', '/invitations', body, { headers }), 201).json;
    t.match(made.letter, { language: 'fr', status: 'WAITING', sentAt: null, reason: null });
    must(await demo('POST', '/invitations', body, { headers }), 201);
    const sent = await until('it is sent', 10_000, async () => (await open()).find(({ letter }) => letter?.sentAt));
    t.match(sent, { letter: { status: 'SENT' } });
    t.notOk('invitedBy' in sent, 'the answer has the members of its schema');
    const letters = (await outbox(service)).items.filter(({ to }) => to === 'letter@example.com');
    t.equal(letters.length, 1);
    t.match(letters, [{ kind: 'INVITATION', subject: /^Votre accès à/, text: /Rôle : +Personnel/ }]);
    isProblem(t, await demo('POST', '/invitations', { ...body, language: 'xx' }), 400, { pointers: ['/language'] });
    for (let n = 1; n < 5; n++) must(await demo('POST', '/invitations', body), 201);
    const refused = await demo('POST', '/invitations', body);
    isProblem(t, refused, 429, { code: 'QUOTA_EXCEEDED' });
    t.equal(refused.headers['retry-after'], '86400');
    must(await demo('DELETE', `/invitations/${made.invitationId}`), 200);
    isProblem(t, await demo('POST', '/invitations', body), 429, { code: 'QUOTA_EXCEEDED' });
  });

  await group.test('a user may be added with a role at once', async (t) => {
    const { userId } = must(await demo<User>('POST', '/users', { subject: 'rival-admin', role: 'VIEWER' }), 201).json;
    t.match(await demo('GET', `/associations/${userId}`), { status: 200, json: { role: 'VIEWER' } });
    t.equal(await roleAfterSignIn('ADMIN'), 'VIEWER');
    must(await demo('DELETE', `/users/${userId}`), 200);
  });

  await group.test('whose role is taken away does not come back by an older invitation', async (t) => {
    const email = 'rival-admin@example.com';
    await invite(email);
    const { userId } = must(await demo<User>('POST', '/users', { subject: 'rival-owner', email }), 201).json;
    must(await demo('POST', '/associations', { userId, role: 'STAFF' }), 201);
    must(await demo('DELETE', `/associations/${userId}`), 200);
    t.strictSame(await open(), []);
    t.equal(await roleAfterSignIn('ADMIN'), undefined);
    must(await demo('DELETE', `/users/${userId}`), 200);
  });

  await group.test('an invitation of somebody who has a role is over when he signs in', async (t) => {
    const { userId } = must(
      await demo<User>('POST', '/users', { subject: 'rival-manager', role: 'VIEWER' }),
      201,
    ).json;
    await invite('rival-manager@example.com', 'ADMIN');
    t.equal(await roleAfterSignIn('MANAGER'), 'VIEWER');
    t.strictSame(await open(), []);
    must(await demo('DELETE', `/associations/${userId}`), 200);
    t.equal(await roleAfterSignIn('MANAGER'), undefined, 'the invitation would make him ADMIN');
    must(await demo('DELETE', `/users/${userId}`), 200);
  });
}

/** Moves the clock; the last of its service. */
export async function expiredInvitations(t: Test, service: Service): Promise<void> {
  const demo = <T = unknown>(method: string, path: string, body?: unknown) =>
    service.tenants<T>(method, path, { role: 'OWNER', body });
  must(await demo('POST', '/invitations', { email: 'rival-staff@example.com', role: 'STAFF' }), 201);
  must(await advanceClock(service, 7 * DAY_SECONDS), 200);
  const { items } = must(await demo<Page<Invitation>>('GET', '/invitations'), 200).json;
  t.equal(items.find(({ email }) => email === 'rival-staff@example.com')?.status, 'EXPIRED');
  const browser = new Browser();
  const link = `${service.dev.liveUrl}/auth/sign-in?tenant=demo&hint=rival:STAFF`;
  await browser.follow(link, ({ pathname }) => pathname === '/');
  const session = await browser.ask(`${service.dev.liveUrl}/auth/session`);
  t.equal(((await session.json()) as { role?: Role }).role, undefined);
}
