import type { EndpointFigures } from './recorded.ts';
import type { MachineFacts } from './run-head.ts';
import type { Threshold } from './thresholds.ts';

/** CPU in cores, memory in bytes, at one moment of a scenario. */
export type Sample = {
  /** Seconds since the first request. */
  second: number;
  service: number;
  postgres: number;
  client: number;
  /** Programs that have nothing to do with the run. */
  others: number;
  rss: number;
  /** Longest stop of the service's event loop in the last ten seconds, in milliseconds. */
  loopMs: number | null;
};

/** What was measured beside a scenario. */
export type Beside = {
  /** Mean cores that each used. */
  cpu: { service: number; postgres: number; client: number; others: number; cores: number };
  memory: { serviceFrom: number; serviceTo: number; serviceMax: number; postgres: number };
  loopMaxMs: number | null;
  /** Milliseconds of garbage collection in the service; `null` where its runtime does not report it. */
  gcMs: number | null;
  /** Mean sessions of PostgreSQL by what they wait for; `CPU` are those that run. */
  waits: Record<string, number>;
  samples: Sample[];
};

/** What grows in the course of a run. */
export type Drift = {
  endpoint: string;
  /** Medians of the p99 of each second, in milliseconds. */
  p99FirstThird: number;
  p99LastThird: number;
  /** Bytes that the service's resident memory grows a minute, over all samples. */
  memoryPerMinute: number;
};

export type ScenarioFigures = {
  name: string;
  what: string;
  /** How load arrives. */
  model: string;
  seconds: number;
  outcome: 'met' | 'goals missed' | 'failed';
  /** Why k6 did not finish, failed checks, and what disturbed the run. */
  notes: string[];
  thresholds: Threshold[];
  endpoints: EndpointFigures[];
  dropped: number;
  /** Missing for a service that this command did not start. */
  beside: Beside | undefined;
  /** Missing for a run too short to say. */
  drift: Drift | undefined;
};

/** A contender of the peers: requests or commits a second at full load, and the CPU that each took. */
export type PeerFigures = {
  group: string;
  name: string;
  perSecond: number;
  p50: number;
  p99: number;
  serverMicros: number;
  postgresMicros: number | null;
  /** Of each round, interleaved with the other contenders. */
  rounds: number[];
};

/** What the JSON of every run says of it. */
export type RunFacts = {
  format: 1;
  commit: string;
  command: string;
  startedAt: string;
  endedAt: string;
  runtime: string;
  machine: MachineFacts & { load: number[] };
  data: string;
  warnings: string[];
};

export type RunFigures = RunFacts & {
  k6: string;
  scenarios: ScenarioFigures[];
  peers: PeerFigures[];
};
