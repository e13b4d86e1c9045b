import type { Client } from 'pg';

import type { Config } from './config.ts';
import type { Address } from './domain/caller.ts';
import { Relay } from './jobs/relay.ts';
import { AvroCodec } from './messaging/avro-codec.ts';
import { CommittedSchemas } from './messaging/committed-schemas.ts';
import { kafkaClient } from './messaging/kafka-client.ts';
import { KafkaSender } from './messaging/kafka-sender.ts';
import { RegistryClient } from './messaging/registry-client.ts';
import { embeddedRegistryHealth, registryHealth } from './messaging/registry-health.ts';
import type { EventLog } from './operations/read-events.ts';
import { relayEvents } from './operations/relay-events.ts';
import type { Clock } from './ports/clock.ts';
import type { EventCodec } from './ports/event-codec.ts';
import type { EventSender } from './ports/event-sender.ts';
import type { HealthCheck } from './ports/health-check.ts';
import type { Log } from './ports/log.ts';
import type { RegistryStore } from './ports/registry-store.ts';
import type { RelayFigures } from './ports/relay-queue.ts';
import { connect } from './storage/connection.ts';
import type { Database } from './storage/database.ts';
import { databaseEventJournal } from './storage/event-journal.ts';
import { KeptConnection } from './storage/kept-connection.ts';
import { databaseRegistryStore } from './storage/registry-store.ts';
import { databaseRelayQueue } from './storage/relay-queue.ts';

/** What gateways have of events. */
export type Eventing = {
  events: EventLog;
  /** Of the embedded schema registry, where this process brings it. */
  registry?: RegistryStore;
  /** To and from the topics, where there are brokers. */
  topics?: { sender: EventSender; codec: EventCodec; brokers: readonly string[] };
};

type Parts = {
  config: Config;
  databaseUrl: string;
  database: Database;
  clock: Clock;
  log: Log;
  /** Of this node, with its connection as innkeeper_system. */
  lease: { readonly held: boolean; client(): Promise<Client> };
};

export type OpenEvents = AsyncDisposable & {
  shown: Eventing;
  health: [string, HealthCheck][];
  figures(): RelayFigures;
  /** Rows of a property were committed. */
  told(to: Address): void;
  begin(): void;
};

const NOTHING_TOLD: RelayFigures = { lag: 0, oldestAgeSeconds: 0, sent: 0, stopped: 0 };

/** Puts the parts of events together; without KAFKA_BROKERS the journal alone is their log. */
export function openEvents(parts: Parts): OpenEvents {
  const { config, database, lease } = parts;
  const { SCHEMA_REGISTRY_URL: url, production } = config;
  // Without a registry of its own development brings one; production goes without (contracts.md 1).
  const registry = production || url !== undefined ? undefined : databaseRegistryStore(() => lease.client());
  const check = url === undefined ? registry && embeddedRegistryHealth(registry) : registryHealth(url);
  const telling = config.KAFKA_BROKERS && openRelay(config.KAFKA_BROKERS, parts);
  return {
    shown: {
      events: { journal: databaseEventJournal(database), codec: new AvroCodec(new CommittedSchemas()) },
      ...(registry && { registry }),
      ...(telling && { topics: telling.topics }),
    },
    health: [
      ...(check ? [['schemaRegistry', check] as [string, HealthCheck]] : []),
      ...(telling ? [['kafka', telling.relay.health] as [string, HealthCheck]] : []),
    ],
    figures: () => telling?.relay.figures ?? NOTHING_TOLD,
    told: (to) => telling?.relay.told(to),
    begin: () => telling?.relay.begin(),
    [Symbol.asyncDispose]: async () => telling?.[Symbol.asyncDispose](),
  };
}

/** The relay with its producer and its connection (architecture.md 6). */
function openRelay(brokers: readonly string[], { config, databaseUrl, clock, log, lease }: Parts) {
  const stack = new AsyncDisposableStack();
  const connection = stack.use(new KeptConnection(() => connect(databaseUrl, 'innkeeper_system')));
  const queue = databaseRelayQueue(() => connection.client());
  const sender = stack.use(new KafkaSender(kafkaClient(brokers, log)));
  const address = config.SCHEMA_REGISTRY_URL ?? `http://127.0.0.1:${config.REGISTRY_PORT}`;
  const codec = new AvroCodec(new RegistryClient(address));
  const relay = stack.use(
    new Relay({
      relay: (of) => relayEvents({ queue, codec, sender }, of),
      behind: (limit) => queue.behind(limit),
      ...{ mayWork: () => lease.held, now: () => clock.now(), log },
    }),
  );
  return { relay, topics: { sender, codec, brokers }, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
