import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { projectRoot } from '../../platform/launch/project-root.mjs';
import { requireInstalled } from '../../platform/launch/runtimes.mjs';
import { type Examined, type Trouble, warning } from './check.ts';

const VERSION_WITHIN_MS = 10_000;

type Pinned = { dependencies: Record<'node' | 'deno', string> };

/** Check `runtimes`: Node and Deno are those that package.json pins and the tests run on. */
export async function examineRuntimes(): Promise<Examined> {
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Pinned;
  // On Deno, as in a container, there is no Node, and no program may be started.
  const isDeno = 'deno' in process.versions;
  const found = isDeno
    ? { deno: process.versions['deno'] }
    : { node: process.versions.node, deno: await denoVersion() };
  const troubles = Object.entries(found).flatMap(([name, version]): Trouble[] => {
    const pinned = dependencies[name as keyof Pinned['dependencies']];
    if (version === pinned) return [];
    return [warning(`${name} is ${version ?? 'not there'}, tested is ${pinned}`, 'run npm ci in this folder')];
  });
  const fine = Object.entries(found).map(([name, version]) => `${name} ${version}`);
  return { fine: fine.join(', '), troubles };
}

async function denoVersion(): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(requireInstalled('deno'), ['--version'], {
      timeout: VERSION_WITHIN_MS,
      env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
    });
    return /^deno (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
