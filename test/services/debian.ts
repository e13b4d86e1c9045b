import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's package of each program; Maven's brings a Java along. */
const PACKAGES = {
  'redis-server': 'redis-server',
  java: 'default-jre-headless',
  mvn: 'maven',
  python3: 'python3-venv',
  kcat: 'kcat',
} as const;

/**
 * A program of this machine; root on Debian gets it installed where it is missing.
 * @throws Error that names the program and its package
 */
export function requireProgram(name: keyof typeof PACKAGES): string {
  const found = findProgram(name) ?? (install(PACKAGES[name]) ? findProgram(name) : undefined);
  if (found === undefined)
    throw new Error(`${name} is not on the PATH, and only root on Debian can have it installed: ${PACKAGES[name]}`);
  return found;
}

/** The one that a shell would run. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Whether it can be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function install(name: string): boolean {
  if (process.getuid?.() !== 0 || findProgram('apt-get') === undefined) return false;
  process.stderr.write(`installing Debian's ${name}\n`);
  // A daemon that Debian starts at installation would be somebody else's on the usual port.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, encoding: 'utf8' });
  apt('update', '-qq');
  const { status, stderr } = apt('install', '-y', '-qq', '--no-install-recommends', name);
  if (status !== 0) process.stderr.write(stderr);
  return status === 0;
}
