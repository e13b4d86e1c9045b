import type t from 'tap';

import type { Address } from '../../kernel/rules/caller.ts';
import type { PropertyStore } from '../../property-store/ports.ts';
import { bookCommand } from '../property-world.ts';
import { Stored, takenIn } from './store-conformance.ts';

type Test = typeof t;

/** The same properties through other nodes, and whether such a node has a lease. */
export type OtherNodes = {
  as(nodeId: string): Pick<PropertyStore, 'take' | 'release'>;
  lives(nodeId: string, alive: boolean): Promise<unknown>;
};

/** Conformance suite of `PropertyStore` for ownership. */
export function owningConformance(t: Test, store: PropertyStore, nodes: OtherNodes): void {
  belongsToOne(t, store, nodes);
  looksOnly(t, store);
}

function belongsToOne(t: Test, store: PropertyStore, { as, lives }: OtherNodes): void {
  const epochOf = async (to: Address) => (await store.committed(to)).ownership.epoch;

  void t.test("a property of a node that lives is nobody else's; that of a dead one is free", async (t) => {
    const { to } = await Stored.property(store);
    const one = as('one');
    const two = as('two');
    t.equal((await takenIn(one, to)).epoch, 2, 'who had it has no lease');
    t.equal((await takenIn(two, to)).epoch, 3);
    await lives('two', true);
    t.same(await one.take(to), { heldBy: 'two' });
    t.same(await store.take(to), { heldBy: 'two' });
    t.equal(await epochOf(to), 3, 'nothing has changed');
    t.equal((await takenIn(two, to)).epoch, 4, 'its own it may always take');
    await lives('two', false);
    t.equal((await takenIn(one, to)).epoch, 5);
  });

  void t.test('what a node releases is free at once, and only what it still owns', async (t) => {
    const mine = [(await Stored.property(store)).to, (await Stored.property(store, 'rival')).to];
    const one = as('one');
    const two = as('two');
    await lives('two', true);
    const epochs = await Promise.all(mine.map(async (to) => (await takenIn(two, to)).epoch));
    await one.release(mine.map((to, n) => ({ to, epoch: epochs[n]! })));
    await two.release(mine.map((to, n) => ({ to, epoch: epochs[n]! - 1 })));
    for (const to of mine) t.same(await one.take(to), { heldBy: 'two' });
    await two.release([]);
    await two.release(mine.map((to, n) => ({ to, epoch: epochs[n]! })).reverse());
    for (const [n, to] of mine.entries()) {
      t.equal(await epochOf(to), epochs[n]);
      t.equal((await takenIn(one, to)).epoch, epochs[n]! + 1);
    }
    await lives('two', false);
  });
}

function looksOnly(t: Test, store: PropertyStore): void {
  void t.test('whoever only looks finds what is committed, and takes nothing', async (t) => {
    const property = await Stored.property(store);
    property.scene.accept(bookCommand({ stay: property.stay() }));
    const { seq, head } = property.scene.state;
    t.equal((await store.committed(property.to)).ownership.seq, seq - 1, 'not what is only decided');
    t.same(await property.write(), ['committed']);
    const { ownership, property: found, cells } = await store.committed(property.to);
    t.match(
      { ownership, found },
      { ownership: { epoch: property.epoch, seq, head }, found: { propertyId: property.to.propertyId } },
    );
    t.ok(cells.length > 0);
    property.scene.accept(bookCommand({ stay: property.stay() }));
    t.same(await property.write(), ['committed'], 'its owner goes on');
    const nowhere = await store.committed({ tenantId: 'acme', propertyId: 'never-taken' });
    t.match(nowhere, { ownership: { epoch: 0, seq: 0 }, property: undefined, cells: [] });
  });
}
