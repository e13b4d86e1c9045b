import type { Address } from '../../../src/kernel/rules/caller.ts';
import type { Cluster } from '../cluster.ts';
import type { SimulationEvent, SimulationStep, StoredStep } from './steps.ts';

/** More than any run with progress makes: a run that makes none ends here. */
const MAX_STEPS = 20_000;

/** Records what happens in a run, with the state of the cluster behind each event. It changes nothing of the run. */
export class Recorder {
  readonly steps: SimulationStep[] = [];
  #stored = new Map<string, StoredStep>();

  /** Begins to record, at the current time. */
  record(cluster: Cluster, properties: readonly Address[]): void {
    const { world } = cluster;
    const began = world.time.now;
    this.#stored = new Map(properties.map((to) => [to.propertyId, cluster.database.storedStep(to)]));
    world.watcher = (event: SimulationEvent) => {
      if (this.steps.length === MAX_STEPS) return;
      const to = properties.find(({ propertyId }) => propertyId === event.property);
      // Only commits and changes of owners move what is stored; steps share the rest.
      if (to && event.kind !== 'answer') this.#stored.set(to.propertyId, cluster.database.storedStep(to));
      const nodes = cluster.nodes.map((node) => node.step(properties));
      this.steps.push({ ...event, at: world.time.now - began, nodes, stored: [...this.#stored.values()] });
    };
    world.see({ kind: 'node', text: 'three nodes, two properties; clients begin' });
  }
}
