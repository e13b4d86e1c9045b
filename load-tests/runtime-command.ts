import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url));
/** Lets a Node read our TypeScript, as an `--import`. */
export const STRIP_TYPES = new URL('../src/platform/launch/strip-types.mjs', import.meta.url).href;

/** How a program of ours is run in a process of its own: as `npm start` or `npm run start:node` runs the service. */
export const RUNTIME_COMMANDS = {
  deno: [`${BIN}deno`, 'run', '-A'],
  node: [`${BIN}node`, '--import', STRIP_TYPES],
} as const;
