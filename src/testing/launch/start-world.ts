import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { RestartLimits } from '../../platform/launch/process/restart-budget.mjs';
import { isAlive, launchFolder, runGroup } from './throw-away.ts';

/** A minimal service: uses its database, drains on the first signal, ends with 0. */
const fakeService = `
  import { connect } from 'node:net';
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import process from 'node:process';
  const { DATA_DIR = '', DATABASE_URL = '', INNKEEPER_EMBEDDED_POSTGRES, DASHBOARD_DIR, DRAINS = '400' } = process.env;
  const dial = () => new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(DATABASE_URL).port), '127.0.0.1');
    socket.once('connect', () => { socket.destroy(); resolve('up'); });
    socket.once('error', (error: Error) => resolve(error.message));
  });
  const note = (name: string, value: unknown) => writeFileSync(DATA_DIR + '/' + name, JSON.stringify(value));
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, async () => {
    signals += 1;
    if (signals > 1) return;
    await new Promise((resolve) => setTimeout(resolve, Number(DRAINS)));
    note('drained.json', { signals, database: await dial() });
    process.exit(0);
  });
  setInterval(() => {}, 1000);
  const database = await dial();
  const { FAILS_FROM_START = '' } = process.env;
  let starts = 0;
  try { starts = Number(readFileSync(DATA_DIR + '/starts', 'utf8')); } catch {}
  writeFileSync(DATA_DIR + '/starts', String(starts + 1));
  if (existsSync(DATA_DIR + '/away')) process.exit(Number(process.env.EXIT_AWAY ?? 1));
  if (FAILS_FROM_START !== '' && starts + 1 >= Number(FAILS_FROM_START)) process.exit(3);
  note('up.json', { pid: process.pid, database, url: DATABASE_URL, embedded: INNKEEPER_EMBEDDED_POSTGRES, DASHBOARD_DIR });
  writeFileSync(DATA_DIR + '/service.ready', String(process.pid));
  console.log('service is up');`;

type Limits = { service?: RestartLimits; database?: RestartLimits };

export const driver = (task: string) => `
  const { stopSignal } = await import('${launchFolder}process/stop-signal.mjs');
  const { start } = await import('${launchFolder}start.mjs');
  const { databaseTool } = await import('${launchFolder}tools.mjs');
  const launch = { env: process.env, stop: stopSignal(), log: (line) => console.error(line) };
  try {
    process.exit(await ${task});
  } catch (error) {
    console.error(error.name + ': ' + error.message);
    process.exit(1);
  }`;

/** A launcher with a minimal service, in a folder of the test. */
export function startWorld(t: { teardown(work: () => void): void }, folder: string) {
  const groups: { pid: number }[] = [];
  // Processes of a failed test must not outlive it.
  t.teardown(() => groups.filter(({ pid }) => isAlive(pid)).forEach(({ pid }) => process.kill(-pid, 'SIGTERM')));
  const dataDir = join(folder, 'data');
  const script = join(folder, 'service.mts');
  writeFileSync(script, fakeService);
  const read = (name: string) => JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
  const launch = (runtime: string, env: NodeJS.ProcessEnv = {}, limits: Limits = {}) => {
    const quick = { most: 2, firstPauseMs: 300, starts: { most: 4, firstPauseMs: 100, longestPauseMs: 400 } };
    const given = { service: { ...quick, ...limits.service }, database: { ...quick, ...limits.database } };
    const more = `watch: false, script: '${script}', limits: ${JSON.stringify(given)}`;
    const task = `start({ ...launch, runtime: '${runtime}', ${more} })`;
    const group = runGroup(folder, driver(task), {
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      INNKEEPER_ALLOW_ENV: 'DRAINS,FAILS_FROM_START,EXIT_AWAY',
      ...env,
    });
    groups.push(group);
    return group;
  };
  const numberIn = (file: string): number => {
    try {
      return Number(readFileSync(join(dataDir, file), 'utf8').split('\n')[0]);
    } catch {
      return 0;
    }
  };
  const postmaster = () => numberIn('postgres/postmaster.pid');
  /** Process id of the running service, 0 while there is none. */
  const pidNow = () => numberIn('service.ready');
  return { folder, dataDir, read, launch, postmaster, pidNow };
}
