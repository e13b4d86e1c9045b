import type { LivenessWorld } from './world.ts';

const LATENCY_MS = { typical: 3, most: 20 };

/** The network of one process: while it is down whatever is sent waits (TCP sends it again), and nothing new comes up. */
export class Network {
  readonly #world: LivenessWorld;
  #downUntil = 0;

  constructor(world: LivenessWorld) {
    this.#world = world;
  }

  get isDown(): boolean {
    return this.#world.elapsedMs < this.#downUntil;
  }

  goDown(milliseconds: number): void {
    this.#downUntil = Math.max(this.#downUntil, this.#world.elapsedMs + milliseconds);
  }

  /** Brings something to the other side when there is a way. */
  carry(run: () => void): void {
    const { random, time } = this.#world;
    const arrive = (): void => {
      if (this.isDown) time.after(this.#downUntil - this.#world.elapsedMs + random.delay(10, 200), arrive);
      else run();
    };
    time.after(random.delay(LATENCY_MS.typical, LATENCY_MS.most), arrive);
  }
}

/** A connection's way through a network, in both directions. What was sent first comes first. */
export class Way {
  readonly #network: Network;
  readonly #sent = { there: [] as (() => void)[], back: [] as (() => void)[] };
  /** Data is dropped without an error: a proxy or a peer is gone. */
  isLost = false;

  constructor(network: Network) {
    this.#network = network;
  }

  send(direction: 'there' | 'back', run: () => void): void {
    if (this.isLost) return;
    const line = this.#sent[direction];
    line.push(run);
    this.#network.carry(() => {
      // Whichever packet comes: the one that was sent first is read first.
      const next = line.shift();
      if (!this.isLost) next?.();
    });
  }
}
