import type { Log } from '../../../src/kernel/ports.ts';
import { SHARDS } from '../../../src/kernel/rules/placement.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { FigurePoint, ServedBy } from '../../../src/platform/coordination/contracts/figure-series.ts';
import type { Durations, NodeLooks, RetainedRequest } from '../../../src/platform/coordination/ports.ts';
import type { RequestObserver } from './access-log.ts';
import { AlertFigures } from './alert-figures.ts';
import { AlertWatch, type NodeAlerts } from './alert-watch.ts';
import { FigureSampler } from './figure-sampler.ts';
import type { Metrics } from './metrics.ts';
import type { NodeStatus } from './node-status.ts';

/** Interval of taking figures and judging alerts. */
const TAKE_MS = 10_000;

/** Figures of each minute of all nodes, in the database. */
export interface StoredFigures {
  write(point: FigurePoint): Promise<void>;
  since(after: Instant, nodeId: string | undefined): Promise<ReadonlyMap<string, readonly FigurePoint[]>>;
}

type Parts = {
  nodeId: string;
  status: NodeStatus;
  looks: NodeLooks;
  rows: Pick<StoredFigures, 'write'>;
  retained(): RetainedRequest[];
  edge: Durations;
  commits: Durations;
  fanOut: Durations;
  bookings(): number;
  now(): Instant;
  log: Log;
};

/**
 * Takes the figures of this node and judges its alerts every ten seconds, and answers questions of operators about
 * them, also those that other nodes pass on.
 */
export class NodeFigures implements Disposable {
  readonly #parts: Parts;
  readonly #services = new Map<ServedBy, Metrics>();
  #sampler: FigureSampler | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #writing = false;
  watch: AlertWatch | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Adds a listener. @returns what is called with its finished requests */
  observed(name: ServedBy, metrics: Metrics): RequestObserver {
    this.#services.set(name, metrics);
    const { edge } = this.#parts;
    return (pattern, method, status, seconds) => {
      metrics.observe(pattern, method, status, seconds);
      if (pattern.startsWith('/api/')) edge.record(seconds * 1_000);
    };
  }

  /** Begins once all listeners are there. */
  begin(): void {
    const { looks, retained, status, nodeId } = this.#parts;
    const sampler = new FigureSampler({ ...this.#parts, services: this.#services });
    const watch = new AlertWatch(new AlertFigures([...this.#services.values()]));
    this.#sampler = sampler;
    this.watch = watch;
    looks.register('figures', () => sampler.points());
    looks.register('requests', retained);
    looks.register('alerts', (): NodeAlerts => {
      const { cluster } = status;
      const shards = cluster?.shards.length ?? SHARDS;
      return { nodeId, viewVersion: cluster?.view.version ?? 0, shards, holding: watch.holding() };
    });
    this.take();
    this.#timer = setInterval(() => this.take(), TAKE_MS);
    this.#timer.unref();
  }

  /** Takes the figures of now. */
  take(): void {
    const minute = this.#sampler?.take();
    this.watch?.take();
    if (minute) void this.#write(minute);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** A minute that cannot be written is missing from the day; nothing waits for it. */
  async #write(minute: FigurePoint): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    const { rows, log } = this.#parts;
    await rows.write(minute).catch((error: unknown) => {
      log.debug({ error: String(error) }, 'figures of a minute not written');
    });
    this.#writing = false;
  }
}
