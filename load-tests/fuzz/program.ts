import { join } from 'node:path';

import { findProgram } from '../../test/services/debian.ts';
import { pythonPrograms } from '../../test/services/python.ts';

/** Version of schemathesis that is installed when there is none on the PATH. */
const VERSION = '4.32.5';

/**
 * schemathesis: the one on the PATH, else one that is installed at the first call.
 * @throws Error with what is missing
 */
export const findSchemathesis = (): string =>
  findProgram('schemathesis') ?? join(pythonPrograms([`schemathesis==${VERSION}`]), 'schemathesis');
