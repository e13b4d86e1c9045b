import { build, type BuildOptions } from 'esbuild';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * `npm run simulator:build -- <folder>`: bundles the simulation of actors for a browser, and the page that shows it,
 * into one script beside docs/simulator/index.html. The actors are those of the product; only what Node gives them is
 * replaced (docs/simulator/README.md#the-same-code).
 */
const ROOT = resolve(import.meta.dirname, '../..');
const SIMULATION = join(ROOT, 'actors/simulation');
const into = resolve(process.argv[2] ?? join(ROOT, 'docs/simulator'));

const COMMON: BuildOptions = {
  bundle: true,
  write: false,
  minify: true,
  format: 'iife',
  target: 'es2022',
  platform: 'browser',
  legalComments: 'none',
  logLevel: 'warning',
  absWorkingDir: ROOT,
  define: { 'process.env.NODE_ENV': '"production"' },
};

const simulation = await bundled({
  entryPoints: [join(SIMULATION, 'browser/worker.ts')],
  alias: { 'node:crypto': join(SIMULATION, 'browser/crypto.ts'), 'node:util': join(SIMULATION, 'browser/util.ts') },
});
const styles = await bundled({ entryPoints: [join(SIMULATION, 'page/simulator.css')] });
const page = await bundled({
  entryPoints: [join(SIMULATION, 'page/main.tsx')],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: {
    ...COMMON.define,
    // A page of a file may load no second script, so it has its worker with it.
    SIMULATION: JSON.stringify(gzipSync(simulation, { level: 9 }).toString('base64')),
    STYLES: JSON.stringify(styles),
  },
});
mkdirSync(into, { recursive: true });
const file = join(into, 'simulator.js');
writeFileSync(file, `// Made by npm run simulator:build.\n${page}`);
console.log(`${file}: ${Math.round(page.length / 1_000)} kB`);

async function bundled(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({ ...COMMON, ...options, write: false });
  return outputFiles[0]!.text;
}
