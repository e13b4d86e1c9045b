import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startDevelopmentIssuer } from '../../gateways/auth/development-issuer.ts';
import { developmentKeys } from '../../gateways/auth/development-keys.ts';
import { mintDevelopmentTokens } from '../../gateways/auth/mint.ts';
import { loadConfig } from '../platform/config/config.ts';
import { createLog, defaultLevel } from '../platform/telemetry/telemetry.ts';

/**
 * The development issuer as a separate process: nodes of a local cluster come and go, and the issuer stays.
 * `DATA_DIR/issuer.json` (mode 0600) shows that it is up, and has tokens for every demo user.
 */
async function main(): Promise<void> {
  const stopping = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const config = loadConfig(process.env);
  if (config.production) throw new Error('NODE_ENV=production: the development issuer signs anybody in');
  const { OIDC_PORT: port, OIDC_AUDIENCE: audience, corsOrigins: dashboardOrigins, dataDir } = config;
  const log = createLog({ level: config.LOG_LEVEL ?? defaultLevel(), name: 'issuer' });
  const keys = await developmentKeys(dataDir);
  const file = join(dataDir, 'issuer.json');
  await using issuer = await startDevelopmentIssuer({ port, audience, keys, dashboardOrigins, log });
  const minted = await mintDevelopmentTokens(keys, { issuer: issuer.url, audience });
  const content = { issuer: issuer.url, ...minted, pid: process.pid };
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  await stopping;
  rmSync(file, { force: true });
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`innkeeper: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
