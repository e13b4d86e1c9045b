import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

import { permissions } from '../../src/platform/launch/permissions.mjs';
import { isNightly } from '../loop/nightly.ts';
import { ownServicesOrSkip } from './needed.ts';
import type { Services } from './start.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const RECORDS = 3_000;
const IN_THE_MIDDLE = /^sent 1000$/m;
const WITHIN_MS = 120_000;

/** With what the launcher allows the service, and no more. */
function command(runtime: string, brokers: string, dataDir: string): [string, ...string[]] {
  if (runtime === 'node') return [join(bin, 'node'), '--import', './src/platform/launch/strip-types.mjs'];
  const allowed = permissions({ KAFKA_BROKERS: brokers, DATA_DIR: dataDir });
  return [
    join(bin, 'deno'),
    'run',
    '--no-prompt',
    '--node-modules-dir=manual',
    '--no-lock',
    '--no-remote',
    ...allowed,
  ];
}

/** Runs `exercise.ts`, and does something to the broker in the middle of it. */
async function exercise(runtime: string, services: Services, disturb: () => Promise<void>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'innkeeper-exercise-'));
  const { NODE_OPTIONS: _tap, ...inherited } = process.env;
  const [program, ...args] = command(runtime, services.kafka!.brokers, dataDir);
  const child = spawn(program, [...args, 'test/services/exercise.ts'], {
    cwd: root,
    env: { ...inherited, ...services.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WITHIN_MS,
  });
  const said = { out: '', errors: '' };
  let disturbed: Promise<void> | undefined;
  child.stderr.on('data', (chunk: Buffer) => (said.errors += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
    if (IN_THE_MIDDLE.test(said.out)) disturbed ??= disturb();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  rmSync(dataDir, { recursive: true, force: true });
  await disturbed;
  const result = said.out.trim().split('\n').at(-1) ?? '';
  return {
    code,
    errors: said.errors,
    disturbed: disturbed !== undefined,
    ...(result.startsWith('{') && JSON.parse(result)),
  };
}

void t.test('kafkajs on a real broker', async (t) => {
  const services = await ownServicesOrSkip(t, ['kafka', 'registry']);
  if (services === undefined) return;
  const kafka = services.kafka!;
  const troubles: Record<string, () => Promise<void>> = {
    'kill -9 of the broker': async () => {
      await kafka.kill();
      await kafka.start();
    },
    'a broker that is restarted': () => kafka.restart(),
    'a broker that says nothing for a while': async () => {
      kafka.pause();
      setTimeout(() => kafka.resume(), 1_500);
    },
  };
  for (const runtime of isNightly() ? ['node', 'deno'] : ['deno'])
    for (const [trouble, disturb] of Object.entries(troubles))
      await t.test(`under ${runtime}, ${trouble} neither loses, repeats nor reorders a record`, async (t) => {
        t.match(await exercise(runtime, services, disturb), {
          code: 0,
          errors: '',
          disturbed: true,
          headers: true,
          inOrder: true,
          written: RECORDS,
          read: RECORDS,
          distinct: RECORDS,
          committed: RECORDS,
        });
      });
});
