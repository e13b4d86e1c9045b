import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '../platform/config/config.ts';

export type DevelopmentFacts = {
  tokens: Record<string, Record<string, string>>;
  operatorToken: string;
  basic: { user: string; password: string };
};

/** Addresses of the services for clients on this machine. */
export const urls = (config: Config): { rateUrl: string; reservationUrl: string; liveUrl: string } => ({
  rateUrl: `http://${shown(config.HOST)}:${config.RATE_PORT}`,
  reservationUrl: `http://${shown(config.HOST)}:${config.RESERVATION_PORT}`,
  liveUrl: `http://${shown(config.HOST)}:${config.LIVE_PORT}`,
});

const shown = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

/** Address of the schema registry: the configured or the embedded one (docs/reference/configuration.md#events). */
export const registryUrl = (config: Config): string =>
  config.SCHEMA_REGISTRY_URL ?? `http://127.0.0.1:${config.REGISTRY_PORT}`;

/** Path of `dev.json`, which shows that everything is up (docs/operations/process.md#start). */
const devFile = (config: Config): string => join(config.dataDir, 'dev.json');

/** Renamed into place, so that no reader sees half of it. */
export function writeDevFile(config: Config, facts: DevelopmentFacts): void {
  const content = {
    ...urls(config),
    issuer: config.issuer,
    registryUrl: registryUrl(config),
    ...facts,
    pid: process.pid,
  };
  const file = devFile(config);
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeDevFile(config: Config): void {
  rmSync(devFile(config), { force: true });
}

/**
 * Reports to the launcher that this process is up, so that it restarts it when it dies
 * (src/platform/launch/process/service-supervisor.mjs).
 */
export function writeReadyMarker(config: Config): void {
  writeFileSync(readyMarker(config), String(process.pid), { mode: 0o600 });
}

export function removeReadyMarker(config: Config): void {
  rmSync(readyMarker(config), { force: true });
}

const readyMarker = (config: Config): string => join(config.dataDir, 'service.ready');

/** The text printed at the end of a start: addresses, sign-in, and how to get a token. */
export function statusBlock(config: Config, basic: { user: string; password: string }): string {
  const { rateUrl, reservationUrl, liveUrl } = urls(config);
  const lines = [
    'Innkeeper is up.',
    `  dashboard            ${liveUrl}/`,
    `  rate service         ${rateUrl}/api/v1/rates   (${rateUrl}/swagger-ui.html)`,
    `  reservation service  ${reservationUrl}/api/v1/reservations   (${reservationUrl}/swagger-ui.html)`,
  ];
  if (config.embeddedIssuer)
    lines.push(
      '  sign in              open the dashboard and choose a demo user',
      '  token                npm run token -- --tenant demo --role MANAGER',
    );
  if (process.stdout.isTTY) lines.push(`  event test endpoint  ${basic.user} / ${basic.password}`);
  return `${lines.join('\n')}\n`;
}
