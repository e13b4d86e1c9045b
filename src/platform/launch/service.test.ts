import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';

import { eventually, throwAwayFolder } from '../../testing/launch/throw-away.ts';
import { runService } from './service.mjs';

/** A service that writes down the signals it gets and ends when `then` says so. */
function fakeService(folder: string, then: string): { command: string[]; heard: () => string[] } {
  const notes = join(folder, 'notes');
  writeFileSync(notes, '');
  const script = join(folder, 'service.mjs');
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs';
    const note = (word) => appendFileSync('${notes}', word + '\\n');
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { note(signal); (${then})(); });
    setInterval(() => {}, 1000);
    note('up');`,
  );
  const heard = () => readFileSync(notes, 'utf8').trim().split('\n');
  return { command: [process.execPath, script], heard };
}

const { NODE_OPTIONS: _tap, ...env } = process.env;

test('the exit code of the service is passed on', async (t) => {
  t.equal(await runService(['sh', '-c', 'exit 0'], { env }), 0);
  t.equal(await runService(['sh', '-c', 'exit 3'], { env }), 3);
});

test('a service that a signal killed ends in a code that is not 0', async (t) => {
  t.equal(await runService(['sh', '-c', 'kill -9 $$'], { env }), 137);
});

test('the signal is passed on once, and the service has its time to drain', async (t) => {
  const service = fakeService(throwAwayFolder(t), '() => setTimeout(() => process.exit(0), 300)');
  const stop = new AbortController();
  const end = runService(service.command, { env, stop: stop.signal });
  await eventually(() => service.heard().includes('up'));
  stop.abort('SIGINT');
  stop.abort('SIGTERM');
  t.equal(await end, 0);
  t.strictSame(service.heard(), ['up', 'SIGINT']);
});

test('a service that does not end in time is killed', async (t) => {
  const service = fakeService(throwAwayFolder(t), '() => {}');
  const stop = new AbortController();
  const end = runService(service.command, { env, stop: stop.signal, drainMs: 200 });
  await eventually(() => service.heard().includes('up'));
  stop.abort('SIGTERM');
  t.equal(await end, 137);
});

test('a watcher that stays after its program has ended is signalled again', async (t) => {
  const service = fakeService(throwAwayFolder(t), `() => process.removeAllListeners('SIGTERM')`);
  const stop = new AbortController();
  const end = runService(service.command, { env, stop: stop.signal, watch: true });
  await eventually(() => service.heard().includes('up'));
  stop.abort('SIGTERM');
  t.equal(await end, 0, 'and its end was asked for');
});

test('nothing is started after the signal', async (t) => {
  const mark = join(throwAwayFolder(t), 'mark');
  t.equal(await runService(['touch', mark], { env, stop: AbortSignal.abort('SIGTERM') }), 0);
  t.notOk(existsSync(mark));
});

test('a program that cannot be started is named in one line', async (t) => {
  await t.rejects(runService(['/nowhere/deno'], { env }), {
    name: 'LaunchError',
    message: /nowhere.deno does not start/,
  });
});
