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
 * @property {(pid: number, isDown?: boolean) => void} noteService writes down what a later launcher finds as
 * `leftover`
 * @property {() => void} release
 */

/** Age after which a guard counts as left by a killed process: reading and writing the lock takes milliseconds. */
const guardStaleMs = 2_000;
const guardWithinMs = 5_000;

/**
 * Takes DATA_DIR for this process: one launcher at a time, since a second would stop the first one's database.
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
 * Runs synchronous work exclusively: on every file system only one process can create a directory.
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
 * A full disk ends nothing: the file stays outdated until the next note.
 * @param {Entry} entry
 */
function tryWrite(path, entry) {
  try {
    write(path, entry);
  } catch {
    // Readers check whether these processes are alive.
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
