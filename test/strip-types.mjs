import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { enableCompileCache, registerHooks, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from 'esbuild';

/**
 * How test processes read TypeScript, given to each by .taprc. Node removes the types itself and keeps what it has
 * compiled for the next process, which halves the start of two hundred processes. The few files that it cannot read,
 * most of them with Nest's decorators, go through esbuild. The service itself runs by tsx or Deno, which is what
 * the black-box suite tests.
 */
const kept = join(import.meta.dirname, '..', 'node_modules', '.cache', 'innkeeper');
enableCompileCache(join(kept, 'compiled'));
setSourceMapsSupport(true, { nodeModules: false });

/** What Node's own parser of TypeScript does not take: decorators, and a loop whose variable is called `of`. */
const beyondNode = /^\s*@[A-Z]\w*\(|\bfor \((?:const|let) of of\b/m;
const options = {
  loader: 'ts',
  target: 'es2024',
  sourcemap: 'inline',
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true, verbatimModuleSyntax: true } },
};
const made = join(kept, 'esbuild');

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/'))
      return nextLoad(url, context);
    const path = fileURLToPath(url);
    const text = readFileSync(path, 'utf8');
    if (!beyondNode.test(text)) return nextLoad(url, context);
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
    mkdirSync(made, { recursive: true });
    // Other test processes are making the same file now: each sees it whole or not at all.
    const unfinished = `${file}.${randomUUID()}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
    return code;
  }
}
