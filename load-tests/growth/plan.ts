export const PARTS = ['properties', 'clients', 'needs', 'sockets', 'reservations', 'memory', 'nodes'] as const;
export type GrowthPart = (typeof PARTS)[number];

/** Sizes of a run, and how long it measures. */
export type GrowthPlan = {
  properties: readonly number[];
  clients: readonly number[];
  sockets: readonly number[];
  /** Sockets of one property, for the cost of a frame. */
  fanOut: readonly number[];
  reservations: readonly number[];
  /** Sizes of the memory of a service: resident properties, then sockets, then holds. */
  memory: { properties: readonly number[]; sockets: readonly number[]; holds: readonly number[]; nights: number };
  /** Nodes whose costs are measured; the last one is only compared with the calculation. Empty without a cluster. */
  nodes: readonly number[];
  /** Properties among which quotes and bookings are spread where the axis is another one. */
  among: number;
  /** Properties whose daily jobs are counted. */
  daily: number;
  /** Seconds of the bookings, and of the commits of the disk, whose needs are counted. */
  needsSeconds: number;
  rounds: number;
  seconds: number;
  idleSeconds: number;
  /** Requests that warm up a service before it is measured: quotes, each of the others, and the seconds of those. */
  warmUp: { quotes: number; requests: number; seconds: number };
  minutes: number;
  /** Parts that run; all of them give a calculation. */
  parts: readonly GrowthPart[];
};

/** At most a quarter of an hour on two cores with nothing beside it. */
export const FULL: GrowthPlan = {
  properties: [1, 10, 100, 1_000, 10_000],
  clients: [1, 30, 1_000],
  sockets: [1, 100, 1_000, 5_000, 20_000],
  fanOut: [1, 10, 100, 1_000],
  reservations: [1_000, 10_000, 100_000, 1_000_000],
  memory: {
    properties: [100, 500, 1_000, 2_000],
    sockets: [500, 1_000, 2_000],
    holds: [500, 1_000, 2_000],
    nights: 400,
  },
  nodes: [1, 3, 2],
  among: 100,
  daily: 100,
  needsSeconds: 4,
  rounds: 2,
  seconds: 2,
  idleSeconds: 4,
  warmUp: { quotes: 10_000, requests: 1_500, seconds: 8 },
  minutes: 15,
  parts: PARTS,
};

/** Under three minutes, for a look. */
export const QUICK: GrowthPlan = {
  properties: [1, 30, 1_000],
  clients: [1, 10, 100],
  sockets: [1, 30, 1_000],
  fanOut: [1, 30, 300],
  reservations: [1_000, 6_000, 40_000],
  memory: { properties: [50, 150, 300], sockets: [100, 300, 600], holds: [100, 300, 600], nights: 400 },
  nodes: [],
  among: 100,
  daily: 100,
  needsSeconds: 4,
  rounds: 1,
  seconds: 2,
  idleSeconds: 2,
  warmUp: { quotes: 1_500, requests: 300, seconds: 3 },
  minutes: 3,
  parts: PARTS,
};

/** So small that a test can run it. */
export const TINY: GrowthPlan = {
  properties: [1, 3, 9],
  clients: [1, 2, 4],
  sockets: [1, 3, 9],
  fanOut: [1, 3, 9],
  reservations: [50],
  memory: { properties: [2, 6, 12], sockets: [2, 6, 12], holds: [2, 6, 12], nights: 100 },
  nodes: [],
  among: 12,
  daily: 5,
  needsSeconds: 1,
  rounds: 1,
  seconds: 0.5,
  idleSeconds: 1,
  warmUp: { quotes: 20, requests: 10, seconds: 1 },
  minutes: 60,
  parts: PARTS,
};

/** A run whose time is limited: what does not fit any more is left out, and named. */
export class Budget {
  readonly notHad: string[] = [];
  readonly #until: number;

  constructor(minutes: number) {
    this.#until = performance.now() + minutes * 60_000;
  }

  /** Whether something of so many seconds may begin; says so in {@link notHad} where not. */
  allows(what: string, seconds: number): boolean {
    if (performance.now() + seconds * 1_000 <= this.#until) return true;
    this.notHad.push(`${what}: the time of the run did not suffice`);
    return false;
  }
}
