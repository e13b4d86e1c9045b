import { spawnSync } from 'node:child_process';

/** @type {number | undefined | null} null until somebody asks */
let known = null;

/**
 * Descriptors that a child of ours may have. Node has raised its own limit to the highest that it may have when it
 * started, and children inherit that; a shell is asked because Node has no call for it.
 * @returns {number | undefined} undefined where there is no limit, or no shell to ask
 */
export function openFilesLimit() {
  if (known === null) {
    const said = Number(spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).stdout);
    known = Number.isSafeInteger(said) && said > 0 && said < 1e9 ? said : undefined;
  }
  return known;
}
