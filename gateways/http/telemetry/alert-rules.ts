import { SHARDS } from '../../../src/kernel/rules/placement.ts';
import { LATE_AFTER_PERIODS } from '../../../src/kernel/rules/rounds.ts';
import { type AlertFigures, failuresOf } from './alert-figures.ts';

/** A node as rules of the whole installation see it. */
export type SeenNode = { nodeId: string; viewVersion: number; shards: number };

type OnNode = (figures: AlertFigures, thresholds: readonly number[]) => boolean;

/**
 * A rule of ops/alerts.yml: the meaning of its expression. `alert-rules.test.ts` holds name, severity, duration,
 * thresholds and summary equal to the file.
 */
export type AlertRule = {
  name: string;
  severity: 'page' | 'ticket';
  /** How long it holds before it fires. */
  forSeconds: number;
  /** Numbers of the expression, in its order; the rule judges by them. */
  thresholds: readonly number[];
  summary: string;
  /** What the service cannot see by itself. */
  limits?: string;
} & ({ onNode: OnNode } | { overAll(nodes: readonly SeenNode[], missing: number): boolean });

const MINUTE = 60;

/** A health component that is down. Not configured or not looked at yet is -1, and never an alert. */
const isDown =
  (component: string): OnNode =>
  (figures) =>
    figures.least(component) === 0;

const isOver =
  (metric: string): OnNode =>
  (figures, [threshold = 0]) =>
    figures.most(metric) > threshold;

const grewBy =
  (count: string, minutes: number): OnNode =>
  (figures, [threshold = 0]) =>
    figures.increase(count, minutes) > threshold;

/** Burn of the error budget over a long and a short window. */
const burns =
  (...windows: [long: number, short: number]): OnNode =>
  (figures, [times = 0, budget = 0]) =>
    windows.every((minutes) => figures.part('api failed', 'api', minutes) > times * budget);

/** Jobs of the whole installation that the job queue brings every minute. */
const OF_EVERY_MINUTE = new Set(['analytics-push', 'competitor-check', 'daily-check']);

/** Whether a round has not run for three times its period. */
function isRoundLate(figures: AlertFigures, most: number, counts: (round: string) => boolean = () => true): boolean {
  const periods = new Map(figures.all('jobs.round.period').map(({ labels, value }) => [labels['round'], value]));
  return figures
    .all('jobs.round.age')
    .some(({ labels: { round = '' }, value }) => counts(round) && value > most * (periods.get(round) ?? Infinity));
}

const roundItemsFail: OnNode = (figures, [few = 0, often = 0, more = 0]) =>
  figures.all('jobs.round.period').some(({ labels: { round = '' }, value: period }) => {
    const failures = failuresOf(round);
    return period < often ? figures.increase(failures, 15) > few : figures.increase(failures, 180) > more;
  });

const PROMISES: readonly AlertRule[] = [
  {
    name: 'ErrorBudgetBurnsFast',
    severity: 'page',
    forSeconds: 2 * MINUTE,
    thresholds: [14.4, 0.0001, 14.4, 0.0001],
    summary: "More than 0.14 % of the requests fail: the month's budget of 99.99 % is gone in two days.",
    limits: 'Counted for each node by itself, and since its start where that is less than an hour ago.',
    onNode: burns(60, 5),
  },
  {
    name: 'ErrorBudgetBurnsSlowly',
    severity: 'ticket',
    forSeconds: 15 * MINUTE,
    thresholds: [6, 0.0001, 6, 0.0001],
    summary: "More than 0.06 % of the requests fail for hours: the month's budget is gone in five days.",
    limits: 'Counted for each node by itself, and since its start where that is less than six hours ago.',
    onNode: burns(360, 30),
  },
  {
    name: 'BookingsSlow',
    severity: 'page',
    forSeconds: 10 * MINUTE,
    thresholds: [0.95],
    summary: 'More than one booking in twenty takes longer than 2 s.',
    limits: 'Counted for each node by itself.',
    onNode: (figures, [part = 0]) =>
      figures.increase('bookings', 5) > 0 && figures.part('bookings quick', 'bookings', 5) < part,
  },
  {
    name: 'InvariantViolated',
    severity: 'page',
    forSeconds: 0,
    thresholds: [0],
    summary: "An audit found a difference, or a reservation's money does not add up.",
    onNode: isOver('actor.invariant.violations'),
  },
];

