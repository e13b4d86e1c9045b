import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { extname, join } from 'node:path';
import { LaunchError } from './launch-error.mjs';
import { projectRoot } from './project-root.mjs';
import { requireInstalled } from './runtimes.mjs';

/** Files beside the page that go to the browser as they are. */
const served = new Set(['.html', '.svg', '.ico', '.png', '.webmanifest']);

/**
 * Bundles the dashboard page. The launcher does it because the service may not run programs.
 * @param {string} into folder that the service serves
 * @param {string} [source]
 * @returns {Promise<void>} at once when there is no page
 */
export async function bundleDashboard(into, source = join(projectRoot, 'gateways', 'dashboard')) {
  const page = join(source, 'main.tsx');
  if (!fs.existsSync(page)) return;
  fs.mkdirSync(into, { recursive: true, mode: 0o700 });
  // Parts have a hash in their names: those of an older page would stay, and be served.
  for (const name of fs.readdirSync(into)) if (extname(name) === '.js') fs.rmSync(join(into, name));
  const flags = ['--bundle', '--splitting', '--minify', '--format=esm', '--target=es2022', '--jsx=automatic'];
  flags.push('--jsx-import-source=preact', '--log-level=warning', '--define:process.env.NODE_ENV="production"');
  await run(requireInstalled('esbuild'), [page, ...flags, `--outdir=${into}`]);
  for (const name of fs.readdirSync(source)) {
    if (served.has(extname(name))) fs.copyFileSync(join(source, name), join(into, name));
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
