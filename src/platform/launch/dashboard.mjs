import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { bundles, copyBundle, keepBundle } from './bundle-cache.mjs';
import { LaunchError } from './launch-error.mjs';
import { projectRoot } from './project-root.mjs';
import { requireInstalled } from './runtimes.mjs';
import { sharedScript } from './shared-script.mjs';

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
  // All that is bundled has a hash in its name: files of an older page would stay and be served.
  for (const name of fs.readdirSync(into)) if (/\.(js|css|woff2|br|gz)$/.test(name)) fs.rmSync(join(into, name));
  const asTheyAre = fs.readdirSync(source).filter((name) => served.has(extname(name)) || name === firstPaint);
  const translations = translationsIn(join(source, 'language'));
  const uncounted = [...asTheyAre.map((name) => join(source, name)), join(source, 'tsconfig.json')];
  const more = [...uncounted, ...translations.flatMap(({ files }) => files)].map((path) =>
    relative(projectRoot, path),
  );
  if (copyBundle(cache, into, more)) return;
  const flags = ['--bundle', '--splitting', '--minify', '--format=esm', '--target=es2022', '--jsx=automatic'];
  flags.push('--jsx-import-source=preact', '--log-level=warning', '--define:process.env.NODE_ENV="production"');
  flags.push('--entry-names=[name]-[hash]', '--loader:.woff2=file');
  const { inputs, outputs } = await bundle(page, flags, into);
  const small = await bundleSmall(into);
  for (const name of asTheyAre) fs.copyFileSync(join(source, name), join(into, name));
  const scripts = translations.flatMap((one) => writeTranslation(one, into));
  compressDashboard(into);
  const all = { ...outputs, ...small.outputs };
  const made = [...Object.keys(all).map((path) => basename(path)), ...asTheyAre, ...scripts];
  keepBundle(cache, into, { inputs: [...Object.keys(inputs), ...Object.keys(small.inputs)], more, made });
}

/**
 * Languages of the page, with the files of each: `<language>/<section>.json`.
 * @param {string} folder
 * @returns {{ language: string, files: string[] }[]}
 */
function translationsIn(folder) {
  if (!fs.existsSync(folder)) return [];
  const languages = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return languages.map(({ name: language }) => ({
    language,
    files: fs
      .readdirSync(join(folder, language))
      .sort()
      .map((name) => join(folder, language, name)),
  }));
}

/** Sections of the administration and of operations: most users never open them, so they do not load their texts. */
const ofAdministration = /^(admin|first-hotel|operations)/;

/**
 * A script for a language, which the document names before the page's own: texts are there when the first of them runs.
 * It names a second one, with the texts of the administration.
 * @param {{ language: string, files: string[] }} translation
 * @param {string} into
 * @returns {string[]} their names
 */
function writeTranslation({ language, files }, into) {
  const texts = files.map((path) => [basename(path, '.json'), JSON.parse(fs.readFileSync(path, 'utf8'))]);
  const sections = (isOf) => Object.fromEntries(texts.filter(([name]) => ofAdministration.test(name) === isOf));
  const own = `Object.assign(globalThis.translations.sections,${JSON.stringify(sections(true))});\n`;
  const admin = writeHashed(`translations-admin-${language}`, own, into);
  const all = `globalThis.translations=${JSON.stringify({ language, sections: sections(false), admin })};\n`;
  return [writeHashed(`translations-${language}`, all, into), admin];
}

/** @returns {string} the name, with the hash of the content */
function writeHashed(prefix, content, into) {
  const version = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  const name = `${prefix}-${version}.js`;
  fs.writeFileSync(join(into, name), content);
  return name;
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

/** Bundles twice: only what has been bundled says which sources several parts of the page share. */
async function bundle(page, flags, into) {
  const metafile = join(into, 'meta.json');
  const shared = join(into, 'shared.mjs');
  const first = join(into, 'first.mjs');
  const made = async (more) => {
    await run(requireInstalled('esbuild'), [page, ...flags, ...more, `--outdir=${into}`, `--metafile=${metafile}`]);
    const read = JSON.parse(fs.readFileSync(metafile, 'utf8'));
    fs.rmSync(metafile);
    return read;
  };
  const apart = await made([]);
  const script = sharedScript(apart);
  if (script === '') return apart;
  for (const path of Object.keys(apart.outputs)) fs.rmSync(join(into, basename(path)));
  // Every source imports the shared script, and esbuild begins with the nearest one that imports least: it would come
  // after those that it should come before. So it begins with one that does nothing else.
  fs.writeFileSync(first, `import ${JSON.stringify(shared)};\nvoid globalThis.document;\n`);
  fs.writeFileSync(shared, `import ${JSON.stringify(first)};\n${script}`);
  const together = await made([`--inject:${shared}`, `--inject:${first}`]);
  fs.rmSync(shared);
  fs.rmSync(first);
  return { inputs: apart.inputs, outputs: together.outputs };
}

/**
 * What has nothing of the dashboards in it: script and style of the guests' pages, and the script that requests data while
 * those of the dashboards are loading.
 */
async function bundleSmall(into) {
  const gateways = join(projectRoot, 'gateways');
  const metafile = join(into, 'meta-small.json');
  const flags = ['--bundle', '--minify', '--format=esm', '--target=es2022', '--log-level=warning'];
  flags.push('--entry-names=[name]-[hash]', '--loader:.woff2=file', `--outdir=${into}`, `--metafile=${metafile}`);
  const names = ['guest-pages/browser/guest-script.ts', 'guest-pages/guest.css', 'dashboard/early/early-script.ts'];
  await run(requireInstalled('esbuild'), [...names.map((name) => join(gateways, name)), ...flags]);
  const made = JSON.parse(fs.readFileSync(metafile, 'utf8'));
  fs.rmSync(metafile);
  return made;
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
