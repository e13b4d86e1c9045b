import { join } from 'node:path';

/** The folder with package.json: all paths are relative to it, never to the working directory. */
export const projectRoot = join(import.meta.dirname, '../../..');
