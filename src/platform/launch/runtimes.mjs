import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { LaunchError } from './launch-error.mjs';
import { permissions } from './permissions.mjs';
import { projectRoot } from './project-root.mjs';

/** @typedef {'deno' | 'node'} Runtime */

/** Under any folder name, also one with spaces. */
const STRIP_TYPES = pathToFileURL(join(projectRoot, 'src/platform/launch/strip-types.mjs')).href;

/**
 * The command that runs the service with the runtime that the lock file pins.
 * @param {Runtime} runtime
 * @param {string} script relative to the project
 * @param {{ env: Record<string, string | undefined>, watch?: boolean }} options
 * @returns {string[]} program and arguments
 */
export function serviceCommand(runtime, script, { env, watch = false }) {
  return runtime === 'deno' ? denoCommand(script, env, watch) : nodeCommand(script, [], watch);
}

/**
 * @param {string} script relative to the project
 * @param {string[]} args
 * @param {boolean} [watch]
 */
export function nodeCommand(script, args = [], watch = false) {
  const flags = watch ? ['--watch', '--watch-preserve-output'] : [];
  return [requireInstalled('node'), ...flags, '--import', STRIP_TYPES, script, ...args];
}

/** Without the network and the lock file of its own: node_modules is what npm installed, and all there is. */
function denoCommand(script, env, watch) {
  const flags = ['--no-prompt', '--node-modules-dir=manual', '--no-lock', '--no-remote'];
  if (watch) flags.push('--watch', '--no-clear-screen');
  return [requireInstalled('deno'), 'run', ...flags, ...permissions(env), script];
}

/**
 * Deno would ask the network about newer versions, and keeps compiled sources in the home folder. An account without
 * one (nobody) would compile them again at each start.
 * @param {Record<string, string | undefined>} env
 * @returns {Record<string, string>}
 */
export function denoEnv(env) {
  const quiet = { DENO_NO_UPDATE_CHECK: '1' };
  if (env.DENO_DIR || isWritable(homedir())) return quiet;
  return { ...quiet, DENO_DIR: join(env.DATA_DIR ?? '', 'deno') };
}

/**
 * @param {string} name of a program in node_modules/.bin
 * @returns {string} its path
 */
export function requireInstalled(name) {
  const path = join(projectRoot, 'node_modules', '.bin', name);
  if (!existsSync(path)) throw new LaunchError(`node_modules has no ${name}: run npm ci first`);
  return path;
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
