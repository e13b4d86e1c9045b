import type { Kafka } from 'kafkajs';
import type { Client } from 'pg';

import { ChannelSender } from '../channels/operations/channel-sender.ts';
import { CHANNEL_PROTOCOLS } from '../channels/partners/protocols.ts';
import { databaseChannels } from '../channels/storage/channels.ts';
import { Relay } from '../events/jobs/relay.ts';
import type { EventLog } from '../events/operations/read-events.ts';
import { relayEvents } from '../events/operations/relay-events.ts';
import { TestEvents } from '../events/operations/test-events.ts';
import { AvroCodec } from '../events/partners/avro-codec.ts';
import { CommittedSchemas } from '../events/partners/committed-schemas.ts';
import { KafkaSender } from '../events/partners/kafka-sender.ts';
import { RegistryClient } from '../events/partners/registry-client.ts';
import { embeddedRegistryHealth, registryHealth } from '../events/partners/registry-health.ts';
import { tracedSender } from '../events/partners/traced-sender.ts';
import {
  type EventSchemas,
  type EventSender,
  NotSent,
  notYetConsuming,
  type RegistryStore,
  type RelayFigures,
  type Topics,
} from '../events/ports.ts';
import { EventFailure } from '../events/rules/event-failure.ts';
import { TOPIC_NAMES } from '../events/rules/topics.ts';
import { databaseEventJournal } from '../events/storage/event-journal.ts';
import { databaseOutbox } from '../events/storage/outbox.ts';
import { databaseRegistryStore } from '../events/storage/registry-store.ts';
import type { Services } from '../kernel/operations/services.ts';
import type { Clock, HealthCheck, Log, BackgroundPartition, Tracer } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import { hasActors } from '../kernel/rules/placement.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Rounds } from '../kernel/rules/rounds.ts';
import type { Config } from '../platform/config/config.ts';
import { connect } from '../platform/database/connection.ts';
import type { Database } from '../platform/database/database.ts';
import type { Connections } from '../platform/database/limited-client.ts';
import { ReconnectingClient } from '../platform/database/reconnecting-client.ts';
import { kafkaClient } from '../platform/messaging/kafka-client.ts';
import { kafkaHealth } from '../platform/messaging/kafka-health.ts';
import { SubscriptionRunner } from '../subscriptions/jobs/subscription-runner.ts';
import type { SubscriptionFigures } from '../subscriptions/ports.ts';
import { databaseCursors } from '../subscriptions/storage/cursors.ts';
import { DeliveryLog } from '../webhooks/operations/delivery-log.ts';
import { WebhookSender } from '../webhooks/operations/webhook-sender.ts';
import { registryUrl, urls } from './dev-file.ts';

/** Events for gateways. */
export type Eventing = {
  events: EventLog;
  /** The embedded schema registry, where this process runs it. */
  registry?: RegistryStore;
  tests: TestEvents;
  /** Kafka topics, where brokers are configured. */
  topics?: Topics<Kafka>;
};

type Parts = {
  config: Config;
  databaseUrl: string;
  connections: Connections;
  database: Database;
  clock: Clock;
  log: Log;
  /** Receives spans, where tracing is configured. */
  tracer?: Tracer;
  /** This node's lease, with its connection as innkeeper_system. */
  lease: { readonly held: boolean; client(): Promise<Client> };
  /** Share of tenants whose rows this node publishes. */
  share: BackgroundPartition;
  rounds: Rounds;
};

export type OpenEvents = AsyncDisposable & {
  shown: Eventing;
  health: [string, HealthCheck][];
  figures(): RelayFigures;
  /** Called when rows of a property were committed. */
  onCommitted(to: Address): void;
  begin(): void;
};

const NOTHING_PUBLISHED: RelayFigures = { lag: 0, oldestAgeSeconds: 0, sent: 0, stopped: 0 };

/** Opens the parts of events; without KAFKA_BROKERS the journal alone is their log. */
export function openEvents(parts: Parts): OpenEvents {
  const { config, database, lease } = parts;
  const { SCHEMA_REGISTRY_URL: url, production } = config;
  // Without a configured registry, development embeds one; production has none
  // (docs/reference/configuration.md#events).
  const registry = production || url !== undefined ? undefined : databaseRegistryStore(() => lease.client());
  const check = url === undefined ? registry && embeddedRegistryHealth(registry) : registryHealth(url);
  const telling = config.KAFKA_BROKERS && openRelay(config.KAFKA_BROKERS, parts);
  return {
    shown: {
      events: { journal: databaseEventJournal(database), codec: new AvroCodec(new CommittedSchemas()) },
      ...(registry && { registry }),
      ...(telling && { topics: telling.topics }),
      tests: testEvents(parts, telling?.topics),
    },
    health: [
      ...(check ? [['schemaRegistry', check] as [string, HealthCheck]] : []),
      ...(telling
        ? [['kafka', kafkaHealth(telling.relay.health, telling.topics.consuming)] as [string, HealthCheck]]
        : []),
    ],
    figures: () => telling?.relay.figures ?? NOTHING_PUBLISHED,
    onCommitted: (to) => telling?.relay.committed(to),
    // Nodes without actors hear of no commits and own nothing.
    begin: () => void (hasActors(config.NODE_ROLE) && telling?.relay.begin()),
    [Symbol.asyncDispose]: async () => telling?.[Symbol.asyncDispose](),
  };
}

