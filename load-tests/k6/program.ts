import { join } from 'node:path';

import { cached } from '../../test/services/cache.ts';
import { findProgram, isProgram } from '../../test/services/debian.ts';

/** Version of k6 that is built when none is installed. */
export const K6_VERSION = '2.0.0';
export const K6_MODULE = 'go.k6.io/k6/v2';

/** Target of `npm run k6:install`: outside of the repository, one folder a version. */
export const cachedK6 = (): string => join(cached(`k6-${K6_VERSION}`), 'k6');

/** The k6 on the PATH, else the one in the cache. */
export const findK6 = (): string | undefined => findProgram('k6') ?? (isProgram(cachedK6()) ? cachedK6() : undefined);
