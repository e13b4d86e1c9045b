import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { markOf } from '../../src/tenants/contracts/person-key.ts';
import type { Association } from '../../src/tenants/ports.ts';
import { Authenticator } from './authenticator.ts';
import { type Identity, unauthenticated } from './identity.ts';
import type { Permission } from './permissions.ts';
import { OPERATIONS, tenantAllows } from './tenant-rules.ts';

const staff: Association = { userId: 'u1', role: 'STAFF', tenantStatus: 'ACTIVE' };

function identity(lifetimeMs = 60_000): Identity {
  return { issuer: 'i', subject: 's', scopes: [], expiresAt: Date.now() + lifetimeMs };
}

type Counted = { authenticator: Authenticator; calls: { tokens: number; places: number } };

function counted(find: () => Promise<Association | undefined>, lifetimeMs?: number): Counted {
  const calls = { tokens: 0, places: 0 };
  const verify = async (token: string): Promise<Identity> => {
    calls.tokens += 1;
    if (token !== 'good') throw unauthenticated('no');
    return identity(lifetimeMs);
  };
  const associations = {
    find: () => {
      calls.places += 1;
      return find();
    },
  };
  return { authenticator: new Authenticator(verify, associations), calls };
}

void test('a token is verified once a minute, and known over its connection', async (t) => {
  const { authenticator, calls } = counted(async () => staff);
  const connection = {};
  t.equal(authenticator.knownBearer('Bearer good', connection), undefined);
  const first = await authenticator.identify('good');
  t.equal(authenticator.identify('good'), first, 'from memory, without a promise');
  t.equal(authenticator.knownBearer('Bearer good', connection), first);
  t.equal(authenticator.knownBearer('Bearer good', connection), first);
  t.equal(authenticator.knownBearer('Bearer other', connection), undefined);
  t.equal(calls.tokens, 1);
  await t.rejects(Promise.resolve(authenticator.identify('bad')), { code: 'UNAUTHENTICATED' });
  await t.rejects(Promise.resolve(authenticator.identify('bad')), { code: 'UNAUTHENTICATED' });
  t.equal(calls.tokens, 3, 'an error is not cached');
});

void test('a token is not trusted beyond its own end', async (t) => {
  const { authenticator, calls } = counted(async () => staff, -5_001);
  const late = await authenticator.identify('good');
  await authenticator.identify('good');
  t.equal(calls.tokens, 2);
  t.throws(() => authenticator.callerFor(late, 'demo', 'r', 'rate.read'), { code: 'UNAUTHENTICATED' });
});

void test('a token is trusted by the time that is given, whatever the clock of this machine shows', async (t) => {
  const ahead = 7_200_000;
  let now = Date.now() + ahead;
  let calls = 0;
  const verify = async (): Promise<Identity> => ((calls += 1), identity(ahead + 30_000));
  const authenticator = new Authenticator(verify, { find: async () => staff }, { now: () => now });
  const who = await authenticator.identify('good');
  await authenticator.identify('good');
  t.equal(calls, 1, 'remembered');
  t.match(await authenticator.callerFor(who, 'demo', 'r', 'rate.read'), { role: 'STAFF' });
  now += 36_000;
  t.throws(() => authenticator.callerFor(who, 'demo', 'r', 'rate.read'), { code: 'UNAUTHENTICATED' });
});

void test('concurrent requests read the table once, and later ones not at all', async (t) => {
  const { authenticator, calls } = counted(async () => staff);
  const who = identity();
  const all = await Promise.all([1, 2, 3].map(async () => authenticator.callerFor(who, 'demo', 'r1', 'rate.read')));
  t.match(all[0], { tenantId: 'demo', subject: 'u1', role: 'STAFF', requestId: 'r1', tenantStatus: 'ACTIVE' });
  t.match(authenticator.callerFor(who, 'demo', 'r2', 'hold.place'), { requestId: 'r2' });
  t.equal(calls.places, 1);
  authenticator.forget('demo');
  await authenticator.callerFor(who, 'demo', 'r3', 'rate.read');
  t.equal(calls.places, 2, 'a change here holds at once');
});

