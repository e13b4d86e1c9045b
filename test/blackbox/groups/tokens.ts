import { createServer } from 'node:http';
import type { Test } from 'tap';

import { freePorts } from '../../../src/testing/launch/free-ports.ts';
import { forgedTokens, rightTokens } from '../forged-tokens.ts';
import { openWs } from '../live-client.ts';
import { isProblem } from '../problems.ts';
import type { CallOptions, Service } from '../service.ts';

/** Forged, broken and stolen credentials (docs/concepts/tenants-and-roles.md#tokens). */
export async function tokens(group: Test, service: Service): Promise<void> {
  const good = service.token('demo', 'STAFF');
  const list = (options: CallOptions) => service.reservations('GET', '?limit=1', options);
  let fetched = 0;
  const evil = createServer((_, response) => {
    fetched += 1;
    response.end('{"keys":[]}');
  });
  const [port] = await freePorts(1);
  evil.listen(port, '127.0.0.1');
  const evilUrl = `http://127.0.0.1:${port}`;
  group.teardown(() => evil.close());
  const forged = await forgedTokens(service.dataDir, good, evilUrl);

  await group.test('unusual tokens that are right are taken', async (t) => {
    for (const { what, token } of await rightTokens(service.dataDir, good))
      t.equal((await list({ authorization: `Bearer ${token}` })).status, 200, what);
  });
  await group.test('no forged token gets in, over REST or as a first frame', async (t) => {
    for (const { what, token } of forged) {
      await t.test(what, async (it) => {
        const answer = await list({ authorization: `Bearer ${token}` });
        isProblem(it, answer, 401, { code: 'UNAUTHENTICATED' });
        it.match(answer.headers['www-authenticate'], /^Bearer/);
        const client = await openWs(service.dev.liveUrl);
        client.send({ t: 'auth', token, tenantId: 'demo' });
        it.equal(await client.closed, 4401);
        it.notOk(client.frames.some(({ t: kind }) => kind === 'ready'));
      });
    }
    t.equal(fetched, 0, 'nothing that a header names is fetched');
  });
  await group.test('100 KB of token are refused, and the process lives', async (t) => {
    const answer = await list({ authorization: `Bearer ${'x'.repeat(100_000)}` }).catch(() => undefined);
    if (answer) t.ok([400, 401, 431].includes(answer.status), `${answer.status}`);
    t.equal((await list({})).status, 200);
  });
  await group.test('two Authorization headers are none', async (t) => {
    const one = `Bearer ${good}`;
    const other = `Bearer ${service.token('demo', 'OWNER')}`;
    for (const authorization of [
      [one, one],
      [one, other],
      [one, 'Bearer nonsense'],
      ['Bearer nonsense', one],
      [one, 'Basic eDp5'],
    ]) {
      isProblem(t, await list({ authorization: null, headers: { Authorization: authorization } }), 401, {
        code: 'UNAUTHENTICATED',
      });
    }
  });
  await group.test('a tenant header that is no tenant id is malformed, whatever it hopes for', async (t) => {
    const malformed = [
      'demo rival',
      'demo,rival',
      "demo' or '1'='1",
      "demo'; drop table tenants; --",
      'demo%00',
      'demo:rival',
      '../rival',
      '*',
      'null\\u0000',
      'd'.repeat(10_000),
    ];
    for (const tenantHeader of [...malformed, ['demo', 'demo'], ['demo', 'rival']])
      isProblem(t, await list({ tenantHeader }), 400, { code: 'TENANT_MISSING' });
    for (const tenantHeader of ['rival', 'DEMO', 'undefined', 'd'.repeat(50)])
      isProblem(t, await list({ tenantHeader }), 403, { code: 'TENANT_FORBIDDEN' });
  });
  await group.test('a token of the operator opens no tenant', async (t) => {
    isProblem(t, await list({ authorization: `Bearer ${service.dev.operatorToken}` }), 403, {
      code: 'TENANT_FORBIDDEN',
    });
  });
  await group.test('no token is in the output of the service', async (t) => {
    t.ok(service.output.length > 0);
    t.notMatch(service.output, /eyJ[\w-]{10,}\./);
    t.notOk(service.output.includes(good.split('.')[2] ?? good));
  });
}
