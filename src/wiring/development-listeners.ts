import type { Logger } from 'pino';

import { startDevelopmentIssuer } from '../../gateways/auth/development-issuer.ts';
import type { DevelopmentKeys } from '../../gateways/auth/development-keys.ts';
import { startRegistry } from '../../gateways/events/registry.ts';
import type { AcceptWatch } from '../../gateways/http/admission/accept-watch.ts';
import { maxConnections } from '../../gateways/http/admission/connection-bound.ts';
import type { RegistryStore } from '../events/ports.ts';
import type { Config } from '../platform/config/config.ts';
import { bind } from './bind.ts';

type Opening = { log: Logger; watch: AcceptWatch };

/** Opens the embedded schema registry. */
export function openRegistry(
  config: Config,
  registry: RegistryStore,
  { log, watch }: Opening,
): Promise<AsyncDisposable> {
  const connections = maxConnections('registry', config.INNKEEPER_OPEN_FILES);
  return bind('REGISTRY_PORT', config.REGISTRY_PORT, (port) =>
    startRegistry(registry, port, log, { connections, watch }),
  );
}

/** Opens the embedded issuer. */
export function openIssuer(config: Config, keys: DevelopmentKeys, { log, watch }: Opening): Promise<AsyncDisposable> {
  const { OIDC_PORT, OIDC_AUDIENCE: audience, corsOrigins: dashboardOrigins } = config;
  return bind('OIDC_PORT', OIDC_PORT, (port) =>
    startDevelopmentIssuer({
      port,
      audience,
      keys,
      dashboardOrigins,
      log,
      connections: maxConnections('issuer', config.INNKEEPER_OPEN_FILES),
      watch,
    }),
  );
}