const PARTS: readonly AlertRule[] = [
  {
    name: 'InnkeeperDown',
    severity: 'page',
    forSeconds: 30,
    thresholds: [0],
    summary: 'A listener of a node cannot be scraped.',
    limits:
      'Only Prometheus sees every listener from outside. Here it fires when a node of the cluster does not answer the others; one that is no longer in the cluster is not missed.',
    overAll: (_nodes, missing) => missing > 0,
  },
  {
    name: 'HealthDown',
    severity: 'page',
    forSeconds: MINUTE,
    thresholds: [0],
    summary: 'An essential part of a node is down: it tells its balancer not to send requests.',
    onNode: isDown('health.status'),
  },
  {
    name: 'DatabaseDown',
    severity: 'page',
    forSeconds: 20,
    thresholds: [0],
    summary: 'A node cannot reach PostgreSQL: writes are refused at once.',
    onNode: isDown('health.db'),
  },
  {
    name: 'CommitsUnanswered',
    severity: 'page',
    forSeconds: 20,
    thresholds: [0],
    summary: 'PostgreSQL answers a node, but writes none of its bookings.',
    onNode: isDown('health.commits'),
  },
  {
    name: 'RedisDown',
    severity: 'ticket',
    forSeconds: MINUTE,
    thresholds: [0],
    summary: 'A node cannot reach Redis.',
    onNode: isDown('health.redis'),
  },
  {
    name: 'KafkaDown',
    severity: 'ticket',
    forSeconds: 2 * MINUTE,
    thresholds: [0],
    summary: 'Events cannot be sent, or those of a property have stopped.',
    onNode: isDown('health.kafka'),
  },
  {
    name: 'PaymentsDown',
    severity: 'page',
    forSeconds: 2 * MINUTE,
    thresholds: [0],
    summary: 'The payment provider does not answer: paid bookings are refused.',
    onNode: isDown('health.paymentService'),
  },
  {
    name: 'StoreReadOnly',
    severity: 'page',
    forSeconds: 30,
    thresholds: [0],
    summary: 'The database takes no writes: bookings are refused, reads go on.',
    onNode: isDown('health.storage'),
  },
  {
    name: 'DiskSpaceLow',
    severity: 'ticket',
    forSeconds: 5 * MINUTE,
    thresholds: [0.1, 0],
    summary: 'Less than a tenth of the disk of DATA_DIR is left.',
    onNode: (figures, [part = 0]) =>
      figures.most('disk.total') > 0 && figures.least('disk.free') / figures.most('disk.total') < part,
  },
  {
    name: 'EventLoopBlocked',
    severity: 'ticket',
    forSeconds: MINUTE,
    thresholds: [500],
    summary: 'The event loop of a node stood still for more than half a second, again and again.',
    onNode: isOver('event.loop.delay'),
  },
  {
    name: 'ConnectionsRefused',
    severity: 'ticket',
    forSeconds: 5 * MINUTE,
    thresholds: [0],
    summary: 'A listener of a node closes connections because it has as many as it may have.',
    onNode: grewBy('http.connections.refused', 5),
  },
  {
    name: 'LiveRefused',
    severity: 'ticket',
    forSeconds: 5 * MINUTE,
    thresholds: [50, 0],
    summary: 'The live gateway of a node refuses sockets or frames again and again, or takes no further connection.',
    onNode: (figures, [refused = 0]) =>
      isDown('health.live')(figures, []) ||
      figures
        .all('live.refused')
        .some(({ labels }) => figures.increase(`live.refused ${labels['what']}`, 5) > refused),
  },
  {
    name: 'LogLinesDropped',
    severity: 'ticket',
    forSeconds: 0,
    thresholds: [0],
    summary: 'Lines of the log of a node are lost: nobody reads them, or they cannot be written.',
    onNode: grewBy('log.lines.dropped', 5),
  },
  {
    name: 'RoomsHeldUnpaid',
    severity: 'ticket',
    forSeconds: 0,
    thresholds: [20],
    summary:
      'Somebody keeps rooms from sale without paying: holds and unpaid reservations are refused by their bounds.',
    limits: 'Counted for each node by itself.',
    onNode: grewBy('holds.refused', 10),
  },
];

const CLUSTER: readonly AlertRule[] = [
  {
    name: 'HistoryRewound',
    severity: 'page',
    forSeconds: 0,
    thresholds: [0],
    summary: 'The database came back without changes that it had acknowledged: they are lost.',
    limits: 'Only what this node had written is compared.',
    onNode: isOver('actor.history.rewound'),
  },
  {
    name: 'LeaseLost',
    severity: 'page',
    forSeconds: 5,
    thresholds: [0, 4],
    summary: 'A node has no lease or has not renewed it: it stops answering about its properties.',
    onNode: (figures, [, seconds = 0]) => figures.least('lease.held') === 0 || figures.most('lease.age') > seconds,
  },
  {
    name: 'NodeTakenOver',
    severity: 'ticket',
    forSeconds: 0,
    thresholds: [0],
    summary: 'A node was taken over from.',
    onNode: grewBy('cluster.takeovers', 10),
  },
  {
    name: 'ClusterViewsDiffer',
    severity: 'ticket',
    forSeconds: MINUTE,
    thresholds: [],
    summary: 'Nodes go by different views of who is there.',
    overAll: (nodes) => new Set(nodes.map(({ viewVersion }) => viewVersion)).size > 1,
  },
  {
    name: 'RedisMissesNodes',
    severity: 'ticket',
    forSeconds: 15,
    thresholds: [0],
    summary: 'Nodes with a lease are not in the list of the Redis of a node: they are at another one.',
    onNode: isOver('cluster.redis.missing'),
  },
  {
    name: 'ShardsWithoutNode',
    severity: 'page',
    forSeconds: MINUTE,
    thresholds: [SHARDS],
    summary: 'Some shards are of no node: properties in them cannot be booked.',
    overAll: (nodes) => nodes.reduce((sum, { shards }) => sum + shards, 0) < SHARDS,
  },
  {
    name: 'NodeLinkFails',
    severity: 'ticket',
    forSeconds: 2 * MINUTE,
    thresholds: [20],
    summary: 'Calls between nodes fail.',
    onNode: grewBy('node.link.failures', 5),
  },
];