void test('a role and a status that somebody else changed hold when what was read is old', async (t) => {
  let there: Association | undefined = undefined;
  const verify = async (): Promise<Identity> => identity();
  const find = async (): Promise<Association | undefined> => there;
  let elapsed = 1;
  const trust = { associationMs: 30, strangerMs: 10, age: { now: () => elapsed } };
  const authenticator = new Authenticator(verify, { find }, trust);
  const who = identity();
  const ask = async (permission: Permission = 'hold.place') => authenticator.callerFor(who, 'demo', 'r', permission);
  const old = (ms: number) => (elapsed += ms);
  await t.rejects(ask(), { code: 'TENANT_FORBIDDEN' });
  there = staff;
  await t.rejects(ask(), { code: 'TENANT_FORBIDDEN' }, 'for a moment');
  old(15);
  t.match(await ask(), { role: 'STAFF' });
  there = { ...staff, role: 'VIEWER' };
  old(40);
  t.match(await ask('rate.read'), { role: 'VIEWER' });
  await t.rejects(ask(), { code: 'ROLE_TOO_LOW' });
  there = { ...staff, tenantStatus: 'SUSPENDED' };
  old(40);
  await t.rejects(ask(), { code: 'TENANT_NOT_ACTIVE' });
});

void test('a failing table is not remembered', async (t) => {
  let broken = true;
  const { authenticator } = counted(async () => {
    if (broken) throw new Error('gone');
    return staff;
  });
  const who = identity();
  await t.rejects(Promise.resolve(authenticator.callerFor(who, 'demo', 'r', 'rate.read')), { message: 'gone' });
  broken = false;
  t.match(await authenticator.callerFor(who, 'demo', 'r', 'rate.read'), { role: 'STAFF' });
});

void test('strangers and unknown tenants look the same', async (t) => {
  const { authenticator } = counted(async () => undefined);
  const refused = await Promise.resolve(authenticator.callerFor(identity(), 'x', 'r', 'rate.read')).catch(
    (error: unknown) => error,
  );
  t.ok(refused instanceof DomainError);
  t.match(refused, { code: 'TENANT_FORBIDDEN', message: 'You do not belong to this tenant.' });
});

void test('what a tenant of each status lets one do', (t) => {
  const allowed = (status: Association['tenantStatus'], role: Association['role']) =>
    OPERATIONS.filter((operation) => tenantAllows(status, role, operation));
  t.same(allowed('TRIAL', 'STAFF'), ['read', 'run', 'sell']);
  t.same(allowed('ACTIVE', 'OWNER'), ['read', 'run', 'sell']);
  t.same(allowed('SUSPENDED', 'OWNER'), ['read', 'run']);
  t.same(allowed('SUSPENDED', 'VIEWER'), ['read', 'run']);
  t.same(allowed('INACTIVE', 'OWNER'), ['read']);
  t.same(allowed('INACTIVE', 'ADMIN'), []);
  t.same(allowed('CANCELLED', 'OWNER'), ['read']);
  t.end();
});

void test('the least role of the table is required, and a suspended tenant comes first', async (t) => {
  const errorCodeOf = async (association: Association, permission: Permission): Promise<string> => {
    const { authenticator } = counted(async () => association);
    try {
      return (await authenticator.callerFor(identity(), 'demo', 'r', permission)).role;
    } catch (thrown) {
      return thrown instanceof DomainError ? thrown.code : String(thrown);
    }
  };
  t.equal(await errorCodeOf(staff, 'hold.place'), 'STAFF');
  t.equal(await errorCodeOf({ ...staff, role: 'OWNER' }, 'hold.place'), 'OWNER', 'and roles above it');
  t.equal(await errorCodeOf(staff, 'rate.set'), 'ROLE_TOO_LOW');
  t.equal(await errorCodeOf({ ...staff, tenantStatus: 'SUSPENDED' }, 'hold.place'), 'TENANT_NOT_ACTIVE');
  t.equal(await errorCodeOf({ ...staff, tenantStatus: 'SUSPENDED' }, 'hold.release'), 'STAFF');
  t.equal(await errorCodeOf({ ...staff, tenantStatus: 'CANCELLED' }, 'rate.set'), 'TENANT_NOT_ACTIVE');
});

