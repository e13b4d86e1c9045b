import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';

import { nodeCommand } from '../../src/platform/launch/runtimes.mjs';
import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { send } from './http.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

const SOON_MS = 240_000;

/** What makes a service real, one at a time: an unsaid mode must not make it a development one. */
const REAL = {
  DATABASE_URL: 'postgres://somebody@127.0.0.1:1/hotel',
  OIDC_ISSUER: 'https://login.example.org/',
  HOST: '0.0.0.0',
};

for (const [name, value] of Object.entries(REAL)) {
  void test(`with ${name} and without NODE_ENV nothing starts, and it is said what to set`, async (t) => {
    const service = await Service.prepare({ [name]: value, NODE_ENV: '' });
    const launched = service.launch();
    t.equal(await launched.exited, 1);
    const said = launched.output.split('\n').filter((line) => line.includes('NODE_ENV'));
    t.equal(said.length, 1, launched.output.slice(-800));
    t.match(said[0], new RegExp(`${name}.*NODE_ENV=production.*NODE_ENV=development`));
    await service.remove();
  });
}

void test('users of an issuer that is not ours find no development parts', async (t) => {
  const { url, tokens, operatorToken } = await otherIssuer(t);
  const service = await Service.prepare({ OIDC_ISSUER: url, NODE_ENV: 'development' });
  const launched = service.launch();
  const at = `http://127.0.0.1:${service.env.RESERVATION_PORT}`;
  const ask = (method: string, path: string, token?: string, headers = {}) =>
    send<{ status?: string; code?: string }>({
      method,
      url: `${at}${path}`,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    });
  await until('it is up', SOON_MS, async () => {
    if (launched.over) throw new Error(launched.output.slice(-2_000));
    const answer = await ask('GET', '/actuator/health').catch(() => undefined);
    return answer?.status === 200 ? true : undefined;
  });
  for (const [method, path] of [
    ['GET', '/dev/clock'],
    ['POST', '/dev/clock'],
    ['GET', '/dev/outbox'],
    ['GET', '/dev/events'],
  ] as const)
    t.match(await ask(method, path, operatorToken), { status: 404, json: { code: 'ROUTE_NOT_FOUND' } }, path);
  t.equal((await ask('GET', '/actuator/metrics')).status, 401, 'figures are for operators');
  t.equal((await ask('GET', '/actuator/metrics', operatorToken)).status, 200);
  t.equal(
    (await ask('POST', '/actuator/loggers/ROOT', undefined, { 'content-type': 'application/json' })).status,
    401,
  );
  const owner = tokens['demo']!['OWNER']!;
  const listed = await ask('GET', '/api/v1/tenants/demo/properties', owner, { 'x-tenant-id': 'demo' });
  t.match(listed, { status: 403, json: { code: 'TENANT_FORBIDDEN' } }, 'there is no demo tenant');
  t.match(await ask('GET', '/actuator/health/paymentService'), { json: { status: 'UNKNOWN' } }, 'nobody simulates');
  await service.remove();
});

type OtherIssuer = { url: string; tokens: Record<string, Record<string, string>>; operatorToken: string };

/** An issuer that the service does not know as its own. */
async function otherIssuer(t: Test): Promise<OtherIssuer> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-issuer-'));
  const [port = 0] = await freePorts(1);
  const [program = '', ...args] = nodeCommand('src/commands/development-issuer.ts', []);
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, OIDC_PORT: String(port) };
  const issuer: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  t.teardown(async () => {
    issuer.kill('SIGKILL');
    if (issuer.exitCode === null && issuer.signalCode === null)
      await once(issuer, 'exit', { signal: AbortSignal.timeout(60_000) });
    rmSync(folder, { recursive: true, force: true });
  });
  return until('the issuer is up', SOON_MS, () => {
    try {
      const { issuer: url, ...rest } = JSON.parse(readFileSync(join(folder, 'issuer.json'), 'utf8'));
      return { url, ...rest } as OtherIssuer;
    } catch {
      return undefined;
    }
  });
}
