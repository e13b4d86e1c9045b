import { transformSync, version } from 'esbuild';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { enableCompileCache, registerHooks, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { projectRoot } from './project-root.mjs';

/**
 * How Node reads our TypeScript: the service, its tools and, by .taprc, the tests. Node removes the types itself, so
 * every function stays as it was written (esbuild's `keepNames`, which tsx needs, calls a function for each closure),
 * and keeps what it has compiled for the next process. Files with Nest's decorators, which it cannot read, go
 * through esbuild.
 */
const cache = join(projectRoot, 'node_modules', '.cache', 'innkeeper');
enableCompileCache(join(cache, 'compiled'));
setSourceMapsSupport(true, { nodeModules: false });

/** What Node's own parser of TypeScript does not take: decorators. */
const decorators = /^\s*@[A-Z]\w*\(/m;
const options = {
  loader: 'ts',
  target: 'es2024',
  sourcemap: 'inline',
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true, verbatimModuleSyntax: true } },
};
const made = join(cache, 'esbuild');

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/'))
      return nextLoad(url, context);
    const path = fileURLToPath(url);
    const text = readFileSync(path, 'utf8');
    if (!decorators.test(text)) return nextLoad(url, context);
    return { format: 'module', source: byEsbuild(path, text), shortCircuit: true };
  },
});

/** esbuild is a process of its own for each file, so what it made is kept under a name that is made of all it read. */
function byEsbuild(path, text) {
  const asked = { ...options, sourcefile: path };
  const name = createHash('sha256')
    .update(JSON.stringify([version, asked, text]))
    .digest('hex');
  const file = join(made, `${name}.mjs`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const { code } = transformSync(text, asked);
    keep(file, code);
    return code;
  }
}

function keep(file, code) {
  // Other processes are making the same file now: each sees it whole or not at all.
  const unfinished = `${file}.${randomUUID()}`;
  try {
    mkdirSync(made, { recursive: true });
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
  } catch {
    // Installed by somebody else, read only: made again at each start.
  }
}
