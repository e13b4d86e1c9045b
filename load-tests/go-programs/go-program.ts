import { join } from 'node:path';

import { cached } from '../../test/services/cache.ts';
import { findProgram, isProgram } from '../../test/services/debian.ts';

/** A program in Go that is built from its module where none is installed. */
export type GoProgram = { name: string; module: string; version: string; site: string };

export const K6: GoProgram = {
  name: 'k6',
  module: 'go.k6.io/k6/v2',
  version: '2.0.0',
  site: 'https://grafana.com/docs/k6',
};
/** The baseline of live feeds that others use in production. */
export const CENTRIFUGO: GoProgram = {
  name: 'centrifugo',
  module: 'github.com/centrifugal/centrifugo/v6',
  version: '6.9.1',
  site: 'https://centrifugal.dev',
};

/** Target of `npm run {name}:install`: outside of the repository, one folder a version. */
export const cachedGoProgram = ({ name, version }: GoProgram): string => join(cached(`${name}-${version}`), name);

/** The program on the PATH, else the one in the cache. */
export function findGoProgram(program: GoProgram): string | undefined {
  const built = cachedGoProgram(program);
  return findProgram(program.name) ?? (isProgram(built) ? built : undefined);
}

/** @throws Error with what to do, where there is none */
export function requireGoProgram(program: GoProgram): string {
  const found = findGoProgram(program);
  if (found !== undefined) return found;
  const { name, site } = program;
  const how = findProgram('go')
    ? `npm run ${name}:install builds one`
    : `install ${name}, or Go, with which npm run ${name}:install builds one (${site}, https://go.dev/dl)`;
  throw new Error(`there is no ${name} on the PATH or in the cache; ${how}`);
}
