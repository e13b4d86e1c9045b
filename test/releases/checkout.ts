import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { LaunchOptions } from '../blackbox/launched.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MAX_BYTES = 100_000_000;

/** How a service of it is started: Deno would have to be allowed to read packages outside of the checkout. */
const SCRIPT = 'start:node';

/** The sources of a commit in a folder of their own, with its packages. */
export class Checkout implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'innkeeper-release-'));

  /** @throws Error when the repository does not have the commit, as a shallow clone may not */
  constructor(commit: string) {
    try {
      // PostgreSQL under another account has to pass.
      chmodSync(this.#folder, 0o755);
      run('tar', ['-C', this.#folder, '-xf', '-'], run('git', ['archive', commit]));
      this.#install();
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** For `Service.launchOptions`. */
  get launchOptions(): LaunchOptions {
    return { checkout: this.#folder, script: SCRIPT };
  }

  /** The packages of this checkout where they are the same, else its own. */
  #install(): void {
    const lock = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');
    if (lock(ROOT) === lock(this.#folder))
      symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
    else run('npm', ['--prefix', this.#folder, 'ci', '--no-audit', '--no-fund']);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Whether the repository has a commit. */
export function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}

function run(program: string, args: readonly string[], input?: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: ROOT, input, maxBuffer: MAX_BYTES });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${stderr.toString().slice(-1_000)}`);
  return stdout;
}
