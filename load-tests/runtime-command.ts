import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url));
/** `--import` that lets Node read TypeScript. */
export const STRIP_TYPES = new URL('../src/platform/launch/strip-types.mjs', import.meta.url).href;

/** Commands that run a program in a process of its own: as `npm start` or `npm run start:node` runs the service. */
export const RUNTIME_COMMANDS = {
  deno: [`${BIN}deno`, 'run', '-A'],
  node: [`${BIN}node`, '--import', STRIP_TYPES],
} as const;
