import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

const linux = process.platform === 'linux';

/**
 * System information about a process. `startedAt` distinguishes processes with the same id, so id and start time
 * together identify a process for good.
 * @param {number} pid
 * @returns {{ zombie: boolean, startedAt: string, parent: number } | undefined} undefined when there is none
 */
export function lookUp(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return linux ? fromProc(pid) : fromPs(pid);
}

/**
 * Whether the process can still do anything. A zombie holds no resources: it only waits for its parent to read its
 * exit code, which the first process of a container may never do.
 * @param {number} pid
 */
export function isRunning(pid) {
  const found = lookUp(pid);
  return found !== undefined && !found.zombie;
}

/**
 * Whether the process is a PostgreSQL on this data directory. A postmaster changes into it, so on Linux its working
 * directory is the proof; on other systems its command line.
 * @param {number} pid
 * @param {string} cluster real path of the data directory
 */
export function isPostgresOn(pid, cluster) {
  if (!linux) return ps(pid, 'command=').includes(cluster);
  return workingDirectory(pid) === cluster;
}

/**
 * @param {number} pid
 * @returns {string | undefined} undefined when the process is gone or belongs to somebody else
 */
export function workingDirectory(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function fromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { zombie: fields[0] === 'Z' || fields[0] === 'X', parent: Number(fields[1]), startedAt: fields[19] };
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function fromPs(pid) {
  const [state, parent, ...start] = ps(pid, 'stat=,ppid=,lstart=').trim().split(/\s+/);
  return state ? { zombie: state.startsWith('Z'), parent: Number(parent), startedAt: start.join(' ') } : undefined;
}

/**
 * @param {number} pid
 * @param {string} columns
 */
function ps(pid, columns) {
  return spawnSync('ps', ['-p', String(pid), '-o', columns], { encoding: 'utf8' }).stdout ?? '';
}
