import type { SimulatedPostgres } from './postgres.ts';
import { SimulatedProcess, type ProcessParts } from './process.ts';
import type { SimulatedRedis } from './redis.ts';
import { Network } from './way.ts';
import type { LivenessWorld } from './world.ts';

/** The supervisor restarts a process after this. */
const RESTART_MS = 1_000;

/** A machine with the node that runs on it, started again whenever it has ended. */
export class Machine {
  readonly nodeId: string;
  readonly network: Network;
  readonly #world: LivenessWorld;
  readonly #server: SimulatedPostgres;
  readonly #redis: SimulatedRedis;
  #wallClockAheadMs = 0;
  process: SimulatedProcess;
  /** A second process of the same node, as long as there is one. */
  second: SimulatedProcess | undefined;

  constructor(nodeId: string, world: LivenessWorld, server: SimulatedPostgres, redis: SimulatedRedis) {
    this.nodeId = nodeId;
    this.network = new Network(world);
    this.#world = world;
    this.#server = server;
    this.#redis = redis;
    this.process = this.#start();
  }

  get processes(): SimulatedProcess[] {
    return [this.process, ...(this.second ? [this.second] : [])].filter(({ hasEnded }) => !hasEnded);
  }

  crash(): void {
    this.process.end();
    this.#restart();
  }

  /** Starts the node a second time on the same data folder, and ends it later. */
  startSecond(milliseconds: number): void {
    if (this.second && !this.second.hasEnded) return;
    const second = new SimulatedProcess({ ...this.#parts(), exited: () => undefined });
    this.second = second;
    this.#world.time.after(milliseconds, () => second.end());
  }

  putWallClock(byMs: number): void {
    this.#wallClockAheadMs += byMs;
  }

  #start(): SimulatedProcess {
    return new SimulatedProcess({ ...this.#parts(), exited: () => this.#restart() });
  }

  #restart(): void {
    this.#world.time.after(RESTART_MS, () => {
      if (this.process.hasEnded) this.process = this.#start();
    });
  }

  #parts(): Omit<ProcessParts, 'exited'> {
    return {
      world: this.#world,
      nodeId: this.nodeId,
      server: this.#server,
      redis: this.#redis,
      network: this.network,
      wallClock: () => this.#world.time.now + this.#wallClockAheadMs,
    };
  }
}
