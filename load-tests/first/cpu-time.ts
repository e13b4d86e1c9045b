import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;
/** Fields of /proc/<pid>/stat after the name of the program, which may itself contain spaces. */
const PARENT = 1;
const USER = 11;
const SYSTEM = 12;
const ENDED = [13, 14] as const;

/**
 * CPU time of a process in milliseconds; 0 without /proc. On a shared machine the CPU time of a request says more than
 * throughput.
 */
export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  return (fields[USER]! + fields[SYSTEM]!) * TICK_MS;
}

/** CPU time of a process and its children, ended ones included, such as PostgreSQL's. */
export function cpuMsOfFamily(pid: number): number {
  const own = statOf(pid);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(Number(name))[PARENT] === pid);
  const ended = (own[ENDED[0]]! + own[ENDED[1]]!) * TICK_MS;
  return children.reduce((sum, child) => sum + cpuMs(Number(child)), cpuMs(pid) + ended);
}

/** Zeros for a missing process. */
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

/** CPU time of one thread, in nanosecond resolution; 0 when the kernel does not report it. */
export function threadCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
