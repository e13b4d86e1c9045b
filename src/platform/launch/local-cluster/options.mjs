import { parseArgs } from 'node:util';

import { LaunchError } from '../launch-error.mjs';

/** Roles of a node (docs/concepts/cluster.md#roles). */
const ROLES = ['all', 'gateway', 'actors', 'worker'];

/** A node has 16 connections, and the embedded PostgreSQL 100. */
const MAX_EMBEDDED = 5;
const MOST = 20;

/** Distance between the ports of two nodes. */
const STEP = 10;
const LAST_PORT = 65_535;

/** @typedef {{ rate: number, reservation: number, live: number, link: number, registry: number }} Ports */
/** @typedef {{ name: string, role: string, ports: Ports, seeds: boolean }} NodePlan */
/** @typedef {{ runtime: import('../runtimes.mjs').Runtime, nodes: NodePlan[], issuerPort: number, restart: boolean }} Plan */

/**
 * Same rule as in src/kernel/rules/placement.ts.
 * @param {string} role
 */
const hasActors = (role) => role === 'all' || role === 'actors';

export const CLUSTER_USAGE =
  'npm run cluster -- [--nodes 3] [--runtime deno|node] [--port 8083] [--roles all,gateway,actors] [--no-restart]';

/**
 * Parses the options of `npm run cluster`. Node n has the ports from `--port` + 10 (n - 1) on.
 * @param {string[]} args
 * @param {import('../environment.mjs').Env} env
 * @returns {Plan}
 * @throws {LaunchError}
 */
export function planOf(args, env) {
  const given = parsed(args);
  const { runtime } = given;
  if (runtime !== 'deno' && runtime !== 'node') throw new LaunchError(`--runtime: deno or node, not ${runtime}`);
  const most = env.DATABASE_URL ? MOST : MAX_EMBEDDED;
  const count = whole('--nodes', given.nodes, 1, most, env.DATABASE_URL ? '' : ' (more with a DATABASE_URL)');
  const base = whole('--port', given.port, 1, LAST_PORT - STEP * count, '');
  const roles = given.roles.split(',').map((role) => role.trim());
  const unknown = roles.find((role) => !ROLES.includes(role));
  if (unknown !== undefined) throw new LaunchError(`--roles: ${unknown} is none of ${ROLES.join(', ')}`);
  if (roles.length > count) throw new LaunchError(`--roles names ${roles.length} nodes of ${count}`);
  const roleOf = (n) => roles[n] ?? 'all';
  const seeding = Array.from({ length: count }, (_, n) => roleOf(n)).findIndex(hasActors);
  if (seeding < 0) throw new LaunchError('--roles: no node would have property actors (all or actors)');
  const nodes = Array.from({ length: count }, (_, n) => ({
    name: `node-${n + 1}`,
    role: roleOf(n),
    ports: portsFrom(base + STEP * n),
    seeds: n === seeding,
  }));
  return { runtime, nodes, issuerPort: base + 3, restart: !given['no-restart'] };
}

/** @returns {Ports} as `npm start` has them: 8083, 8084, 8085; the issuer's 8086 is between */
function portsFrom(first) {
  return { rate: first, reservation: first + 1, live: first + 2, link: first + 4, registry: first + 5 };
}

function parsed(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        nodes: { type: 'string', default: '3' },
        runtime: { type: 'string', default: 'deno' },
        port: { type: 'string', default: '8083' },
        roles: { type: 'string', default: 'all' },
        'no-restart': { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new LaunchError(`${error.message}\n${CLUSTER_USAGE}`);
  }
}

function whole(name, text, least, most, more) {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new LaunchError(`${name}: a whole number from ${least} to ${most}${more}, not ${text}`);
}
