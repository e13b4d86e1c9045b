import type t from 'tap';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { PropertyStore } from '../../property-store/ports.ts';
import { book } from '../property-world.ts';
import type { OtherNodes } from './owning-conformance.ts';
import { opened, Stored, taken } from './store-conformance.ts';

type Test = typeof t;

/** What every `PropertyStore` promises to a host that wakes a property. */
export function activationConformance(t: Test, store: PropertyStore, nodes: OtherNodes): void {
  opens(t, store, nodes);
  readsWhatIsOlder(t, store);
}

function opens(t: Test, store: PropertyStore, { as, lives }: OtherNodes): void {
  const ownershipOf = async (to: Address) => (await store.committed(to)).ownership;

  void t.test('what is opened is taken, and read as it is then', async (t) => {
    const house = await Stored.house(store);
    const booked = [1, 3, 5].map((from) => house.scene.accept(book({ stay: house.stay(from) })).reservation);
    const [last] = house.scene.sealed.at(-1)!.entries;
    await house.write();
    const loaded = await opened(store, house.to);
    t.same(loaded.ownership, await ownershipOf(house.to));
    const { seq, head } = house.scene.state;
    t.match(loaded.ownership, { epoch: house.epoch + 1, seq, head });
    t.equal(loaded.at, last!.at, 'when its newest entry was committed');
    const pending = booked.filter(({ status }) => status === 'PENDING');
    t.equal(pending.length, 3);
    const byId = (of: Reservation[]) => JSON.parse(JSON.stringify(of.toSorted((a, b) => (a.id < b.id ? -1 : 1))));
    t.same(byId(loaded.pending), byId(pending), 'with their payments');
    house.scene.accept(book({ stay: house.stay() }));
    t.same(await house.write(), ['fenced'], 'who had it has it no more');
    t.equal((await opened(store, house.to)).ownership.epoch, house.epoch + 2);
  });

  void t.test(
    'a property of a node that lives is not opened, and one that does not exist is left as it is',
    async (t) => {
      const { to } = await Stored.house(store);
      await lives('two', true);
      const { epoch } = await taken(as('two'), to);
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
    const house = await Stored.house(store);
    house.scene.accept({ type: 'DELETE_PROPERTY' });
    t.same(await house.write(), ['committed']);
    t.equal(await store.open(house.to, true), undefined);
    t.equal((await ownershipOf(house.to)).epoch, house.epoch);
    t.match(await store.open(house.to, false), { property: undefined, removed: { propertyId: house.to.propertyId } });
  });
}

function readsWhatIsOlder(t: Test, store: PropertyStore): void {
  void t.test('entries are read up to a number, so many of them, in order', async (t) => {
    const house = await Stored.house(store);
    for (const from of [1, 3, 5]) house.scene.accept(book({ stay: house.stay(from) }));
    const written = house.scene.sealed.flatMap(({ entries }) => entries);
    await house.write();
    const { seq } = house.scene.state;
    const read = await store.recent(house.to, seq - 1, 4);
    t.same(
      read.map((entry) => entry.seq),
      [seq - 4, seq - 3, seq - 2, seq - 1],
    );
    const { guestName: _inMemoryOnly, ...entry } = written.at(-2)!;
    t.match(JSON.parse(JSON.stringify(read.at(-1))), JSON.parse(JSON.stringify(entry)));
    t.equal((await store.recent(house.to, seq, 1_000)).length, seq);
    t.same(await store.recent({ ...house.to, tenantId: 'rival' }, seq, 10), []);
  });
}
