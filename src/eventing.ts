import type { Client } from 'pg';

import type { Config } from './config.ts';
import { AvroCodec } from './messaging/avro-codec.ts';
import { CommittedSchemas } from './messaging/committed-schemas.ts';
import { embeddedRegistryHealth, registryHealth } from './messaging/registry-health.ts';
import type { EventLog } from './operations/read-events.ts';
import type { HealthCheck } from './ports/health-check.ts';
import type { RegistryStore } from './ports/registry-store.ts';
import type { Database } from './storage/database.ts';
import { databaseEventJournal } from './storage/event-journal.ts';
import { databaseRegistryStore } from './storage/registry-store.ts';

/** What gateways show of events. */
export type Eventing = {
  events: EventLog;
  /** Of the embedded schema registry, where this process brings it. */
  registry?: RegistryStore;
};

/** Puts the parts of events together. @param client acts as innkeeper_system */
export function openEvents(
  config: Config,
  database: Database,
  client: () => Promise<Client>,
): { shown: Eventing; health: [string, HealthCheck][] } {
  const { SCHEMA_REGISTRY_URL: url, production } = config;
  // Without a registry of its own development brings one; production goes without (contracts.md 1).
  const registry = production || url !== undefined ? undefined : databaseRegistryStore(client);
  const check = url === undefined ? registry && embeddedRegistryHealth(registry) : registryHealth(url);
  return {
    shown: {
      events: { journal: databaseEventJournal(database), codec: new AvroCodec(new CommittedSchemas()) },
      ...(registry && { registry }),
    },
    health: check ? [['schemaRegistry', check]] : [],
  };
}
