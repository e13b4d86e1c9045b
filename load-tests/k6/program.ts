import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The k6 that is built where none is installed. */
export const K6_VERSION = '2.0.0';
export const K6_MODULE = 'go.k6.io/k6/v2';

/** Where `npm run k6:install` puts it: outside of the repository, one folder a version. */
export function cachedK6(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'innkeeper', `k6-${K6_VERSION}`, 'k6');
}

/** The k6 on the PATH, else the one in the cache. */
export function findK6(): string | undefined {
  return findOnPath('k6') ?? (isProgram(cachedK6()) ? cachedK6() : undefined);
}

export function findOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
