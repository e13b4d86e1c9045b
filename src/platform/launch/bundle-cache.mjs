import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './project-root.mjs';

/** Where bundles are kept, unless a test has a place of its own. */
export const bundles = join(projectRoot, 'node_modules', '.cache', 'innkeeper', 'dashboard');
/** Bundles of other branches stay for a while, so that going back and forth makes none anew. */
const savedForMs = 86_400_000;
/** What every bundle depends on beside its inputs: the versions of esbuild and of the packages, and our flags. */
const always = [
  'package-lock.json',
  'tsconfig.json',
  'src/platform/launch/dashboard.mjs',
  'src/platform/launch/shared-script.mjs',
];
const inputsFile = 'inputs.json';

/**
 * Copies the bundle that was made of the same inputs before. Making one anew is a fifth of the processor time of a
 * start.
 * @param {string} cache
 * @param {string} into folder of the page
 * @param {readonly string[]} more inputs that esbuild does not see, relative to the project
 * @returns {boolean} false when there is none, and `into` is as it was
 */
export function copyBundle(cache, into, more) {
  try {
    // A bundle with other imports comes from another file with the import: the list may be old, the key is not.
    const bundle = join(cache, keyOf([...JSON.parse(fs.readFileSync(join(cache, inputsFile), 'utf8')), ...more]));
    // All names are read first: nothing is copied of a bundle that is not there.
    for (const name of fs.readdirSync(bundle)) fs.copyFileSync(join(bundle, name), join(into, name));
    return true;
  } catch {
    return false;
  }
}

/**
 * Keeps a bundle for the starts to come. Where nothing can be written, such as in packages of another user, each start
 * makes its own.
 * @param {string} cache
 * @param {string} from folder of the page
 * @param {{ inputs: readonly string[], more: readonly string[], made: readonly string[] }} bundle what esbuild has read
 *   and what it has not, relative to the project, and the files that were made of it
 */
export function keepBundle(cache, from, { inputs, more, made }) {
  const unfinished = join(cache, `unfinished-${randomUUID()}`);
  try {
    const key = keyOf([...inputs, ...more]);
    fs.mkdirSync(unfinished, { recursive: true });
    const files = made.flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
    for (const name of files)
      if (fs.existsSync(join(from, name))) fs.copyFileSync(join(from, name), join(unfinished, name));
    const list = join(cache, `${inputsFile}.${randomUUID()}`);
    fs.writeFileSync(list, JSON.stringify(inputs));
    fs.renameSync(list, join(cache, inputsFile));
    // Other launchers may be doing the same: one comes first, and each sees it whole or not at all.
    if (!fs.existsSync(join(cache, key))) fs.renameSync(unfinished, join(cache, key));
    removeOld(cache, key);
  } catch {
    // See above.
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

/** @param {readonly string[]} inputs */
function keyOf(inputs) {
  const hash = createHash('sha256').update(process.version);
  for (const input of [...new Set([...always, ...inputs])].sort())
    hash.update(`\0${input}\0`).update(fs.readFileSync(join(projectRoot, input)));
  return hash.digest('hex').slice(0, 32);
}

function removeOld(cache, key) {
  for (const name of fs.readdirSync(cache)) {
    const path = join(cache, name);
    if (name !== key && name !== inputsFile && Date.now() - fs.statSync(path).mtimeMs > savedForMs)
      fs.rmSync(path, { recursive: true, force: true });
  }
}
