import type t from 'tap';

import type { Address } from '../../kernel/rules/caller.ts';
import type { PropertyStore } from '../../property-store/ports.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { bookCommand } from '../property-world.ts';
import type { OtherNodes } from './owning-conformance.ts';
import { opened, Stored, takenIn } from './store-conformance.ts';

type Test = typeof t;

/** Conformance suite of `PropertyStore` for a host that activates a property. */
export function activationConformance(t: Test, store: PropertyStore, nodes: OtherNodes): void {
  opens(t, store, nodes);
  readsWhatIsOlder(t, store);
}

function opens(t: Test, store: PropertyStore, { as, lives }: OtherNodes): void {
  const ownershipOf = async (to: Address) => (await store.committed(to)).ownership;

  void t.test('what is opened is taken, and read as it is then', async (t) => {
    const property = await Stored.property(store);
    const booked = [1, 3, 5].map(
      (from) => property.scene.accept(bookCommand({ stay: property.stay(from) })).reservation,
    );
    const [last] = property.scene.sealed.at(-1)!.entries;
    await property.write();
    const loaded = await opened(store, property.to);
    t.same(loaded.ownership, await ownershipOf(property.to));
    const { seq, head } = property.scene.state;
    t.match(loaded.ownership, { epoch: property.epoch + 1, seq, head });
    t.equal(loaded.at, last!.at, 'when its newest entry was committed');
    const pending = booked.filter(({ status }) => status === 'PENDING');
    t.equal(pending.length, 3);
    const byId = (of: Reservation[]) => JSON.parse(JSON.stringify(of.toSorted((a, b) => (a.id < b.id ? -1 : 1))));
    t.same(byId(loaded.pending), byId(pending), 'with their payments');
    property.scene.accept(bookCommand({ stay: property.stay() }));
    t.same(await property.write(), ['fenced'], 'who had it has it no more');
    t.equal((await opened(store, property.to)).ownership.epoch, property.epoch + 2);
  });

  void t.test(
    'a property of a node that lives is not opened, and one that does not exist is left as it is',
    async (t) => {
      const { to } = await Stored.property(store);
      await lives('two', true);
      const { epoch } = await takenIn(as('two'), to);
      t.same(await store.open(to, true), { heldBy: 'two' });
      t.equal((await ownershipOf(to)).epoch, epoch);
      await lives('two', false);
      const never = { tenantId: 'acme', propertyId: `never-${epoch}-${Math.random()}` };
      t.equal(await store.open(never, true), undefined);
      t.equal((await ownershipOf(never)).epoch, 0, 'and has no owner');
      t.match(await store.open(never, false), { ownership: { epoch: 1, seq: 0 }, property: undefined, at: 0 });
    },
  );

  void t.test('a deleted property is opened only by who need not find it', async (t) => {
    const property = await Stored.property(store);
    property.scene.accept({ type: 'DELETE_PROPERTY' });
    t.same(await property.write(), ['committed']);
    t.equal(await store.open(property.to, true), undefined);
    t.equal((await ownershipOf(property.to)).epoch, property.epoch);
    t.match(await store.open(property.to, false), {
      property: undefined,
      removed: { propertyId: property.to.propertyId },
    });
  });
}

function readsWhatIsOlder(t: Test, store: PropertyStore): void {
  void t.test('entries are read up to a number, so many of them, in order', async (t) => {
    const property = await Stored.property(store);
    for (const from of [1, 3, 5]) property.scene.accept(bookCommand({ stay: property.stay(from) }));
    const written = property.scene.sealed.flatMap(({ entries }) => entries);
    await property.write();
    const { seq } = property.scene.state;
    const read = await store.recent(property.to, seq - 1, 4);
    t.same(
      read.map((entry) => entry.seq),
      [seq - 4, seq - 3, seq - 2, seq - 1],
    );
    const { guestName: _inMemoryOnly, ...entry } = written.at(-2)!;
    t.match(JSON.parse(JSON.stringify(read.at(-1))), JSON.parse(JSON.stringify(entry)));
    t.equal((await store.recent(property.to, seq, 1_000)).length, seq);
    t.same(await store.recent({ ...property.to, tenantId: 'rival' }, seq, 10), []);
  });
}
