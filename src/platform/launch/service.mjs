import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { LaunchError } from './launch-error.mjs';
import { projectRoot } from './project-root.mjs';

/**
 * From the signal to SIGKILL where nothing else is said. A drain has to leave time for the database to stop: all of it
 * together within 10 s.
 */
export const drainWithinMs = 7_500;
/** A watcher of Deno that has ended the program waits for the next change: only another signal ends it. */
const nudgeEveryMs = 1_000;

/**
 * @typedef {object} RunOptions
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {AbortSignal} [stop] its reason is the signal that is passed on, once
 * @property {boolean} [watch] the program is a watcher
 * @property {(pid: number) => void} [onStart]
 * @property {number} [drainMs]
 */

/**
 * Runs a program as our child, with our terminal, until it ends.
 * @param {readonly string[]} command
 * @param {RunOptions} options
 * @returns {Promise<number>} exit code; 128 + n when signal n ended the program
 */
export function runService(command, { env, stop, watch = false, onStart, drainMs = drainWithinMs }) {
  const [program, ...args] = command;
  if (stop?.aborted) return Promise.resolve(0);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd: projectRoot, stdio: 'inherit' });
    const timers = [];
    const passOn = () => {
      child.kill(stop.reason);
      timers.push(setTimeout(() => child.kill('SIGKILL'), drainMs));
      if (watch) timers.push(setInterval(() => child.kill(stop.reason), nudgeEveryMs));
    };
    const clean = () => {
      stop?.removeEventListener('abort', passOn);
      timers.forEach(clearTimeout);
    };
    stop?.addEventListener('abort', passOn, { once: true });
    child.once('spawn', () => onStart?.(child.pid));
    child.once('error', (error) => {
      clean();
      reject(new LaunchError(`${program} does not start: ${error.message}`));
    });
    child.once('exit', (code, signal) => {
      clean();
      resolve(watch && stop?.aborted ? 0 : (code ?? 128 + constants.signals[signal]));
    });
  });
}
