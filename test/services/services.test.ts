import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';

import { ownServicesOrSkip } from './needed.ts';
import { startServices } from './start.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = ['--import', './src/platform/launch/strip-types.mjs', 'test/services/main.ts', '--only', 'redis'];
/** Less than what tap gives a file. */
const ENDS = { signal: AbortSignal.timeout(100_000) };
const { NODE_OPTIONS: _tap, npm_lifecycle_event: _npm, ...env } = process.env;

/** Whether anybody listens at an address. */
function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1', () => resolve(true));
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false));
  });
}

/** A killed process frees its port a moment after it counts as gone: when its last thread has ended. */
async function isGone(url: string): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    if (!(await answers(url))) return true;
    await pause(50);
  }
  return false;
}

/** Another process that keeps a Redis, and the address of that. */
async function another(t: Test) {
  const child = spawn(process.execPath, PROGRAM, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data', ENDS)) as [Buffer];
  const [, url = ''] = /^export REDIS_URL=(\S+)$/m.exec(String(line)) ?? [];
  return { child, url };
}

void t.test('services', async (t) => {
  const own = await ownServicesOrSkip(t, ['redis']);
  if (own === undefined) return;

  await t.test('run a command with their addresses, and end with its exit code', async (t) => {
    const command = ['sh', '-c', 'echo "$REDIS_URL"; exit 7'];
    const { status, stdout } = spawnSync(process.execPath, [...PROGRAM, '--', ...command], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    t.equal(status, 7);
    t.match(stdout, /^redis:\/\/127\.0\.0\.1:\d+\n$/);
    t.notOk(await answers(stdout.trim()), 'and are gone with it');
  });

  await t.test('end with SIGTERM', async (t) => {
    const { child, url } = await another(t);
    t.ok(await answers(url));
    child.kill('SIGTERM');
    t.same(await once(child, 'exit', ENDS), [0, null]);
    t.notOk(await answers(url));
  });

  await t.test(
    'of an owner that was killed are ended by the next start, and those of a living one are not',
    async (t) => {
      const killed = await another(t);
      const living = await another(t);
      killed.child.kill('SIGKILL');
      await once(killed.child, 'exit', ENDS);
      t.ok(await answers(killed.url), 'nobody was there to end it');
      const next = await startServices({ only: ['redis'] });
      t.teardown(async () => next[Symbol.asyncDispose]());
      t.notOk(await answers(killed.url));
      t.ok(await answers(living.url));
      living.child.kill('SIGTERM');
      await once(living.child, 'exit', ENDS);
    },
  );

  await t.test('come back at the same address after kill -9', async (t) => {
    const { REDIS_URL: url = '' } = own.env;
    await own.redis!.kill();
    t.ok(await isGone(url));
    await own.redis!.start();
    t.ok(await answers(url));
  });
});
