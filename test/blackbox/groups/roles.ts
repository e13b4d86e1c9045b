import type { Test } from 'tap';

import { type DescribedRoute, describedRoutes, filled } from '../described-routes.ts';
import type { Answer } from '../http.ts';
import { type Frame, openWs } from '../live-client.ts';
import { problemOf } from '../problems.ts';
import type { CallOptions, Role, Service } from '../service.ts';
import { makeTenants } from '../tenants.ts';
import { until } from '../waiting.ts';
import { BASIC, type Kind, OPEN, TABLE } from './role-table.ts';

const ROLES: readonly Role[] = ['VIEWER', 'STAFF', 'MANAGER', 'ADMIN', 'OWNER'];
/** Whose tenant the request names; the caller's token is of `demo`. */
const PLACES = ['own', 'other', 'unknown', 'none', 'suspended', 'cancelled'] as const;
type Place = (typeof PLACES)[number];
type Case = { route: DescribedRoute; who: Role | 'nobody'; place: Place };

/** They take files: a body of JSON is none. */
const OF_FILES = new Set(['POST /api/v1/imports', 'POST /api/v1/imports/uploads']);

/** Ids that nothing has. */
const NOWHERE = '00000000-0000-7000-8000-000000000000';
const AT_ONCE = 24;
const SUSPENDED = 'roles-suspended';
const CANCELLED = 'roles-cancelled';

/**
 * Every route x role x tenant, as a table by hand says and not as the code does
 * (docs/concepts/tenants-and-roles.md#tests).
 */
export async function roles(group: Test, service: Service): Promise<void> {
  await makeTenants(service, [
    { tenantId: SUSPENDED, status: 'SUSPENDED' },
    { tenantId: CANCELLED, status: 'CANCELLED' },
  ]);
  const routes = await describedRoutes(service);
  const rows = new Map(TABLE.flatMap(({ role, kind, routes: named }) => named.map((one) => [one, { role, kind }])));
  // The clock is everybody's: no tenant may move it.
  const isOperators = (route: DescribedRoute): boolean =>
    route.path.startsWith('/ops/') || nameOf(route) === 'POST /dev/clock';
  const ofOperators = routes.filter(isOperators);
  const others = new Set([...OPEN, ...BASIC]);
  const guarded = routes.filter((route) => !others.has(nameOf(route)) && !ofOperators.includes(route));
  await group.test('each route has a row in the table, and its role in the document', async (t) => {
    for (const route of guarded) {
      const row = rows.get(nameOf(route));
      t.ok(row, `${nameOf(route)} is in the table`);
      t.equal(route.operation['x-role'], row?.role, `role of ${nameOf(route)} in the document`);
    }
    t.same(
      [...rows.keys()].filter((name) => !guarded.some((route) => nameOf(route) === name)),
      [],
      'and no row is idle',
    );
    t.ok(guarded.length > 80, `${guarded.length} routes`);
  });
  await group.test('permitted callers pass, and all others get the reason', async (t) => {
    const cases = guarded.flatMap((route) => casesOf(route));
    t.comment(`${guarded.length} routes x 6 callers x ${PLACES.length} tenants: ${cases.length} requests`);
    const wrong: string[] = [];
    for (let at = 0; at < cases.length; at += AT_ONCE) {
      const batch = cases.slice(at, at + AT_ONCE);
      const answers = await Promise.all(batch.map((one) => asked(service, one)));
      for (const [index, answer] of answers.entries()) {
        const one = batch[index]!;
        const row = rows.get(nameOf(one.route)) ?? { role: 'OWNER' as const, kind: 'look' as const };
        const complaint = complaintAbout(one, answer, row);
        if (complaint !== undefined)
          wrong.push(`${nameOf(one.route)}, ${one.who} in ${one.place}: ${complaint} instead of ${said(answer)}`);
      }
    }
    t.same(wrong, []);
  });
  await group.test('sockets admit callers that may read over REST, and none of a suspended tenant', async (t) => {
    for (const place of ['own', 'other', 'unknown', 'suspended', 'cancelled'] as const) {
      for (const who of ROLES) {
        const client = await openWs(service.dev.liveUrl);
        client.send({ t: 'auth', token: service.token('demo', who), tenantId: TENANT_OF[place] });
        let ended: Frame | undefined;
        void client.closed.then((code) => (ended = { t: `closed with ${code}` }));
        const isReady = ({ t: kind }: Frame): boolean => kind === 'ready';
        const answer = await until('an answer', 60_000, () => client.frames.find(isReady) ?? ended);
        const mayRead = place === 'own' || place === 'suspended';
        t.match(answer, mayRead ? { t: 'ready', role: who } : { t: 'closed with 4403' }, `${who} in ${place}`);
        client.close();
      }
    }
  });
  await group.test('no role of a tenant is an operator', async (t) => {
    for (const route of ofOperators) {
      for (const who of ROLES) {
        const answer = await asked(service, { route, who, place: 'own' });
        t.equal(problemOf(answer).code, 'ROLE_TOO_LOW', `${nameOf(route)} as ${who}: ${answer.status}`);
      }
      t.equal((await asked(service, { route, who: 'nobody', place: 'none' })).status, 401, nameOf(route));
    }
  });
  await group.test('what requires a password takes no token', async (t) => {
    for (const route of routes.filter((one) => BASIC.includes(nameOf(one)))) {
      const answers = await Promise.all(
        [...ROLES, 'nobody' as const].map((who) => asked(service, { route, who, place: 'own' })),
      );
      for (const { status, headers } of answers) {
        t.equal(status, 401, nameOf(route));
        t.match(headers['www-authenticate'], /^Basic /);
      }
    }
  });
  await group.test('what is open needs no token', async (t) => {
    const open = routes.filter((route) => OPEN.includes(nameOf(route)));
    for (const route of open) {
      const url = route.base + filled(route.path, { component: 'db', slug: 'unauthenticated', name: 'actor.count' });
      const answer = await service.call(route.method, url, { authorization: null, tenantHeader: null });
      t.ok([200, 400, 404].includes(answer.status), `${nameOf(route)}: ${answer.status}`);
    }
  });
}