const QUEUES: readonly AlertRule[] = [
  {
    name: 'ActorQueueGrows',
    severity: 'page',
    forSeconds: MINUTE,
    thresholds: [500, 64],
    summary: 'Commands wait in mailboxes, or batches for a commit.',
    onNode: (figures, [commands = 0, batches = 0]) =>
      figures.most('actor.mailbox.size') > commands || figures.most('actor.commit.queue.size') > batches,
  },
  {
    name: 'RelayBehind',
    severity: 'ticket',
    forSeconds: 2 * MINUTE,
    thresholds: [60],
    summary: 'Events wait for more than a minute.',
    onNode: isOver('relay.oldest.age'),
  },
  {
    name: 'RelayStopped',
    severity: 'page',
    forSeconds: MINUTE,
    thresholds: [0],
    summary: 'Events of a property cannot be sent: its rows wait behind the first of them.',
    onNode: isOver('relay.stopped'),
  },
  {
    name: 'SubscriptionsFailing',
    severity: 'ticket',
    forSeconds: 60 * MINUTE,
    thresholds: [0],
    summary: 'A webhook or a channel has taken nothing for an hour; after three days it is paused.',
    onNode: isOver('subscriptions.failing'),
  },
  {
    name: 'SubscriptionPaused',
    severity: 'ticket',
    forSeconds: 0,
    thresholds: [0],
    summary: 'A webhook or a channel was paused: nothing was taken for three days, or its receiver is gone.',
    onNode: grewBy('subscriptions.given.up', 60),
  },
  {
    name: 'PoisonCommand',
    severity: 'ticket',
    forSeconds: 2 * MINUTE,
    thresholds: [0],
    summary: 'The roll of the day or the expiry of holds of a property fails again and again.',
    onNode: isOver('actor.commands.failing'),
  },
  {
    name: 'KeysNotForgotten',
    severity: 'ticket',
    forSeconds: 15 * MINUTE,
    thresholds: [7_200],
    summary: 'Idempotency records are kept for two hours longer than they should be.',
    onNode: isOver('idempotency.expired.age'),
  },
  {
    name: 'ConsumerBehind',
    severity: 'ticket',
    forSeconds: 10 * MINUTE,
    thresholds: [10_000],
    summary: 'Records from the topics are not taken as fast as they come.',
    onNode: isOver('consumer.lag'),
  },
  {
    name: 'JobsStuck',
    severity: 'ticket',
    forSeconds: 2 * MINUTE,
    thresholds: [50, 0, LATE_AFTER_PERIODS],
    summary: 'Jobs wait and do not end, the job queue is away, or it does not bring the jobs of every minute.',
    onNode: (figures, [waiting = 0, , periods = 0]) =>
      figures.leastOf('jobs.waiting', 30) > waiting ||
      isDown('health.jobs')(figures, []) ||
      isRoundLate(figures, periods, (round) => OF_EVERY_MINUTE.has(round)),
  },
  {
    name: 'RoundLate',
    severity: 'page',
    forSeconds: 2 * MINUTE,
    thresholds: [LATE_AFTER_PERIODS],
    summary: 'Regular work of a node has not run for three times its period.',
    onNode: (figures, [periods = 0]) => isRoundLate(figures, periods),
  },
  {
    name: 'CardUnreadable',
    severity: 'page',
    forSeconds: 0,
    thresholds: [0],
    summary: 'A card on file is to be charged and no key of this installation opens it.',
    onNode: grewBy('payments.cards.unreadable', 15),
  },
  {
    name: 'RoundItemsFail',
    severity: 'ticket',
    forSeconds: 16 * MINUTE,
    thresholds: [0, 900, 1, 900],
    summary: 'Regular work fails again and again: as a whole, or for single properties, tenants or rows.',
    onNode: roundItemsFail,
  },
  {
    name: 'CompetitorRatesOld',
    severity: 'ticket',
    forSeconds: 10 * MINUTE,
    thresholds: [46_800],
    summary: 'No source of competitor rates has answered for 13 hours.',
    onNode: isOver('competitor.sync.age'),
  },
];

/** Every alert, in the order of the file. */
export const ALERT_RULES: readonly AlertRule[] = [...PROMISES, ...PARTS, ...CLUSTER, ...QUEUES];
