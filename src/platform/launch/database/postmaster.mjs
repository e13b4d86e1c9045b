import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

import { LaunchError } from '../launch-error.mjs';
import { endProcess } from '../process/end-process.mjs';
import { freePort } from '../process/free-port.mjs';
import { until } from '../process/until.mjs';
import { spawnOptions } from '../programs.mjs';
import { postgresArguments } from '../settings.mjs';
import { isDiskFull } from './disk-room.mjs';
import { readPostmaster } from './postmaster-file.mjs';

/** The slowest start replays the log after a crash of the machine. */
const usuallyReadyWithinMs = 120_000;
const abortedStopWithinMs = 2_000;
/** Temporary causes: a taken port, and the last backends of a killed postmaster. */
const portTaken = /Address already in use|could not create any TCP\/IP sockets/;
const passing = /Address already in use|could not create any TCP\/IP sockets|pre-existing shared memory block/;
const attempts = 50;
const pauseMs = 200;

/** Another program has taken the server's port. */
export class PortTaken extends LaunchError {}

/** @typedef {import('./postmaster-file.mjs').Postmaster & { exited?: Promise<string> }} Started exited: how it ended */

/**
 * Starts PostgreSQL in its own session, so that no signal to our process group reaches it: it must outlive the
 * service's last commit.
 * @param {{ native: string, cluster: string, account?: import('./account.mjs').Account }} place
 * @param {string} logFile
 * @param {{ readyWithinMs?: number, port?: number, signal?: AbortSignal }} [options] port: the previous one
 * @returns {Promise<Started>} once it accepts connections
 */
export async function startPostmaster(place, logFile, { readyWithinMs = usuallyReadyWithinMs, port, signal } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const from = fs.existsSync(logFile) ? fs.statSync(logFile).size : 0;
    const started = await tryStart(place, logFile, { readyWithinMs, port: port ?? (await freePort()), signal });
    if (started) return started;
    if (signal?.aborted) throw new LaunchError('the start of PostgreSQL was broken off');
    const said = fs.readFileSync(logFile).subarray(from).toString();
    if (attempt < attempts && passing.test(said)) {
      await until(() => false, pauseMs);
      continue;
    }
    const reason = said.match(/(?:FATAL|PANIC|ERROR): +(.*)/)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
    if (port !== undefined && portTaken.test(said))
      throw new PortTaken(`port ${port}, which PostgreSQL had, is taken by another program`);
    if (isDiskFull(place.cluster))
      throw new LaunchError(`PostgreSQL does not start: the disk of ${place.cluster} is full; make room (${reason})`);
    throw new LaunchError(
      `PostgreSQL does not start on ${place.cluster}: ${reason} (see ${logFile}; put a backup in its place, ` +
        'or delete it to start with an empty database)',
    );
  }
}

/**
 * @returns {Promise<Started | undefined>} undefined when it has ended
 */
async function tryStart({ native, cluster, account }, logFile, { readyWithinMs, port, signal }) {
  const log = fs.openSync(logFile, 'a', 0o600);
  const child = spawn(join(native, 'bin', 'postgres'), postgresArguments(cluster, port), {
    ...spawnOptions(account),
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  child.unref();
  let ended = false;
  const exited = new Promise((resolve) => {
    child.once('exit', (code, killedBy) => {
      ended = true;
      resolve(killedBy ? `signal ${constants.signals[killedBy]}` : `exit code ${code}`);
    });
  });
  child.once('error', (error) => {
    fs.appendFileSync(logFile, `FATAL:  ${error.message}\n`);
    ended = true;
  });
  const answer = await until(
    () => {
      if (ended || signal?.aborted) return 'ended';
      const now = readPostmaster(cluster);
      return now?.pid === child.pid && now?.status === 'ready' ? now : undefined;
    },
    readyWithinMs,
    10,
  );
  if (answer === undefined)
    throw new LaunchError(`PostgreSQL is not ready after ${readyWithinMs / 1000} s, see ${logFile}`);
  if (answer !== 'ended') return { ...answer, exited };
  if (!ended) await stopPostmaster(child.pid, abortedStopWithinMs);
  return undefined;
}

/**
 * Fast shutdown (open transactions roll back, one checkpoint); if that hangs an immediate one, which loses nothing
 * committed but must replay the log at the next start.
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
