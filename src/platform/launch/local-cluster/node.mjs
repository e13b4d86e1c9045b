import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { serviceEnv } from '../environment.mjs';
import { denoEnv, serviceCommand } from '../runtimes.mjs';
import { readJson } from './secrets-file.mjs';

/** A node ends by itself long before (src/kernel/rules/drain.ts); a starting one first completes its start. */
const drainWithinMs = 30_000;

/**
 * @typedef {object} Shared what all nodes are given
 * @property {import('../environment.mjs').Env} env
 * @property {string} dataDir of the cluster
 * @property {string} [embeddedUrl]
 * @property {import('../runtimes.mjs').Runtime} runtime
 * @property {string} script relative to the project
 */

/**
 * One node: a service with its own folder and ports.
 * @param {import('./options.mjs').NodePlan} plan
 * @param {Shared} shared
 * @param {{ demo: boolean, restart: boolean, onProcess: (pid?: number) => void }} how
 * @returns {import('./supervised-program.mjs').Program}
 */
export function nodeProgram(plan, { env, dataDir, embeddedUrl, runtime, script }, { demo, restart, onProcess }) {
  const { name, role, ports } = plan;
  const own = join(dataDir, name);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const devFile = join(own, 'dev.json');
  rmSync(devFile, { force: true });
  takePage(join(dataDir, 'dashboard'), join(own, 'dashboard'));
  const given = {
    ...serviceEnv(env, own, embeddedUrl),
    RATE_PORT: String(ports.rate),
    RESERVATION_PORT: String(ports.reservation),
    LIVE_PORT: String(ports.live),
    REGISTRY_PORT: String(ports.registry),
    NODE_HOST: env.NODE_HOST || '127.0.0.1',
    NODE_PORT: String(ports.link),
    NODE_ROLE: role,
    // One simulated provider for all nodes: a node that takes over finds payments of the previous owner.
    PAYMENT_LEDGER: env.PAYMENT_LEDGER || join(dataDir, 'payment-simulator.jsonl'),
    ...(demo ? {} : { DEMO: '0' }),
  };
  const all = runtime === 'deno' ? { ...given, ...denoEnv(given) } : given;
  return {
    name,
    command: serviceCommand(runtime, script, { env: all }),
    env: all,
    restart,
    onProcess,
    logFile: join(own, 'service.log'),
    endsWithinMs: drainWithinMs,
    ready: (pid) => readJson(devFile)?.pid === pid,
  };
}

/** Each node serves a copy from its own folder, the only one that its runtime may read. */
function takePage(from, to) {
  if (!existsSync(from)) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
