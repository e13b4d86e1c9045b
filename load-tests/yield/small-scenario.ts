import { YIELD_TODAY } from '../../src/testing/yield.ts';
import type { Scenario } from './demand-scenario.ts';

/** A small property for the simulator: 10 rooms at 100.00, 120.00 at weekends, over two weeks. */
export function scenario(over: Partial<Scenario> = {}): Scenario {
  return {
    name: 'small',
    today: YIELD_TODAY,
    nights: 14,
    roomTypes: [{ roomType: 'STD', rooms: 10, weekday: 10_000, weekend: 12_000 }],
    demand: { weekday: 0.8, weekend: 1 },
    market: 1,
    surprise: 0,
    events: [],
    ...over,
  };
}
