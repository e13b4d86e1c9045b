import { join } from 'node:path';

import { endProcess } from '../process/end-process.mjs';
import { lookUp } from '../process/processes.mjs';
import { readJson, writePrivate } from './secrets-file.mjs';

const drainMs = 9_000;
const killMs = 1_500;

/** Records the processes of a cluster, for the launcher after a killed one. */
export class Processes {
  #file;
  /** @type {Map<string, { pid: number, startedAt: string }>} */
  #all = new Map();

  /** @param {string} dataDir */
  constructor(dataDir) {
    this.#file = join(dataDir, 'processes.json');
  }

  /**
   * @param {string} name
   * @param {number} [pid] undefined when it has ended
   */
  note(name, pid) {
    const startedAt = pid === undefined ? undefined : lookUp(pid)?.startedAt;
    if (pid === undefined || startedAt === undefined) this.#all.delete(name);
    else this.#all.set(name, { pid, startedAt });
    writePrivate(this.#file, Object.fromEntries(this.#all));
  }

  /** @param {string} name */
  pidOf(name) {
    return this.#all.get(name)?.pid;
  }

  /**
   * Ends the processes of an earlier launcher, which hold our ports.
   * @param {(line: string) => void} log
   */
  async endThoseBefore(log) {
    const before = Object.entries(readJson(this.#file) ?? {});
    const living = before.filter(([, { pid, startedAt }]) => lookUp(pid)?.startedAt === startedAt);
    await Promise.all(
      living.map(([name, { pid }]) => {
        log(`stopping ${name} of an earlier start (process ${pid}), whose launcher is gone`);
        return endProcess(pid, [
          ['SIGTERM', drainMs],
          ['SIGKILL', killMs],
        ]);
      }),
    );
  }
}
