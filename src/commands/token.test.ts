import { decodeJwt, decodeProtectedHeader } from 'jose';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';

void test('the command prints one token, or says who there is', (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'token-'));
  t.teardown(() => rmSync(dataDir, { recursive: true }));
  const run = (...args: string[]) => {
    const env = { ...process.env, DATA_DIR: dataDir, OIDC_PORT: '18086' };
    return spawnSync(
      process.execPath,
      ['--import', './src/platform/launch/strip-types.mjs', 'src/commands/token.ts', ...args],
      {
        encoding: 'utf8',
        env,
      },
    );
  };
  const manager = run('--tenant', 'rival', '--role', 'manager').stdout.trim();
  t.match(decodeProtectedHeader(manager), { alg: 'EdDSA', typ: 'at+jwt' });
  t.match(decodeJwt(manager), { iss: 'http://127.0.0.1:18086', aud: 'innkeeper', sub: 'rival-manager' });
  const operator = run('--operator').stdout.trim();
  t.match(decodeJwt(operator), { sub: 'operator', scope: 'innkeeper:operate' });
  t.equal(decodeProtectedHeader(operator).kid, decodeProtectedHeader(manager).kid, 'the same key each time');
  const agent = run('--role', 'STAFF', '--scope', 'innkeeper:agent').stdout.trim();
  t.match(decodeJwt(agent), { sub: 'demo-staff', scope: 'innkeeper:agent' });
  const channel = run('--role', 'STAFF', '--scope', 'innkeeper:channel').stdout.trim();
  t.match(decodeJwt(channel), { sub: 'demo-staff', scope: 'innkeeper:channel' });
  const wrong = run('--scope', 'innkeeper:operate');
  t.equal(wrong.status, 1);
  t.match(wrong.stderr, /--scope is innkeeper:agent or innkeeper:channel/);
  const unknown = run('--tenant', 'nobody');
  t.equal(unknown.status, 1);
  t.match(unknown.stderr, /no demo user nobody\/MANAGER; there are demo\/VIEWER/);
  t.end();
});

void test('a token is for the issuer of the service that runs, whatever port the environment names', (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'token-'));
  t.teardown(() => rmSync(dataDir, { recursive: true }));
  const issuerOf = (name: string, content: object): unknown => {
    writeFileSync(join(dataDir, name), JSON.stringify(content));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', './src/platform/launch/strip-types.mjs', 'src/commands/token.ts'],
      { encoding: 'utf8', env: { ...process.env, DATA_DIR: dataDir, OIDC_PORT: '18086' } },
    );
    rmSync(join(dataDir, name));
    return stdout === '' ? stderr : decodeJwt(stdout.trim()).iss;
  };
  const issuer = 'http://127.0.0.1:21086';
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const service = { issuer, operatorToken: 'some', pid: process.pid };
  t.equal(issuerOf('dev.json', service), issuer);
  t.equal(issuerOf('dev.json', { ...service, pid: gone }), 'http://127.0.0.1:18086', 'it was killed');
  t.equal(
    issuerOf('cluster.json', { issuer, operatorToken: 'some', nodes: [{ pid: gone }, { pid: process.pid }] }),
    issuer,
  );
  t.match(issuerOf('dev.json', { ...service, operatorToken: '' }), /takes tokens of .*21086: get them there/);
  t.end();
});
