import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';

import { beginSeveral, endShared } from './last-file.ts';
import { secondsSoFar } from './processor-time.ts';

/** Plays the test files that its parent names, each as a test of this process (test/loop/together.ts). */
type Asked = { file: string; seconds: number };

const ROOT = join(import.meta.dirname, '../..');
/** The parent names the file of a process that plays only one. */
if (process.argv.length === 2) beginSeveral();
const OF_A_FILE = 'test-of:';
const tests = new Map<string, Test>();
const seen = Symbol.for('innkeeper.tests-of-files');
Object.assign(globalThis, { [seen]: tests });

// What a test file imports as tap is the test of that file, and no longer that of the process.
registerHooks({
  resolve(specifier, context, next) {
    const importer = context.parentURL;
    if (specifier !== 'tap' || importer === undefined || !tests.has(importer)) return next(specifier, context);
    return { url: OF_A_FILE + importer, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    if (!url.startsWith(OF_A_FILE)) return next(url, context);
    const test = `globalThis[Symbol.for('innkeeper.tests-of-files')].get(${JSON.stringify(url.slice(OF_A_FILE.length))})`;
    const source = `const t = ${test}; export default t; export const test = t.test.bind(t);`;
    return { format: 'module', source, shortCircuit: true };
  },
});

/** What a file must leave as it was, since the next one begins with it; globals that a library adds are no change. */
const GLOBALS = Object.getOwnPropertyNames(globalThis);

function surroundings(): Map<string, unknown> {
  const globals = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)?.value] as const);
  const { now } = Date;
  return new Map([...globals, ['Date.now', now], ['Math.random', Math.random], ['cwd', process.cwd()], ...envOf()]);
}

/** Set by packages that are loaded, about colours of a terminal. */
const OF_PACKAGES = new Set(['FORCE_COLOR', 'MIKRO_ORM_COLORS']);
const envOf = (): [string, unknown][] =>
  Object.entries(process.env)
    .filter(([name]) => !OF_PACKAGES.has(name))
    .map(([name, value]) => [`env ${name}`, value]);

async function play({ file, seconds }: Asked): Promise<void> {
  const url = pathToFileURL(join(ROOT, file)).href;
  const before = surroundings();
  const began = secondsSoFar();
  await t.test(file, { timeout: seconds * 1_000 }, async (test) => {
    tests.set(url, test);
    const setTimeout = test.setTimeout.bind(test);
    // The parent ends a file that has more than its time, and is to know which that is.
    test.setTimeout = (limitMs) => {
      process.send?.({ limitMs });
      setTimeout(limitMs);
    };
    await import(url);
  });
  const after = surroundings();
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.filter((name) => !Object.is(before.get(name), after.get(name)));
  process.send?.({ changed, processor: secondsSoFar() - began });
}

// Each file has its limit; the process waits for the next one as long as it takes. tap lets go of the channel to the
// parent, so that a timer keeps the process.
t.setTimeout(0);
const waiting = setInterval(() => {}, 60_000);
process.on('message', (asked: Asked) => void play(asked));
process.once('disconnect', () => void endShared().finally(() => clearInterval(waiting)));
process.send?.({ changed: [] });
