import { LIVENESS_FAULTS } from '../../src/testing/liveness/faults.ts';
import { simulateLiveness } from '../../src/testing/liveness/simulate-liveness.ts';
import { FAULTS } from './faults.ts';
import { LIFE_MOVES, playLives } from './lives.ts';
import type { Scenario } from './scenario/scenario.ts';
import { simulate } from './simulate.ts';

/** One seed of any simulation. */
export type Played = {
  seed: number;
  violations: string[];
  fired: Readonly<Record<string, number>>;
  trace: string[];
  fingerprint: string;
  /** Sums over all seeds, by name. */
  sums: Record<string, number>;
};

/** A simulation that the command line runs. */
export type ClientKind = {
  name: 'actors' | 'liveness' | 'lives';
  faults: readonly string[];
  play(seed: number, scenario?: Omit<Scenario, 'seed'>): Promise<Played>;
};

export const KINDS: readonly ClientKind[] = [
  {
    name: 'actors',
    faults: FAULTS,
    async play(seed, scenario) {
      const { commands, committed, oversold, ...run } = await simulate(seed, scenario);
      const sums = {
        'commands answered': commands,
        'rows committed': committed,
        'rooms sold twice': oversold.length,
      };
      return { ...run, sums };
    },
  },
  {
    name: 'liveness',
    faults: LIVENESS_FAULTS,
    async play(seed) {
      const { virtualMs, committed, ...run } = await simulateLiveness(seed);
      return { ...run, sums: { 'hours simulated': virtualMs / 3_600_000, 'commits answered': committed } };
    },
  },
  { name: 'lives', faults: LIFE_MOVES, play: async (seed) => playLives(seed) },
];
