import { parseArgs } from 'node:util';

import { LaunchError } from './launch-error.mjs';
import { CLUSTER_USAGE } from './local-cluster/options.mjs';

/** @typedef {{ says: string, options?: import('node:util').ParseArgsOptionsConfig }} Usage */

const text = /** @type {const} */ ({ type: 'string' });
const flag = /** @type {const} */ ({ type: 'boolean' });

/**
 * Commands by their task: what `--help` says, and the options that they take. A cluster checks its own.
 * @type {Record<string, Usage>}
 */
const usages = {
  deno: {
    says:
      'npm start: everything, on Deno (npm run start:node: on Node). Settings are environment variables, such as\n' +
      'DEMO=empty npm start: docs/reference/configuration.md',
    options: { watch: flag },
  },
  cluster: {
    says: `${CLUSTER_USAGE}:\nseveral nodes on this machine, with a Redis`,
  },
  migrate: { says: 'npm run migrate: brings the tables of DATABASE_URL up to date', options: {} },
  verify: {
    says: 'npm run audit:verify: computes the audit chains again, and names the first wrong row',
    options: {},
  },
  size: { says: 'npm run size: the bytes that a booking takes, table by table', options: {} },
  backup: {
    says: 'npm run backup -- [--to <folder>]: copies the embedded database and its keys, also while it runs',
    options: { to: text },
  },
  restore: {
    says:
      'npm run restore -- --from <backup>: puts a backup in the place of what is in DATA_DIR, which is moved aside\n' +
      'npm run restore -- --recovered [--above <generation>]: after your own tools have recovered DATABASE_URL',
    options: { from: text, recovered: flag, above: text },
  },
  export: {
    says: 'npm run export -- --tenant <id> [--to <folder>]: all data of a tenant as NDJSON',
    options: { tenant: text, to: text },
  },
  doctor: {
    says: 'npm run doctor -- [--json]: examines the installation, running or not, and changes nothing',
    options: { json: flag },
  },
  token: {
    says:
      'npm run token -- [--tenant demo] [--role MANAGER] [--scope innkeeper:agent|innkeeper:channel]: prints an access\n' +
      'token of the development issuer\n' +
      'npm run token -- --operator: that of the operator',
    options: { tenant: text, role: text, operator: flag, scope: text },
  },
};

/**
 * What a command is for and which options it takes, where its arguments ask for that.
 * @param {string} task
 * @param {readonly string[]} args
 * @returns {string | undefined}
 */
export function helpFor(task, args) {
  const asks = args.includes('--help') || args.includes('-h');
  return asks ? usageOf(task)?.says : undefined;
}

/**
 * Refuses what a command does not know before it touches anything: a migration with a misspelt option is one too.
 * @param {string} task
 * @param {string[]} args
 * @throws {LaunchError}
 */
export function refuseUnknownOptions(task, args) {
  const usage = usageOf(task);
  if (usage?.options === undefined) return;
  try {
    parseArgs({ args, options: usage.options });
  } catch (error) {
    const [problem] = error.message.split('. ');
    const [command] = /^npm (?:run )?\w+(?::\w+)?/.exec(usage.says);
    throw new LaunchError(`${problem}; what there is: ${command} -- --help`);
  }
}

/** @param {string} task */
const usageOf = (task) => (task === 'node' ? usages.deno : usages[task]);
