import { readdirSync } from 'node:fs';

import { lookUp } from '../../platform/launch/process/processes.mjs';

/** A PostgreSQL server's process and all of its own. */
export function processesOf(postmaster: number): number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((pid) => lookUp(pid)?.parent === postmaster);
  return [postmaster, ...children];
}

/** Sends a signal to every process of a server; those that have ended meanwhile are left out. */
export function signalServer(postmaster: number, signal: NodeJS.Signals): void {
  for (const pid of processesOf(postmaster)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}
