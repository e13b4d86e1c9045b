import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { LaunchError } from './launch-error.mjs';
import { permissions } from './permissions.mjs';
import { projectRoot } from './project-root.mjs';

/** @typedef {'deno' | 'node'} Runtime */

/** As a URL, so that folder names may contain spaces. */
const STRIP_TYPES = pathToFileURL(join(projectRoot, 'src/platform/launch/strip-types.mjs')).href;

/**
 * The command that runs the service with the pinned runtime.
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

/**
 * The command that runs a tool on a database: with Node, and with Deno and the permissions of the service where there is
 * no Node, as in a container.
 * @param {string} script relative to the project
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 */
export function toolCommand(script, args, env) {
  return isInstalled('node') ? nodeCommand(script, args) : [...denoCommand(script, env, false), ...args];
}

/** Without network access and a lock file of Deno's own: npm's node_modules is all there is. */
function denoCommand(script, env, watch) {
  const flags = ['--no-prompt', '--node-modules-dir=manual', '--no-lock', '--no-remote'];
  if (watch) flags.push('--watch', '--no-clear-screen');
  return [requireInstalled('deno'), 'run', ...flags, ...permissions(env), script];
}

/**
 * Deno would check the network for newer versions, and caches compiled sources in the home folder. An account without
 * one (nobody) would compile them at each start.
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
  if (!isInstalled(name)) throw new LaunchError(`node_modules has no ${name}: run npm ci first`);
  return programPath(name);
}

const programPath = (name) => join(projectRoot, 'node_modules', '.bin', name);

const isInstalled = (name) => existsSync(programPath(name));

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