/** With brokers the test event is published; without, in development, it is stored. */
function testEvents({ config, clock }: Parts, topics: Topics<Kafka> | undefined): TestEvents {
  const { production, SCHEMA_REGISTRY_URL, KAFKA_UI_URL } = config;
  const shown = `${urls(config).reservationUrl}/${production ? 'reservation-engine/api/test/kafka/events' : 'dev/events'}`;
  const nowhere: EventSender = { send: () => Promise.reject(new NotSent('KAFKA_BROKERS is not set', true)) };
  const schemas =
    production && !SCHEMA_REGISTRY_URL ? new CommittedSchemas() : new RegistryClient(registryUrl(config));
  const withoutSecrets = new URL(registryUrl(config));
  [withoutSecrets.username, withoutSecrets.password] = ['', ''];
  return new TestEvents({
    codec: topics?.codec ?? new AvroCodec(schemas),
    sender: topics?.sender ?? (production ? nowhere : undefined),
    registryUrl: withoutSecrets.href.replace(/\/$/, ''),
    topicsUrl: KAFKA_UI_URL ?? shown,
    clock,
  });
}

/** Opens the relay with its producer and its connection (docs/concepts/events.md#relay). */
function openRelay(
  brokers: readonly string[],
  { config, databaseUrl, connections, clock, log, lease, share, tracer, rounds }: Parts,
) {
  const stack = new AsyncDisposableStack();
  const connection = stack.use(
    new ReconnectingClient(() => connect(databaseUrl, 'innkeeper_system', { Client: connections.Client })),
  );
  const queue = databaseOutbox(() => connection.client(), share);
  const sender = stack.use(new KafkaSender(kafkaClient(brokers, log)));
  const schemas = new RegistryClient(registryUrl(config));
  const codec = new AvroCodec(schemas);
  const relay = stack.use(
    new Relay({
      relay: (of) => relayEvents({ queue, codec, sender: tracer ? tracedSender(sender, tracer) : sender }, of),
      behind: (limit) => queue.behind(limit),
      mayWork: () => lease.held,
      now: () => clock.now(),
      log,
      rounds,
    }),
  );
  const topics: Topics<Kafka> = {
    sender,
    codec,
    brokers,
    consuming: notYetConsuming(),
    prepare: async () => {
      await sender.prepare();
      await registerSchemas(schemas, log);
    },
    client: () => kafkaClient(brokers, log),
  };
  return { relay, topics, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/**
 * Registers the schemas of all topics before the first record: producers of topics that are only read here need them.
 * A subject with an incompatible foreign schema is left alone; the others continue.
 *
 * @throws EventFailure where the registry is unavailable, to be retried
 */
async function registerSchemas(schemas: EventSchemas, log: Log): Promise<void> {
  for (const topic of TOPIC_NAMES) {
    try {
      await schemas.idOf(topic);
    } catch (error) {
      if (!(error instanceof EventFailure) || error.code !== 'SCHEMA_INCOMPATIBLE') throw error;
      log.warn({ topic, error: error.line }, 'the schema of a topic is not registered');
    }
  }
}

type SubscriptionParts = {
  config: Config;
  logins: { system: string };
  connections: Connections;
  /** Database that no request waits for. */
  background: Database;
  lease: { readonly held: boolean };
  /** Properties of this node. */
  partition: BackgroundPartition;
  rounds: Rounds;
  clock: { now(): Instant; real(): Instant };
  loggers: { of(part: 'subscriptions'): Log };
};

type OpenSubscriptions = {
  onCommitted(to: Address): void;
  begin(): void;
  figures(): SubscriptionFigures;
};

/** Opens what sends subscribers their events, on a connection of its own (docs/concepts/subscriptions.md#subscriptions). */
export function openSubscriptions(
  stack: AsyncDisposableStack,
  services: Services,
  { config, logins, connections, background, lease, partition, rounds, clock, loggers }: SubscriptionParts,
): OpenSubscriptions {
  const log = loggers.of('subscriptions');
  const connection = stack.use(
    new ReconnectingClient(() => connect(logins.system, 'innkeeper_system', { Client: connections.Client })),
  );
  const client = (): Promise<Client> => connection.client();
  stack.use(services.receivers);
  stack.use(services.channelLinks);
  const deliveries = stack.use(new DeliveryLog(services.webhooks, log));
  const webhooks = new WebhookSender({ services: { ...services, log }, deliveries, realTime: () => clock.real() });
  const channels = new ChannelSender({
    // What channels read and write must not wait before bookings.
    services: { ...services, channels: databaseChannels(background), log },
    adapters: CHANNEL_PROTOCOLS,
    realTime: () => clock.real(),
    now: () => clock.now(),
  });
  const runner = stack.use(
    new SubscriptionRunner({
      cursors: databaseCursors(client, partition),
      senders: { WEBHOOK: webhooks, CHANNEL: channels },
      mayWork: () => lease.held,
      now: () => clock.now(),
      log,
      rounds,
    }),
  );
  services.subscriptionChanges.on('changed', (id) => runner.changed(id));
  return {
    onCommitted: (to) => runner.committed(to),
    // Nodes without actors hear of no commits and own nothing.
    begin: () => void (hasActors(config.NODE_ROLE) && runner.begin()),
    figures: () => runner.figures,
  };
}
