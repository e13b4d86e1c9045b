import t from 'tap';
import { storeConformance } from '../../actors/testing/store-conformance.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeStore } from './fake-store.ts';

const store = new FakeStore(new FakeClock(Date.now()));
storeConformance(t, store, async (to, roomType, day, rate) =>
  store.changeRates(to, ({ rates }) =>
    rates.set(`${roomType} ${day}`, { roomType, day, rate, multiplier: 100, amount: 0 }),
  ),
);
