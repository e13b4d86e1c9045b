import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { endProcess } from './end-process.mjs';
import { freePort } from './free-port.mjs';
import { LaunchError } from './launch-error.mjs';
import { readPostmaster } from './postmaster-file.mjs';
import { spawnOptions } from './programs.mjs';
import { postgresArguments } from './settings.mjs';
import { until } from './until.mjs';

/** Replaying the log after a crash of the machine is the slowest start there is. */
const usuallyReadyWithinMs = 120_000;
/** Reasons that go away: a port somebody took, and the last processes of a postmaster that was killed. */
const passing = /Address already in use|could not create any TCP\/IP sockets|pre-existing shared memory block/;
const attempts = 50;
const pauseMs = 200;

/**
 * Starts PostgreSQL in a session of its own, so that no signal to our process group reaches it: it has to outlive the
 * service's last commit.
 * @param {{ native: string, cluster: string, account?: import('./account.mjs').Account }} place
 * @param {string} logFile
 * @param {number} [readyWithinMs]
 * @returns {Promise<import('./postmaster-file.mjs').Postmaster>} once it takes connections
 */
export async function startPostmaster(place, logFile, readyWithinMs = usuallyReadyWithinMs) {
  for (let attempt = 1; ; attempt += 1) {
    const from = fs.existsSync(logFile) ? fs.statSync(logFile).size : 0;
    const started = await tryStart(place, logFile, readyWithinMs);
    if (started) return started;
    const said = fs.readFileSync(logFile).subarray(from).toString();
    if (attempt < attempts && passing.test(said)) {
      await until(() => false, pauseMs);
      continue;
    }
    const reason = said.match(/(?:FATAL|PANIC|ERROR): +(.*)/)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
    throw new LaunchError(
      `PostgreSQL does not start on ${place.cluster}: ${reason} (see ${logFile}; put a backup in its place, ` +
        'or delete it to start with an empty database)',
    );
  }
}

/**
 * @returns {Promise<import('./postmaster-file.mjs').Postmaster | undefined>} undefined when it has ended
 */
async function tryStart({ native, cluster, account }, logFile, readyWithinMs) {
  const log = fs.openSync(logFile, 'a', 0o600);
  const child = spawn(join(native, 'bin', 'postgres'), postgresArguments(cluster, await freePort()), {
    ...spawnOptions(account),
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  child.unref();
  let ended = false;
  child.once('exit', () => (ended = true));
  child.once('error', (error) => {
    fs.appendFileSync(logFile, `FATAL:  ${error.message}\n`);
    ended = true;
  });
  const answer = await until(
    () => {
      if (ended) return 'ended';
      const now = readPostmaster(cluster);
      return now?.pid === child.pid && now?.status === 'ready' ? now : undefined;
    },
    readyWithinMs,
    10,
  );
  if (answer === undefined)
    throw new LaunchError(`PostgreSQL is not ready after ${readyWithinMs / 1000} s, see ${logFile}`);
  return answer === 'ended' ? undefined : answer;
}

/**
 * Fast shutdown (open transactions roll back, one checkpoint); when that hangs an immediate one, which loses nothing
 * that was committed but has to replay the log at the next start.
 * @param {number} pid
 * @param {number} withinMs
 */
export async function stopPostmaster(pid, withinMs) {
  await endProcess(pid, [
    ['SIGINT', withinMs * 0.7],
    ['SIGQUIT', withinMs * 0.2],
    ['SIGKILL', withinMs * 0.1],
  ]);
}
