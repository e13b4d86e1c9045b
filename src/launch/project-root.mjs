import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json: everything that is run or read is found from here, never from the cwd. */
export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
