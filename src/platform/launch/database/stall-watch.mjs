import { readFileSync } from 'node:fs';

import { readPostmaster } from './postmaster-file.mjs';

/** PostgreSQL itself ends sessions that do not react after 5 s; in milliseconds. */
const stalledAfterMs = 10_000;
const lookEveryMs = 1_000;
/** Recovery, and a process that runs from its end until a shutdown. */
const works = /^postgres: (startup|walwriter)/;

/**
 * Notices a server that neither serves nor recovers, for good: when its recovery after a crash fails, for example because
 * `fsync` does, PostgreSQL 18 can wait for processes that it never signalled. On systems other than Linux nothing is noticed.
 */
export class StallWatch {
  #lookedAt = -Infinity;
  #since;

  /**
   * @param {number} pid of the postmaster
   * @param {string} cluster
   * @param {number} [now] milliseconds
   * @returns {boolean} whether it has stalled
   */
  isStalled(pid, cluster, now = performance.now()) {
    if (now - this.#lookedAt < lookEveryMs) return false;
    this.#lookedAt = now;
    if (isAtWork(pid) || readPostmaster(cluster)?.status === 'stopping') this.#since = undefined;
    else this.#since ??= now;
    return this.#since !== undefined && now - this.#since >= stalledAfterMs;
  }
}

/** @param {number} pid */
function isAtWork(pid) {
  let children;
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  } catch {
    return true;
  }
  return children.some((child) => works.test(commandOf(child)));
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
