import { type Metrics, metricsText } from '../../gateways/http/telemetry/metrics.ts';
import { AGENT_TOOLS } from '../agents/rules/agent-bounds.ts';
import { type Consuming, notYetConsuming, type RelayFigures } from '../events/ports.ts';
import { HOLD_BOUNDS } from '../stay/rules/hold-bounds.ts';
import type { SubscriptionFigures } from '../subscriptions/ports.ts';
import type { Context } from './context.ts';
import type { ServiceName } from './service-module.ts';

type Asked = { hits: number; misses: number };

/** Metrics of the rate service only. */
function measureRates(metrics: Metrics, { figures, services: { analyses, jobs, metricEvents } }: Context): void {
  measureCache(metrics, 'rates', 'Rates in memory', () => figures().rateCache);
  measureCache(metrics, 'analysis', 'Analyses of an hour', () => analyses.lookups);
  metrics.gauge(
    'competitor.sync.age',
    'Seconds since a source of competitor rates last answered',
    () => figures().competitorSyncAge,
  );
  metrics.gauge('rate.optimization.queue.size', 'Optimizations that wait or run', () =>
    jobs.size('yield-optimization'),
  );
  metricEvents.on('optimization', metrics.timer('rate.optimization.duration', 'Duration of optimizations'));
}

/** Metrics of the reservation service only. */
function measureRooms(metrics: Metrics, { services: { metricEvents } }: Context): void {
  const refused = new Map<string, number>(HOLD_BOUNDS.map((bound) => [bound, 0]));
  metricEvents.on('holdRefused', (bound) => refused.set(bound, refused.get(bound)! + 1));
  metrics.taggedGauge(
    'holds.refused',
    'Holds and unpaid reservations refused since the start, by the bound that they would have passed',
    'bound',
    () => refused,
  );
  let unreadable = 0;
  metricEvents.on('cardUnreadable', () => (unreadable += 1));
  metrics.gauge(
    'payments.cards.unreadable',
    'Times since the start that a card on file was to be charged and no key of ours opened it',
    () => unreadable,
  );
  let waiting = 0;
  metricEvents.on('assignment', (more) => (waiting += more));
  metrics.gauge('room.assignment.queue.size', 'Arrivals whose rooms are being arranged', () => waiting);
}

/** Calls of agents, by tool. */
function measureAgents(metrics: Metrics, { services: { metricEvents } }: Context): void {
  const none = (): Map<string, number> => new Map(AGENT_TOOLS.map((tool) => [tool, 0]));
  const [calls, refused] = [none(), none()];
  metricEvents.on('agentTool', (tool, done) => {
    calls.set(tool, calls.get(tool)! + 1);
    if (!done) refused.set(tool, refused.get(tool)! + 1);
  });
  metrics.taggedGauge('agent.tool.calls', 'Calls of agents since the start, by tool', 'tool', () => calls);
  metrics.taggedGauge('agent.tool.refused', 'Those of them that were refused', 'tool', () => refused);
}

function measureCache(metrics: Metrics, name: string, what: string, counts: () => Asked): void {
  metrics.gauge(`cache.${name}.hits`, `${what}: reads that it could answer`, () => counts().hits);
  metrics.gauge(`cache.${name}.misses`, `${what}: reads that it could not answer`, () => counts().misses);
  const ratio = ({ hits, misses }: Asked): number => (hits === 0 ? 0 : hits / (hits + misses));
  metrics.gauge(`cache.${name}.hit.ratio`, `${what}: part of the reads that it could answer`, () => ratio(counts()));
}

/** All metrics of a service. */
export function metricsFor(name: ServiceName, context: Context): Metrics {
  const { figures } = context;
  const metrics = metricsText(name);
  metrics.gauge(
    'hikaricp.connections.active',
    'Active connections of the database pool',
    () => figures().activeConnections,
  );
  metrics.gauge('actor.count', 'Property actors in memory', () => figures().actors);
  metrics.gauge(
    'actor.commit.queue.size',
    'Sealed batches that wait for a commit lane',
    () => figures().queuedBatches,
  );
  metrics.gauge(
    'actor.rates.reloads',
    'Times since the start that rates changed by others were loaded',
    () => figures().rateReloads,
  );
  metrics.gauge(
    'actor.history.rewound',
    'Properties since the start that came back without acknowledged changes',
    () => figures().rewound,
  );
  measureRelay(metrics, () => figures().relay);
  measureSubscriptions(metrics, () => figures().subscriptions);
  measureReading(metrics, context.topics?.consuming ?? notYetConsuming());
  if (name === 'rate') measureRates(metrics, context);
  if (name === 'reservation') {
    measureRooms(metrics, context);
    measureAgents(metrics, context);
  }
  return metrics;
}

/** Lag of the topics behind the journals. */
function measureRelay(metrics: Metrics, figures: () => RelayFigures): void {
  metrics.gauge('relay.lag', 'Rows of journals whose events wait for the broker', () => figures().lag);
  metrics.gauge('relay.oldest.age', 'Seconds that the oldest of them has waited', () => figures().oldestAgeSeconds);
  metrics.gauge('relay.records.sent', 'Events sent since the start', () => figures().sent);
  metrics.gauge('relay.stopped', 'Properties of which an event cannot be sent', () => figures().stopped);
}

/** Lag of subscribers behind the journals, of all nodes. */
function measureSubscriptions(metrics: Metrics, figures: () => SubscriptionFigures): void {
  metrics.gauge('subscriptions.lag', 'Rows of journals that subscribers were not sent yet', () => figures().lag);
  metrics.gauge(
    'subscriptions.oldest.age',
    'Seconds that the oldest of them has waited',
    () => figures().oldestAgeSeconds,
  );
  metrics.gauge(
    'subscriptions.failing',
    'Properties of subscriptions whose receiver takes nothing',
    () => figures().failing,
  );
  metrics.gauge(
    'subscriptions.stopped',
    'Properties of subscriptions with a row that cannot be read',
    () => figures().stopped,
  );
  metrics.gauge(
    'subscriptions.given.up',
    'Subscriptions paused since the start because nothing was taken',
    () => figures().givenUp,
  );
  metrics.gauge('subscriptions.pages.sent', 'Pages sent to subscribers since the start', () => figures().pages);
}

/** Metrics of consumed topics. */
function measureReading(metrics: Metrics, consuming: Consuming): void {
  const lag = (): number => Object.values(consuming.lag).reduce((sum, records) => sum + records, 0);
  metrics.gauge('consumer.lag', 'Records at the broker that are yet to be taken', lag);
  metrics.gauge('consumer.records', 'Records that came since the start', () => consuming.records);
  metrics.gauge('consumer.records.taken', 'Those that have changed something', () => consuming.taken);
  metrics.gauge('consumer.records.dead', 'Those that were put aside', () => consuming.deadLettered);
  metrics.gauge('consumer.retries', 'Times that a record had to wait', () => consuming.retried);
}
