import type { Client } from 'pg';

import type { Services } from '../kernel/operations/services.ts';
import type { BackgroundPartition, Log } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import { hasActors } from '../kernel/rules/placement.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Rounds } from '../kernel/rules/rounds.ts';
import type { Config } from '../platform/config/config.ts';
import { connect } from '../platform/database/connection.ts';
import type { Database } from '../platform/database/database.ts';
import type { Connections } from '../platform/database/limited-client.ts';
import { ReconnectingClient } from '../platform/database/reconnecting-client.ts';
import { SubscriptionRunner } from '../subscriptions/jobs/subscription-runner.ts';
import { SubscriptionChanges } from '../subscriptions/operations/subscription-changes.ts';
import type { SubscriptionFigures } from '../subscriptions/ports.ts';
import { databaseCursors } from '../subscriptions/storage/cursors.ts';
import { DeliveryLog } from '../webhooks/operations/delivery-log.ts';
import { WebhookSender } from '../webhooks/operations/webhook-sender.ts';
import { HttpReceivers } from '../webhooks/partners/http-receivers.ts';
import { databaseWebhooks } from '../webhooks/storage/webhooks.ts';

/** What operations about webhooks need. */
export function openWebhooks(
  stack: AsyncDisposableStack,
  config: Config,
  database: Database,
): Pick<Services, 'webhooks' | 'receivers' | 'subscriptionChanges'> {
  return {
    webhooks: databaseWebhooks(database),
    receivers: stack.use(new HttpReceivers({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE })),
    subscriptionChanges: new SubscriptionChanges(),
  };
}

type Parts = {
  config: Config;
  databaseUrl: string;
  connections: Connections;
  lease: { readonly held: boolean };
  share: BackgroundPartition;
  rounds: Rounds;
  clock: { now(): Instant; real(): Instant };
  log: Log;
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
  { config, databaseUrl, connections, lease, share, rounds, clock, log }: Parts,
): OpenSubscriptions {
  const connection = stack.use(
    new ReconnectingClient(() => connect(databaseUrl, 'innkeeper_system', { Client: connections.Client })),
  );
  const client = (): Promise<Client> => connection.client();
  const deliveries = stack.use(new DeliveryLog(services.webhooks, log));
  const webhooks = new WebhookSender({ services: { ...services, log }, deliveries, realTime: () => clock.real() });
  const runner = stack.use(
    new SubscriptionRunner({
      cursors: databaseCursors(client, share),
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
