import { join } from 'node:path';

import { projectRoot } from './project-root.mjs';

/** An entry that a workspace of the page begins with, and the one that most users see first. */
const WORKSPACE = /-page\.tsx$/;
const FIRST = /revenue-page\.tsx$/;

/**
 * A script that every part of the page imports, so that esbuild puts what it names into one file. By itself it makes a
 * file for each set of parts that use the same sources: thirty for one workspace, and a slow line needs a round trip
 * for every six.
 * @param {{ inputs: Record<string, any>, outputs: Record<string, any> }} metafile of a bundle without it
 * @returns {string} empty when there is nothing to share
 */
export function sharedScript({ inputs, outputs }) {
  const entries = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const usedBy = new Map();
  for (const entry of entries)
    for (const source of importedBy(inputs, entry)) usedBy.set(source, [...(usedBy.get(source) ?? []), entry]);
  // Words of two workspaces stay theirs: what all load is what most use, and what the first view uses.
  const shared = [...usedBy].filter(([source, users]) => {
    if (users.length < 2 || entries.includes(source) || !/(?<!\.d)\.tsx?$/.test(source)) return false;
    return users.filter((one) => WORKSPACE.test(one)).length > 2 || users.some((one) => FIRST.test(one));
  });
  return shared.map(([source]) => `import ${JSON.stringify(join(projectRoot, source))};\n`).join('');
}

/** A source with all that it imports at once. */
function importedBy(inputs, source, found = new Set()) {
  if (found.has(source)) return found;
  found.add(source);
  for (const { kind, path, external } of inputs[source].imports)
    if (kind === 'import-statement' && !external) importedBy(inputs, path, found);
  return found;
}
