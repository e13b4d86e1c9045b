import { join } from 'node:path';

import { cached } from '../../test/services/cache.ts';
import { findProgram, isProgram } from '../../test/services/debian.ts';

/** The k6 that is built where none is installed. */
export const K6_VERSION = '2.0.0';
export const K6_MODULE = 'go.k6.io/k6/v2';

/** Where `npm run k6:install` puts it: outside of the repository, one folder a version. */
export const cachedK6 = (): string => join(cached(`k6-${K6_VERSION}`), 'k6');

/** The k6 on the PATH, else the one in the cache. */
export const findK6 = (): string | undefined => findProgram('k6') ?? (isProgram(cachedK6()) ? cachedK6() : undefined);
