import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever its own clock does. */
const TICK_MS = 10;
/** Fields of /proc/<pid>/stat after the name of the program, which may itself hold spaces. */
const PARENT = 1;
const USER = 11;
const SYSTEM = 12;
const ENDED = [13, 14] as const;

/**
 * CPU time that a process has used, in milliseconds; 0 where there is no /proc. On a machine that is shared the time
 * a request costs says more than how many were answered.
 */
export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  return (fields[USER]! + fields[SYSTEM]!) * TICK_MS;
}

/** The same of a process and its children, those that have ended included, such as PostgreSQL's. */
export function cpuMsOfFamily(pid: number): number {
  const own = statOf(pid);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(Number(name))[PARENT] === pid);
  const ended = (own[ENDED[0]]! + own[ENDED[1]]!) * TICK_MS;
  return children.reduce((sum, child) => sum + cpuMs(Number(child)), cpuMs(pid) + ended);
}

/** Zeros for a process that is not there. */
function statOf(pid: number): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return Array.from({ length: ENDED[1] + 1 }, () => 0);
  }
}

/** The same for one thread, to the nanosecond; 0 where the kernel does not report it. */
export function threadCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
