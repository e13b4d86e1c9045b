import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { LaunchError } from './launch-error.mjs';
import { databaseSocket, netHosts } from './net-hosts.mjs';
import { projectRoot } from './project-root.mjs';

/** What the service asks the operating system about itself. */
const sys = [
  'hostname', // pino, and the node's name
  'cpus', // Fastify's static files ask when they load
  'uid', // node:fs access()
  'statfs', // health: diskSpace
  'networkInterfaces', // Fastify, when it listens on all of them
];

/**
 * The least that Deno has to allow for the service to work. No --allow-run, no --allow-ffi. The environment is open as
 * a whole because npm packages enumerate it.
 * @type {typeof import('./permissions.d.mts').permissions}
 */
export function permissions(env) {
  const socket = databaseSocket(env);
  const ledger = env.PAYMENT_LEDGER ? [env.PAYMENT_LEDGER] : [];
  const own = [...bothPaths(env.DATA_DIR), ...ledger, ...(socket ? [socket] : [])];
  return [
    allowNet(env, socket),
    ...paths('read', ['.', ...own, ...certificates(env)]),
    ...paths('write', own),
    '--allow-env',
    `--allow-sys=${sys.join(',')}`,
  ];
}

/**
 * Brokers and the nodes of a cluster tell each other addresses that no variable names: the network is open then.
 * INNKEEPER_ALLOW_NET adds `host:port`s, for an issuer that keeps its keys on another host.
 */
function allowNet(env, socket) {
  if (env.KAFKA_BROKERS || env.REDIS_URL) return '--allow-net';
  const more = env.INNKEEPER_ALLOW_NET ? [env.INNKEEPER_ALLOW_NET] : [];
  return `--allow-net=${[...netHosts(env), ...(socket ? [`unix:${socket}`] : []), ...more].join(',')}`;
}

/** Files of the CLUSTER_TLS_* variables. */
function certificates(env) {
  const named = Object.keys(env).filter((name) => name.startsWith('CLUSTER_TLS_') && env[name]);
  return named.map((name) => env[name]);
}

/** Deno looks at a path as it is given and at where it leads. */
function bothPaths(path) {
  return existsSync(path) ? [path, realpathSync(path)] : [path];
}

/** Relative to the project, because Deno reads a comma as the end of a path, and a checkout may lie anywhere. */
function paths(kind, list) {
  const short = list.map((path) => relative(projectRoot, resolve(projectRoot, path)) || '.');
  const broken = short.find((path) => path.includes(','));
  if (broken) throw new LaunchError(`Deno cannot be given a path with a comma in it: ${broken}`);
  return [...new Set(short)].map((path) => `--allow-${kind}=${path}`);
}