void test('a token whose session was ended is refused, and a new one of the same person is not', async (t) => {
  let endedTokens: string[] = [];
  const verify = async () => identity();
  const associations = { find: async () => ({ ...staff, endedTokens }) };
  const authenticator = new Authenticator(verify, associations, { associationMs: 20 });
  const mayRead = async (token: string): Promise<string> =>
    (await authenticator.callerFor(await authenticator.identify(token), 'demo', 'r', 'rate.read')).role;
  t.equal(await mayRead('old'), 'STAFF');
  endedTokens = [markOf('old')];
  await pause(30);
  await t.rejects(mayRead('old'), { code: 'UNAUTHENTICATED' });
  await t.rejects(mayRead('old'), { code: 'UNAUTHENTICATED' }, 'from memory too');
  t.equal(await mayRead('new'), 'STAFF');
});

void test('an agent is no more than one, whatever role its user has', async (t) => {
  const { authenticator } = counted(async () => ({ ...staff, role: 'OWNER' }));
  const agent = { ...identity(), scopes: ['innkeeper:operate', 'innkeeper:agent'] };
  t.throws(() => authenticator.callerFor(identity(), 'demo', 'r', 'agent.act'), { code: 'INSUFFICIENT_SCOPE' });
  for (const permission of ['rate.read', 'reservation.create', 'tenant.set', 'stream.read'] as const)
    t.throws(() => authenticator.callerFor(agent, 'demo', 'r', permission), { code: 'AGENT_TOKEN' }, permission);
  t.match(await authenticator.callerFor(agent, 'demo', 'r', 'agent.act'), { subject: 'agent-u1', role: 'VIEWER' });
  const viewer = counted(async () => ({ ...staff, role: 'VIEWER' })).authenticator;
  await t.rejects(Promise.resolve(viewer.callerFor(agent, 'demo', 'r', 'agent.act')), { code: 'ROLE_TOO_LOW' });
});

void test('a channel sends bookings and reads itself, whatever role its user has', async (t) => {
  const { authenticator } = counted(async () => ({ ...staff, role: 'OWNER' }));
  const channel = { ...identity(), scopes: ['innkeeper:operate', 'innkeeper:channel'] };
  for (const permission of ['rate.read', 'admin.run', 'property.set-up', 'stream.read', 'agent.act'] as const)
    t.throws(() => authenticator.callerFor(channel, 'demo', 'r', permission), { code: 'CHANNEL_TOKEN' }, permission);
  for (const permission of ['channel.read', 'channel.book'] as const) {
    t.match(await authenticator.callerFor(channel, 'demo', 'r', permission), { subject: 'u1', role: 'VIEWER' });
    const both = { ...channel, scopes: ['innkeeper:channel', 'innkeeper:agent'] };
    t.throws(() => authenticator.callerFor(both, 'demo', 'r', permission), { code: 'AGENT_TOKEN' }, 'opens nothing');
  }
  const of = (role: 'VIEWER' | 'STAFF' | 'MANAGER', scopes: string[]): Promise<unknown> => {
    const own = counted(async () => ({ ...staff, role })).authenticator;
    return Promise.resolve(own.callerFor({ ...channel, scopes }, 'demo', 'r', 'channel.book'));
  };
  await t.rejects(of('VIEWER', ['innkeeper:channel']), { code: 'ROLE_TOO_LOW' });
  t.match(await of('STAFF', ['innkeeper:channel']), { role: 'VIEWER' });
  await t.rejects(of('MANAGER', []), { code: 'ROLE_TOO_LOW' }, 'without the scope it is for ADMIN');
});
