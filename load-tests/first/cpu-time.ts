import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever its own clock does. */
const TICK_MS = 10;
/** Fields of /proc/<pid>/stat after the name of the program, which may itself hold spaces. */
const USER = 11;
const SYSTEM = 12;

/**
 * CPU time that a process has used, in milliseconds; 0 where there is no /proc. On a machine that is shared the time
 * a request costs says more than how many were answered.
 */
export function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
  } catch {
    return 0;
  }
}
