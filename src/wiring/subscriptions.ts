import type { Client } from 'pg';

import type { Services } from '../kernel/operations/services.ts';
import type { BackgroundPartition, Log } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import { hasActors } from '../kernel/rules/placement.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Rounds } from '../kernel/rules/rounds.ts';
import type { Config } from '../platform/config/config.ts';
import { connect } from '../platform/database/connection.ts';
import type { Connections } from '../platform/database/limited-client.ts';
import { ReconnectingClient } from '../platform/database/reconnecting-client.ts';
import { SubscriptionRunner } from '../subscriptions/jobs/subscription-runner.ts';
import type { SubscriptionFigures } from '../subscriptions/ports.ts';
import { databaseCursors } from '../subscriptions/storage/cursors.ts';
import { DeliveryLog } from '../webhooks/operations/delivery-log.ts';
import { WebhookSender } from '../webhooks/operations/webhook-sender.ts';

type Parts = {
  config: Config;
  logins: { system: string };
  connections: Connections;
  lease: { readonly held: boolean };
  /** Properties of this node. */
  partition: BackgroundPartition;
  rounds: Rounds;
  clock: { now(): Instant; real(): Instant };
  loggers: { of(part: 'subscriptions'): Log };
};

export type OpenSubscriptions = {
  onCommitted(to: Address): void;
  begin(): void;
  figures(): SubscriptionFigures;
};

/** Opens what sends subscribers their events, on a connection of its own (docs/concepts/subscriptions.md#subscriptions). */
export function openSubscriptions(
  stack: AsyncDisposableStack,
  services: Services,
  { config, logins, connections, lease, partition, rounds, clock, loggers }: Parts,
): OpenSubscriptions {
  const log = loggers.of('subscriptions');
  const connection = stack.use(
    new ReconnectingClient(() => connect(logins.system, 'innkeeper_system', { Client: connections.Client })),
  );
  const client = (): Promise<Client> => connection.client();
  stack.use(services.receivers);
  const deliveries = stack.use(new DeliveryLog(services.webhooks, log));
  const webhooks = new WebhookSender({ services: { ...services, log }, deliveries, realTime: () => clock.real() });
  const runner = stack.use(
    new SubscriptionRunner({
      cursors: databaseCursors(client, partition),
      senders: { WEBHOOK: webhooks },
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
