import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';

import { isAlive, launchFolder, runGroup, throwAwayFolder } from '../../../testing/launch/throw-away.ts';
import { takeLock } from './lock.mjs';

test('a second launcher learns who has the folder, and takes it once it is released', async (t) => {
  const folder = throwAwayFolder(t);
  const first = await takeLock(folder);
  if ('holder' in first) throw new Error('an empty folder is held');
  t.strictSame(await takeLock(folder), { holder: process.pid, isDown: false });
  first.release();
  t.notOk(existsSync(join(folder, 'launcher.lock')));
  t.notMatch(await takeLock(folder), { holder: Number });
});

test('of many launchers that start at once exactly one gets the folder', async (t) => {
  const folder = throwAwayFolder(t);
  const source = `
    const { takeLock } = await import('${launchFolder}process/lock.mjs');
    const lock = await takeLock('${folder}');
    console.log('holder' in lock ? 'refused' : 'taken');
    if (!('holder' in lock)) setTimeout(() => {}, 5000);`;
  // Each of them first finds the entry of a launcher that is gone.
  const gone = spawn('true');
  await once(gone, 'exit', { signal: AbortSignal.timeout(60_000) });
  writeFileSync(join(folder, 'launcher.lock'), JSON.stringify({ launcher: { pid: gone.pid, startedAt: '1' } }));
  const all = Array.from({ length: 6 }, () => runGroup(folder, source));
  for (const one of all) await one.said(/refused|taken/);
  t.equal(all.filter(({ out }) => out.text.includes('taken')).length, 1);
  all.filter(({ pid }) => isAlive(pid)).forEach((one) => one.signal('SIGKILL'));
  await Promise.all(all.map(({ end }) => end));
});

test('the lock of a launcher that is gone is taken over, and its service is named', async (t) => {
  const folder = throwAwayFolder(t);
  const service = spawn('sleep', ['30'], { stdio: 'ignore' });
  t.teardown(() => service.kill());
  const launcher = runGroup(
    folder,
    `const { takeLock } = await import('${launchFolder}process/lock.mjs');
    const lock = await takeLock('${folder}');
    lock.noteService(${service.pid});`,
  );
  t.equal(await launcher.end, 0);
  t.match(await takeLock(folder), { leftover: service.pid });
});

test('a process that was given the id of a launcher that is gone does not count', async (t) => {
  const folder = throwAwayFolder(t);
  const path = join(folder, 'launcher.lock');
  const stranger = { pid: process.pid, startedAt: 'long ago' };
  writeFileSync(path, JSON.stringify({ launcher: stranger, service: stranger }));
  const lock = await takeLock(folder);
  t.notMatch(lock, { holder: Number });
  t.notMatch(lock, { leftover: Number });
  t.match(JSON.parse(readFileSync(path, 'utf8')), { launcher: { pid: process.pid } });
});

test('neither an empty lock nor an abandoned guard keeps a launcher out', async (t) => {
  const folder = throwAwayFolder(t);
  writeFileSync(join(folder, 'launcher.lock'), '');
  const guard = join(folder, 'launcher.lock.guard');
  mkdirSync(guard);
  utimesSync(guard, 1, 1);
  t.notMatch(await takeLock(folder), { holder: Number });
  t.notOk(existsSync(guard));
});
