import type { Runtime } from '../runtimes.d.mts';

export interface Ports {
  readonly rate: number;
  readonly reservation: number;
  readonly live: number;
  readonly link: number;
  readonly registry: number;
}

export interface NodePlan {
  readonly name: string;
  readonly role: string;
  readonly ports: Ports;
  /** The first one with property actors: it starts first and alone, migrates, and seeds. */
  readonly seeds: boolean;
}

export interface Plan {
  readonly runtime: Runtime;
  readonly nodes: readonly NodePlan[];
  readonly issuerPort: number;
  readonly restart: boolean;
}

export declare function planOf(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Plan;
