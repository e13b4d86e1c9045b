import type t from 'tap';

import type { PropertyStore } from '../../property-store/ports.ts';
import { Stored, takenIn } from '../actors/store-conformance.ts';

type Test = typeof t;

/** Conformance of `PropertyStore.rewound`. The last of all suites of a store: properties that are created afterwards begin in a later generation. */
export function rewoundConformance(t: Test, store: PropertyStore): void {
  void t.test('a property that lacks what was seen of it goes on in a new generation, and no other', async (t) => {
    const stored = await Stored.property(store);
    const { to } = stored;
    const { epoch: _, ...position } = await takenIn(store, to);
    t.same(await store.rewound([{ to, ...position }]), [], 'the newest command is there');
    const lost = { to, ...position, seq: position.seq + 5, head: 'of a server that is no more' };
    const earlier = { ...lost, generation: position.generation - 1 };
    t.same(await store.rewound([earlier]), [], 'a position of an earlier generation says nothing');
    const before = await takenIn(store, to);
    const [rewound, ...more] = await store.rewound([lost]);
    t.same(more, []);
    t.match(rewound, { to, seq: position.seq });
    t.ok(rewound!.generation > position.generation);
    const after = await takenIn(store, to);
    t.same(after, { ...before, generation: rewound!.generation, epoch: before.epoch + 2 });
    t.same(await store.rewound([lost]), [], 'once is enough');
    const otherCommand = { ...lost, generation: after.generation, seq: position.seq };
    t.match(await store.rewound([otherCommand]), [{ to }], 'and so does one with another command under that number');
  });

  void t.test(
    'a property whose rewind was itself lost goes on in a generation above the one that was seen',
    async (t) => {
      const { to } = await Stored.property(store);
      const { epoch: _, ...position } = await takenIn(store, to);
      const seen = { to, ...position, generation: position.generation + 7 };
      const [rewound] = await store.rewound([seen]);
      t.match(rewound, { to, seq: position.seq });
      t.ok(rewound!.generation > seen.generation);
      t.equal((await takenIn(store, to)).generation, rewound!.generation);
      t.same(await store.rewound([seen]), [], 'once is enough');
    },
  );
}
