import { join } from 'node:path';

import { readJson } from './secrets-file.mjs';

/**
 * Settings of the first node of a cluster that runs in a folder, for tools that look at it as at a service of one
 * process: its ports and its Redis. Empty where no cluster runs.
 * @param {string} dataDir
 * @returns {import('../environment.mjs').Env}
 */
export function settingsOfNode(dataDir) {
  const running = readJson(join(dataDir, 'cluster.json'));
  const node = running?.nodes?.[0];
  if (!node) return {};
  const portOf = (url) => new URL(url).port;
  return {
    REDIS_URL: running.redisUrl,
    RATE_PORT: portOf(node.rateUrl),
    RESERVATION_PORT: portOf(node.reservationUrl),
    LIVE_PORT: portOf(node.liveUrl),
    REGISTRY_PORT: String(node.registryPort),
    OIDC_PORT: portOf(running.issuer),
    NODE_HOST: '127.0.0.1',
    NODE_PORT: String(node.nodePort),
  };
}
