import { statfs } from 'node:fs/promises';

import { type Health, HEALTH_STATES, type HealthCheck, type HealthState } from '../../../src/kernel/ports.ts';

/** A component that does not answer in time is DOWN. */
const PATIENCE_MS = 2_000;
/** How long results are reused: probes are frequent and come from many sides. */
const TRUST_MS = 1_000;
/** Spring Boot's own threshold. */
const MIN_FREE_BYTES = 10 * 1024 * 1024;

/** Component of the disk of DATA_DIR. */
const DISK = 'diskSpace';

const UNKNOWN: Health = { status: 'UNKNOWN' };

/** All components of health (docs/operations/health.md#components), in order. */
export const COMPONENTS =
  'actors analytics availabilityService commits competitorApi db sampleData jobs kafka live mail paymentService redis rounds schemaRegistry sms storage timeZones diskSpace ping'.split(
    ' ',
  );

/** The body of `/actuator/health`. */
export type HealthReport = { status: HealthState; components: Record<string, Health> };

/** Checks the components and aggregates them: only essential ones make the process DOWN. */
export class HealthBoard {
  readonly #checks: ReadonlyMap<string, HealthCheck>;
  readonly #isOut: () => boolean;
  readonly #liveness: ReadonlyMap<string, HealthCheck>;
  readonly #answers = new Map<string, { at: number; health: Promise<Health> }>();

  /**
   * @param isOut whether requests should go to other nodes: the start is not complete, or the process is about to end
   * @param liveness checks whose failure only a restart repairs, beside `ping`
   */
  constructor(
    checks: ReadonlyMap<string, HealthCheck>,
    isOut: () => boolean = () => false,
    liveness: ReadonlyMap<string, HealthCheck> = new Map(),
  ) {
    this.#checks = checks;
    this.#isOut = isOut;
    this.#liveness = liveness;
  }

  /** All components. */
  async report(): Promise<HealthReport> {
    return this.#reportOf([...this.#checks.keys()]);
  }

  /**
   * `liveness`: the process answers and is not stuck. `readiness`: essential components are up, and the process is
   * neither starting nor ending. A full disk does not count: reads go on.
   */
  async group(name: 'liveness' | 'readiness'): Promise<HealthReport> {
    if (name === 'liveness') return this.#live();
    const names = [...this.#checks].filter(([name, one]) => one.essential && name !== DISK).map(([name]) => name);
    const report = await this.#reportOf(names);
    return this.#isOut() ? { ...report, status: 'OUT_OF_SERVICE' } : report;
  }

  /** One component; `undefined` when none has this name. */
  async component(name: string): Promise<Health | undefined> {
    const check = this.#checks.get(name);
    return check === undefined ? undefined : this.#ask(name, check);
  }

  async #live(): Promise<HealthReport> {
    const components: Record<string, Health> = { ping: { status: 'UP' } };
    for (const [name, check] of this.#liveness) components[name] = await checked(check);
    const isDown = Object.values(components).some(({ status }) => status === 'DOWN');
    return { status: isDown ? 'DOWN' : 'UP', components };
  }

  async #reportOf(names: readonly string[]): Promise<HealthReport> {
    // All names first, so that the order is fixed.
    const components: Record<string, Health> = Object.fromEntries(names.map((name) => [name, UNKNOWN]));
    const counted: HealthState[] = ['UP'];
    await Promise.all(
      names.map(async (name) => {
        const health = (await this.component(name)) ?? UNKNOWN;
        components[name] = health;
        if (this.#checks.get(name)?.essential === true) counted.push(health.status);
      }),
    );
    return { status: HEALTH_STATES.find((state) => counted.includes(state)) ?? 'UP', components };
  }

  #ask(name: string, component: HealthCheck): Promise<Health> {
    const now = performance.now();
    const before = this.#answers.get(name);
    if (before !== undefined && now - before.at < TRUST_MS) return before.health;
    const health = checked(component);
    this.#answers.set(name, { at: now, health });
    return health;
  }
}

async function checked(component: HealthCheck): Promise<Health> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Health>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'DOWN', details: { error: 'no answer in time' } }), PATIENCE_MS);
  });
  try {
    return await Promise.race([component.check(), late]);
  } catch (error) {
    // The error message may name hosts, statements or users.
    return { status: 'DOWN', details: { error: error instanceof Error ? error.name : 'Error' } };
  } finally {
    clearTimeout(timer);
  }
}

/** A component that this installation does not have (UNKNOWN, still 200). */
export const unconfigured: HealthCheck = { essential: false, check: async () => UNKNOWN };

/** Spring Boot's `ping`: the process answers. */
export const ping: HealthCheck = { essential: true, check: async () => ({ status: 'UP' }) };

/**
 * Spring Boot's `diskSpace` for the data folder.
 * @param threshold bytes of free space below which it is DOWN
 */
export function diskSpace(path: string, threshold = MIN_FREE_BYTES): HealthCheck {
  return {
    essential: true,
    async check() {
      const { blocks, bavail, bsize } = await statfs(path);
      const free = bavail * bsize;
      const details = { total: blocks * bsize, free, threshold, path, exists: true };
      return { status: free < threshold ? 'DOWN' : 'UP', details };
    },
  };
}
