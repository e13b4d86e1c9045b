import { spawnSync } from 'node:child_process';

/** @type {number | undefined | null} null until somebody asks */
let known = null;

/**
 * Descriptor limit of child processes. Node has raised its own limit to the maximum at its start, and children inherit
 * it; a shell is used because Node has no call for it.
 * @returns {number | undefined} undefined without a limit, or without a shell
 */
export function openFilesLimit() {
  if (known === null) {
    const said = Number(spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).stdout);
    known = Number.isSafeInteger(said) && said > 0 && said < 1e9 ? said : undefined;
  }
  return known;
}
