import t from 'tap';

import type { ResidentProperty } from '../../kernel/ports.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { Scene } from '../../testing/actors/scene.ts';
import { type GridSnapshot, PastGrid } from '../rules/past-grid.ts';
import { CHECKPOINT_ROWS, CheckpointSweep } from './checkpoint-sweep.ts';

const { view } = Scene.property({ policies: { horizonNights: 5 } });

/** Properties in memory with their `seq`; checkpoints in memory too. */
class World {
  readonly seqs = new Map<string, number>();
  readonly stored: [property: string, seq: number, grid: GridSnapshot][] = [];
  asked = 0;
  readonly sweep = new CheckpointSweep({
    log: quiet,
    properties: { residents: () => [...this.seqs.keys()].map((id) => this.resident(id)) },
    checkpoints: {
      newest: async ({ propertyId }) => {
        this.asked += 1;
        return this.stored.findLast(([id]) => id === propertyId)?.[1] ?? 0;
      },
      write: async ({ propertyId }: Address, seq, grid) => {
        this.stored.push([propertyId, seq, grid]);
        return true;
      },
    },
  });

  resident(propertyId: string): ResidentProperty {
    const { setup, businessDate, books } = view;
    const grid: PropertyView['grid'] = (start, end, roomType) => view.grid(start, end, roomType);
    const seq = this.seqs.get(propertyId)!;
    return { to: { tenantId: 'acme', propertyId }, view: { seq, setup, businessDate, books, grid } as PropertyView };
  }

  get places(): string[] {
    return this.stored.map(([id, seq]) => `${id} ${seq}`);
  }
}

t.test('a property gets a checkpoint when its newest one is 4,096 rows behind', async (t) => {
  const world = new World();
  world.seqs.set('young', CHECKPOINT_ROWS - 1).set('old', CHECKPOINT_ROWS + 10);
  t.equal(await world.sweep.run(), 1);
  t.equal(await world.sweep.run(), 0);
  world.seqs.set('old', 2 * CHECKPOINT_ROWS + 9);
  t.equal(await world.sweep.run(), 0);
  world.seqs.set('old', 2 * CHECKPOINT_ROWS + 10);
  t.equal(await world.sweep.run(), 1);
  t.same(world.places, [`old ${CHECKPOINT_ROWS + 10}`, `old ${2 * CHECKPOINT_ROWS + 10}`]);
  t.equal(world.asked, 1, 'the database is asked once');
  t.same(new PastGrid(world.stored[0]![2]).cells(0, 1e9), view.grid(0, 1e9), 'what the view shows');
});

t.test('a round is bounded; the next one goes on', async (t) => {
  const world = new World();
  for (let n = 0; n < 40; n++) world.seqs.set(`p${n}`, CHECKPOINT_ROWS);
  t.same([await world.sweep.run(), await world.sweep.run(), await world.sweep.run()], [16, 16, 8]);
  t.equal(new Set(world.places).size, 40);
});

t.test('a property that falls asleep gets the one that is due, before the service ends', async (t) => {
  const world = new World();
  world.seqs.set('due', 3 * CHECKPOINT_ROWS).set('young', 10);
  for (const id of ['due', 'young']) world.sweep.passivating(world.resident(id));
  await world.sweep[Symbol.asyncDispose]();
  t.same(world.places, [`due ${3 * CHECKPOINT_ROWS}`]);
});
