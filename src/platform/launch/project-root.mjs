import { join } from 'node:path';

/** The folder that holds package.json: everything that is run or read is found from here, never from the cwd. */
export const projectRoot = join(import.meta.dirname, '../../..');
