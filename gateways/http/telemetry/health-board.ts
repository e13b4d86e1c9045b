import { statfs } from 'node:fs/promises';

import { type Health, HEALTH_STATES, type HealthCheck, type HealthState } from '../../../src/kernel/ports.ts';

/** A component that does not answer within this is DOWN. */
const PATIENCE_MS = 2_000;
/** Probes come often and from many sides: an answer is good for this long. */
const TRUST_MS = 1_000;
/** Spring Boot's own threshold. */
const MIN_FREE_BYTES = 10 * 1024 * 1024;

const UNKNOWN: Health = { status: 'UNKNOWN' };

/** Every component that health can have (docs/operations/health.md#components), in its order. */
export const COMPONENTS =
  'actors analytics availabilityService competitorApi db sampleData jobs kafka live mail paymentService redis rounds schemaRegistry sms timeZones diskSpace ping'.split(
    ' ',
  );

/** The whole of `/actuator/health`. */
export type HealthReport = { status: HealthState; components: Record<string, Health> };

/** Checks the components, and sums them up: only essential ones take the process down. */
export class HealthBoard {
  readonly #checks: ReadonlyMap<string, HealthCheck>;
  readonly #isOut: () => boolean;
  readonly #liveness: ReadonlyMap<string, HealthCheck>;
  readonly #answers = new Map<string, { at: number; health: Promise<Health> }>();

  /**
   * @param isOut whether requests should go to other nodes: not everything is in place yet, or the process is about
   * to go
   * @param liveness what only a new start of the process mends, beside `ping`
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
   * `liveness`: the process answers, and is not stuck. `readiness`: what is essential is there, and neither does it
   * start nor is it about to go.
   */
  async group(name: 'liveness' | 'readiness'): Promise<HealthReport> {
    if (name === 'liveness') return this.#live();
    const report = await this.#reportOf([...this.#checks].filter(([, one]) => one.essential).map(([key]) => key));
    return this.#isOut() ? { ...report, status: 'OUT_OF_SERVICE' } : report;
  }

  /** One component; `undefined` when there is none of this name. */
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
    // All names first: the order is fixed, whichever answers first.
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
    // Its message may name hosts, statements or users.
    return { status: 'DOWN', details: { error: error instanceof Error ? error.name : 'Error' } };
  } finally {
    clearTimeout(timer);
  }
}

/** A part that this installation does not have (UNKNOWN, and still 200). */
export const unconfigured: HealthCheck = { essential: false, check: async () => UNKNOWN };

/** Spring Boot's `ping`: the process answers. */
export const ping: HealthCheck = { essential: true, check: async () => ({ status: 'UP' }) };

/** Spring Boot's `diskSpace` for the folder that we write to. */
export function diskSpace(path: string): HealthCheck {
  return {
    essential: true,
    async check() {
      const { blocks, bavail, bsize } = await statfs(path);
      const free = bavail * bsize;
      const details = { total: blocks * bsize, free, threshold: MIN_FREE_BYTES, path, exists: true };
      return { status: free < MIN_FREE_BYTES ? 'DOWN' : 'UP', details };
    },
  };
}
