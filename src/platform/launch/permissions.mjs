import { existsSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { relative, resolve } from 'node:path';

import { LaunchError } from './launch-error.mjs';
import { databaseSocket, netHosts } from './process/net-hosts.mjs';
import { projectRoot } from './project-root.mjs';
import { serviceVariables } from './service-variables.mjs';

/** System information that the service reads. */
const sys = [
  'hostname', // pino, and the node's name
  'cpus', // Fastify's static files ask when they load
  'uid', // node:fs access()
  'statfs', // health: diskSpace
  'networkInterfaces', // Fastify, when it listens on all of them
];

/** Files of the project that the service reads: sources, packages, and its version. */
const sources = [
  'src',
  'actors',
  'gateways',
  'migrations',
  'ops/runbook',
  'node_modules',
  'package.json',
  'tsconfig.json',
];

/** Private networks, for brokers and nodes. */
const privateNetworks = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'];

/**
 * The least permissions with which the service works on Deno. No --allow-run, no --allow-ffi. Other variables are
 * removed from its environment, since npm packages enumerate it and a refusal would end them.
 * @param {Readonly<Record<string, string | undefined>>} env as the service will see it: DATA_DIR absolute,
 * DATABASE_URL set
 * @returns {string[]} flags of deno run, for a process that starts in the project's folder
 */
export function permissions(env) {
  const socket = databaseSocket(env);
  const ledger = env.PAYMENT_LEDGER ? [env.PAYMENT_LEDGER] : [];
  const packs = env.CONTINGENCY_DIR ? bothPaths(env.CONTINGENCY_DIR) : [];
  const own = [...bothPaths(env.DATA_DIR), ...ledger, ...packs, ...(socket ? [socket] : [])];
  return [
    allowNet(env, socket),
    ...paths('read', [...sources, ...own, ...certificates(env)]),
    ...paths('write', own),
    `--allow-env=${variables(env).join(',')}`,
    '--ignore-env',
    allowSys(env),
  ];
}

/**
 * Brokers and cluster nodes exchange addresses that no variable names: with them private networks and this machine are
 * allowed too. INNKEEPER_ALLOW_NET adds others, such as names of nodes and brokers or an issuer with its keys on
 * another host: `host:port`, `host`, `*.domain` or an IPv4 network, separated by commas; `*` for every address, which
 * webhooks and channels of whatever name need.
 */
function allowNet(env, socket) {
  if (env.INNKEEPER_ALLOW_NET === '*') return '--allow-net';
  const more = env.INNKEEPER_ALLOW_NET ? [env.INNKEEPER_ALLOW_NET] : [];
  const isPrivate = env.KAFKA_BROKERS || env.REDIS_URL || hasPrivatePartners(env);
  const brokerHosts = isPrivate ? [...privateNetworks, 'localhost', hostname()] : [];
  const all = [...netHosts(env), ...(socket ? [`unix:${socket}`] : []), ...brokerHosts, ...more];
  return `--allow-net=${all.join(',')}`;
}

/**
 * https of node:http reads the certificates of the system, which no flag names but the one for all; only webhooks
 * and channels at addresses of others use it.
 */
const allowSys = (env) =>
  env.INNKEEPER_ALLOW_NET === '*' || hasPrivatePartners(env) ? '--allow-sys' : `--allow-sys=${sys.join(',')}`;

const hasPrivatePartners = (env) =>
  [env.WEBHOOK_ALLOW_PRIVATE, env.CHANNEL_ALLOW_PRIVATE].some((value) => value === '1' || value === 'true');

/** Own variables, and those of INNKEEPER_ALLOW_ENV: packages read a few that are of no use here. */
function variables(env) {
  const more = (env.INNKEEPER_ALLOW_ENV ?? '').split(',').filter(Boolean);
  return [...new Set([...serviceVariables, ...more])];
}

/** Files of the CLUSTER_TLS_* variables. */
function certificates(env) {
  const named = Object.keys(env).filter((name) => name.startsWith('CLUSTER_TLS_') && env[name]);
  return named.map((name) => env[name]);
}

/** Deno checks a path both as given and resolved. */
function bothPaths(path) {
  return existsSync(path) ? [path, realpathSync(path)] : [path];
}

/** Relative to the project, because Deno splits at commas, and a checkout may be anywhere. */
function paths(kind, list) {
  const short = list.map((path) => relative(projectRoot, resolve(projectRoot, path)) || '.');
  const broken = short.find((path) => path.includes(','));
  if (broken) throw new LaunchError(`Deno cannot be given a path with a comma in it: ${broken}`);
  return [...new Set(short)].map((path) => `--allow-${kind}=${path}`);
}
