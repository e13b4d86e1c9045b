import * as fs from 'node:fs';
import { join } from 'node:path';

import { LaunchError } from '../launch-error.mjs';
import { isRunning, lookUp } from './processes.mjs';
import { until } from './until.mjs';

/** A process by id and start: an id alone may have been given to somebody else since. */
/** @typedef {{ pid: number, startedAt: string }} Identity */
/** @typedef {{ launcher: Identity, service?: Identity, isDown?: boolean }} Entry */
/** DATA_DIR is taken by a living launcher; `isDown`: its service has ended by itself and is not back yet. */
/** @typedef {{ holder: number, isDown: boolean }} Held */
/**
 * @typedef {object} Lock
 * @property {number} [leftover] a service that still runs though its launcher is gone
 * @property {(pid: number, isDown?: boolean) => void} noteService writes down what a later launcher finds as `leftover`
 * @property {() => void} release
 */

/** Reading, judging and writing the lock takes milliseconds; a guard older than this was left by a killed process. */
const guardStaleMs = 2_000;
const guardWithinMs = 5_000;

/**
 * Takes DATA_DIR for this process: one launcher at a time, or the second would stop the first one's database.
 * @param {string} dataDir
 * @returns {Promise<Held | Lock>}
 */
export async function takeLock(dataDir) {
  const path = join(dataDir, 'launcher.lock');
  const mine = identity(process.pid);
  return guarded(path, () => {
    const before = read(path);
    if (before && lives(before.launcher)) return { holder: before.launcher.pid, isDown: before.isDown === true };
    write(path, { launcher: mine });
    return {
      leftover: before?.service && lives(before.service) ? before.service.pid : undefined,
      noteService: (pid, isDown = false) => tryWrite(path, { launcher: mine, service: identity(pid), isDown }),
      release: () => fs.rmSync(path, { force: true }),
    };
  });
}

/**
 * Runs synchronous work alone. A directory is made by one process only, on every file system.
 * @template T
 * @param {string} path
 * @param {() => T} work
 * @returns {Promise<T>}
 */
async function guarded(path, work) {
  const guard = `${path}.guard`;
  if (!(await until(() => makeGuard(guard), guardWithinMs))) throw new LaunchError(`delete ${guard} and start again`);
  try {
    return work();
  } finally {
    fs.rmdirSync(guard);
  }
}

function makeGuard(guard) {
  try {
    fs.mkdirSync(guard);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw new LaunchError(`cannot write to the data folder: ${error.message}`);
    const made = fs.statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > guardStaleMs) fs.rmSync(guard, { recursive: true, force: true });
    return false;
  }
}

/** @returns {Entry | undefined} undefined too for a file that a power cut left empty */
function read(path) {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {Entry} entry */
function write(path, entry) {
  fs.writeFileSync(`${path}.new`, JSON.stringify(entry), { mode: 0o600 });
  fs.renameSync(`${path}.new`, path);
}

/**
 * A disk that is full ends nobody: what the file says then is as old as it is, and the next note says it anew.
 * @param {Entry} entry
 */
function tryWrite(path, entry) {
  try {
    write(path, entry);
  } catch {
    // Whoever reads it looks whether these processes live.
  }
}

/** @returns {Identity} */
function identity(pid) {
  return { pid, startedAt: lookUp(pid)?.startedAt ?? '' };
}

/** @param {Identity} who */
function lives(who) {
  return isRunning(who?.pid) && lookUp(who.pid)?.startedAt === who.startedAt;
}