function casesOf(route: DescribedRoute): Case[] {
  return [...ROLES, 'nobody' as const].flatMap((who) => PLACES.map((place) => ({ route, who, place })));
}

function nameOf({ method, path }: DescribedRoute): string {
  return `${method} ${path}`;
}

const TENANT_OF: Record<Place, string | null> = {
  own: 'demo',
  other: 'rival',
  unknown: 'nobody-at-all',
  none: null,
  suspended: SUSPENDED,
  cancelled: CANCELLED,
};

/** No body is valid: admitted callers get 400, and nothing is changed. */
async function asked(service: Service, { route, who, place }: Case): Promise<Answer<unknown>> {
  const tenant = TENANT_OF[place];
  const values = { tenantId: tenant ?? 'demo', propertyId: 'no-such-house', roomType: 'STD', roomNumber: '1' };
  const ids = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, NOWHERE]));
  const options: CallOptions = {
    tenantHeader: tenant,
    authorization: who === 'nobody' ? null : `Bearer ${service.token('demo', who)}`,
    ...(route.method === 'GET' ? {} : { body: { surprise: true } }),
  };
  return service.call(route.method, route.base + filled(route.path, { ...ids, ...values }), options);
}

/** What the answer should have been, unless it is that. */
function complaintAbout(
  { route, who, place }: Case,
  answer: Answer<unknown>,
  { role, kind }: { role: Role; kind: Kind },
): string | undefined {
  const { code } = problemOf(answer);
  const is = (status: number, ...codes: string[]): string | undefined =>
    answer.status === status && codes.includes(code ?? '') ? undefined : `${status} ${codes.join(' or ')}`;
  if (who === 'nobody') return is(401, 'UNAUTHENTICATED');
  if (place === 'none') return is(400, 'TENANT_MISSING');
  if (place === 'other' || place === 'unknown') return is(403, 'TENANT_FORBIDDEN');
  const tooLow = ROLES.indexOf(who) < ROLES.indexOf(role);
  if (place === 'suspended' && kind === 'sell')
    return tooLow ? is(403, 'TENANT_NOT_ACTIVE', 'ROLE_TOO_LOW') : is(403, 'TENANT_NOT_ACTIVE');
  if (place === 'cancelled' && (who !== 'OWNER' || kind !== 'look')) return is(403, 'TENANT_NOT_ACTIVE');
  if (tooLow) return is(403, 'ROLE_TOO_LOW');
  if (route.method === 'GET') return [200, 400, 404].includes(answer.status) ? undefined : 'an answer';
  return OF_FILES.has(nameOf(route)) ? is(415, 'UNSUPPORTED_MEDIA_TYPE') : is(400, 'VALIDATION_FAILED');
}

function said(answer: Answer<unknown>): string {
  return `${answer.status} ${problemOf(answer).code ?? answer.text.slice(0, 80)}`;
}
