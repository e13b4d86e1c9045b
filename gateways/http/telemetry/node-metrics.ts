import { BREAKER_STATES, type BreakerState, type HealthState, JOB_NAMES } from '../../../src/kernel/ports.ts';
import type { RoundFigures } from '../../../src/kernel/rules/rounds.ts';
import { droppedLogLines } from '../../../src/platform/telemetry/telemetry.ts';
import { gcTime } from './gc-time.ts';
import { COMPONENTS } from './health-board.ts';
import type { Metrics } from './metrics.ts';
import type { NodeStatus } from './node-status.ts';

/** Components with a circuit breaker, where their partner is remote. */
const PARTNERS = ['analytics', 'competitorApi', 'mail', 'paymentService', 'sms'];

/** Metrics of the operations view's figures: the node, its lease, its place in the cluster, its components. */
export function measureNode(metrics: Metrics, status: NodeStatus): void {
  const { figures, health, cluster } = functionsOf(status);
  metrics.gauge('cluster.members', 'Nodes of the cluster in this view', () => cluster()?.view.members ?? 1);
  metrics.gauge('cluster.view.version', 'Version of the view of the cluster', () => cluster()?.view.version ?? 0);
  metrics.gauge('cluster.shards', 'Shards that this node has', () => cluster()?.shards.length ?? 1024);
  metrics.gauge('cluster.takeovers', 'Nodes taken over from since the start', () => cluster()?.takeOvers.count ?? 0);
  const missing = (): number => cluster()?.redisMissing ?? 0;
  metrics.gauge('cluster.redis.missing', 'Nodes with a lease that Redis does not name', missing);
  metrics.gauge('node.link.calls', 'Calls to other nodes since the start', () => cluster()?.links.calls ?? 0);
  metrics.gauge('node.link.failures', 'Those that found nobody', () => cluster()?.links.failures ?? 0);
  metrics.gauge('lease.held', 'Whether this node may own properties: 1 or 0', () => (figures().lease.held ? 1 : 0));
  metrics.gauge('lease.age', 'Seconds since its lease was renewed', () => figures().lease.ageSeconds);
  metrics.gauge('actor.mailbox.size', 'Commands that wait in mailboxes', () => figures().queuedCommands);
  metrics.gauge('live.connections', 'Open sockets of the live gateway', () => status.live.connections);
  metrics.gauge('live.properties', 'Properties that they follow', () => status.live.properties);
  metrics.taggedGauge(
    'live.sockets',
    'Open sockets, with a valid token and before',
    'state',
    () => status.sockets.sockets,
  );
  metrics.taggedGauge(
    'live.refused',
    'Refusals of the live gateway since the start',
    'what',
    () => status.sockets.refused,
  );
  metrics.gauge('live.past.bytes', 'Bytes kept for those that look back', () => status.sockets.lookingBack.bytes);
  const jobs = (): number => Object.values(status.jobs).reduce((sum, waiting) => sum + waiting, 0);
  metrics.gauge('jobs.waiting', 'Jobs that wait or run', jobs);
  for (const name of JOB_NAMES)
    metrics.gauge(`jobs.waiting.${name}`, `Jobs ${name} that wait or run`, () => status.jobs[name] ?? 0);
  metrics.gauge('health.status', 'Health of the service: 1 up, 0 down', () => numberOf(health().status));
  for (const name of COMPONENTS)
    metrics.gauge(`health.${name}`, `Health of ${name}: 1 up, 0 down, -1 unknown`, () =>
      numberOf(health().components[name]?.status),
    );
  for (const name of PARTNERS)
    metrics.gauge(`breaker.${name}`, `Breaker of ${name}: 0 closed, 1 half open, 2 open, -1 none`, () =>
      opennessOf(status.breakers[name]),
    );
  measureRounds(metrics, () => figures().rounds);
  metrics.gauge('log.lines.dropped', 'Lines of the log that nobody read and were dropped', droppedLogLines);
  metrics.gauge(
    'actor.commands.failing',
    'Properties whose roll of the day or expiry of holds fails again and again',
    () => figures().failing,
  );
  metrics.gauge(
    'idempotency.expired.age',
    'Seconds that the oldest idempotency record has been past its time',
    () => figures().expiredKeys.overdueSeconds,
  );
  metrics.gauge(
    'idempotency.forgotten',
    'Idempotency records forgotten since the start',
    () => figures().expiredKeys.forgotten,
  );
  metrics.gauge('disk.free', 'Bytes left for the data', () => disk(status, 'free'));
  metrics.gauge('disk.total', 'Bytes of the disk of the data', () => disk(status, 'total'));
  metrics.gauge('process.uptime', 'Seconds since the process started', () => process.uptime());
  metrics.gauge('process.memory.rss', 'Bytes of memory of the process', () => process.memoryUsage().rss);
  // Without figures there is no metric, rather than one that says 0.
  if (gcTime() !== undefined)
    metrics.gauge('gc.time', 'Milliseconds of garbage collection since the start', () => gcTime() ?? 0);
  metrics.gauge(
    'event.loop.delay',
    'Milliseconds that the event loop stood still at most in the last ten seconds',
    () => status.eventLoopDelayMs,
  );
}

/** Age of each regular round by name. */
function measureRounds(metrics: Metrics, rounds: () => readonly RoundFigures[]): void {
  const ofRounds = (read: (one: RoundFigures) => number): ReadonlyMap<string, number> =>
    new Map(rounds().map((one) => [one.name, read(one)]));
  metrics.taggedGauge('jobs.round.age', 'Seconds since each regular round completed a run or got on', 'round', () =>
    ofRounds(({ ageSeconds }) => ageSeconds),
  );
  metrics.taggedGauge('jobs.round.period', 'Seconds after which each is to run again', 'round', () =>
    ofRounds(({ everyMs }) => everyMs / 1_000),
  );
  metrics.taggedGauge('jobs.round.failures', 'Runs of each, and items of a run, that failed', 'round', () =>
    ofRounds(({ failures }) => failures),
  );
  metrics.taggedGauge('jobs.round.rescued', 'Runs begun here as the job queue had not brought them', 'round', () =>
    ofRounds(({ rescues }) => rescues),
  );
}

function functionsOf(status: NodeStatus) {
  return { figures: () => status.figures, health: () => status.health, cluster: () => status.cluster };
}

function opennessOf(state: BreakerState | undefined): number {
  return state === undefined ? -1 : BREAKER_STATES.indexOf(state);
}

/** 1 UP, 0 DOWN or OUT_OF_SERVICE, -1 absent or not checked yet. */
function numberOf(state: HealthState | undefined): number {
  if (state === 'UP') return 1;
  return state === undefined || state === 'UNKNOWN' ? -1 : 0;
}

function disk({ health }: NodeStatus, what: 'free' | 'total'): number {
  const bytes = health.components['diskSpace']?.details?.[what];
  return typeof bytes === 'number' ? bytes : 0;
}
