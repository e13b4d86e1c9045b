import t from 'tap';

import { activationConformance } from './actors/activation-conformance.ts';
import { documentConformance } from './actors/document-conformance.ts';
import { type OtherNodes, owningConformance } from './actors/owning-conformance.ts';
import { paymentConformance } from './actors/payment-conformance.ts';
import { storeConformance } from './actors/store-conformance.ts';
import { rewoundConformance } from './fail-over/rewound-conformance.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeStore } from './fake-store.ts';

const store = new FakeStore(new FakeClock(Date.now()));
documentConformance(t, store);
paymentConformance(t, store);
storeConformance(t, store, async (to, roomType, day, rate) =>
  store.changeRates(to, ({ rates }) =>
    rates.set(`${roomType} ${day}`, { roomType, day, rate, multiplier: 100, amount: 0 }),
  ),
);
const nodes: OtherNodes = {
  as: (nodeId) => ({ take: (to) => store.take(to, nodeId), release: (of) => store.release(of, nodeId) }),
  lives: async (nodeId, alive) => (alive ? store.alive.add(nodeId) : store.alive.delete(nodeId)),
};
owningConformance(t, store, nodes);
activationConformance(t, store, nodes);

rewoundConformance(t, store);
