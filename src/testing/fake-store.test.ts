import t from 'tap';
import { storeConformance } from '../../actors/testing/store-conformance.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeStore } from './fake-store.ts';

storeConformance(t, new FakeStore(new FakeClock(Date.now())));
