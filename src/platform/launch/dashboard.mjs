import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { bundles, copyBundle, keepBundle } from './bundle-cache.mjs';
import { LaunchError } from './launch-error.mjs';
import { projectRoot } from './project-root.mjs';
import { requireInstalled } from './runtimes.mjs';

/** Files beside the page that are served unchanged. */
const served = new Set(['.html', '.svg', '.ico', '.png', '.webmanifest']);
/** Needed for the first paint, so it is not part of the bundle. */
const firstPaint = 'first-paint.css';
/** Files that are sent compressed; smaller ones gain nothing. */
const compressed = new Set(['.html', '.js', '.css', '.svg']);
const leastCompressedBytes = 512;

/**
 * Bundles the dashboard page, or copies what was made of the same sources before. The launcher does it because the
 * service may not run programs.
 * @param {string} into folder that the service serves
 * @param {string} [source] of the page, in the project
 * @param {string} [cache] of pages that were made before
 * @returns {Promise<void>} at once when there is no page
 */
export async function bundleDashboard(into, source = join(projectRoot, 'gateways', 'dashboard'), cache = bundles) {
  const page = join(source, 'main.tsx');
  if (!fs.existsSync(page)) return;
  fs.mkdirSync(into, { recursive: true, mode: 0o700 });
  // Part files have a hash in their names: those of an older page would stay and be served.
  for (const name of fs.readdirSync(into)) if (/\.js$|\.(br|gz)$/.test(name)) fs.rmSync(join(into, name));
  const asTheyAre = fs.readdirSync(source).filter((name) => served.has(extname(name)) || name === firstPaint);
  const more = [...asTheyAre, 'tsconfig.json'].map((name) => relative(projectRoot, join(source, name)));
  if (copyBundle(cache, into, more)) return;
  const flags = ['--bundle', '--splitting', '--minify', '--format=esm', '--target=es2022', '--jsx=automatic'];
  flags.push('--jsx-import-source=preact', '--log-level=warning', '--define:process.env.NODE_ENV="production"');
  const metafile = join(into, 'meta.json');
  await run(requireInstalled('esbuild'), [page, ...flags, `--outdir=${into}`, `--metafile=${metafile}`]);
  const { inputs, outputs } = JSON.parse(fs.readFileSync(metafile, 'utf8'));
  fs.rmSync(metafile);
  for (const name of asTheyAre) fs.copyFileSync(join(source, name), join(into, name));
  compressDashboard(into);
  const made = [...Object.keys(outputs).map((path) => basename(path)), ...asTheyAre];
  keepBundle(cache, into, { inputs: Object.keys(inputs), more, made });
}

/**
 * Whether a bundled page is there, or none is to be served.
 * @param {string} folder
 * @param {string} [source]
 */
export function hasDashboard(folder, source = join(projectRoot, 'gateways', 'dashboard')) {
  return !fs.existsSync(join(source, 'main.tsx')) || fs.existsSync(join(folder, 'index.html'));
}

/**
 * Puts a brotli and a gzip beside each file that is sent compressed: once here, not for each request.
 * @param {string} into
 */
export function compressDashboard(into) {
  for (const name of fs.readdirSync(into)) {
    const file = join(into, name);
    if (!compressed.has(extname(name)) || fs.statSync(file).size < leastCompressedBytes) continue;
    const content = fs.readFileSync(file);
    fs.writeFileSync(`${file}.br`, brotliCompressSync(content));
    fs.writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: projectRoot, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', (error) => reject(new LaunchError(`esbuild does not start: ${error.message}`)));
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new LaunchError('the dashboard page could not be bundled: see above'));
    });
  });
}
