import { readFileSync } from 'node:fs';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import type { Scenario, SimulatedEvent } from './demand-scenario.ts';
import type { FittedHotel } from './hotels/fitted-hotel.ts';

/** Of each hotel the first judged night, and demand against that of the file: the whole summer was nearly sold out. */
const SEASONS = [
  { name: 'resort', from: '2027-03-22', pressure: 1 },
  { name: 'winter', from: '2027-11-15', pressure: 1 },
  { name: 'summer', from: '2027-06-14', pressure: 1.15 },
  { name: 'suites', from: '2027-04-19', pressure: 1 },
  { name: 'short notice', from: '2027-03-22', pressure: 1 },
] as const;

const EVENT: SimulatedEvent = { night: 24, nights: 4, demand: 1.8, market: 1.25 };

/** What policies believe wrongly of a hotel. */
export type Misbelief = {
  name: string;
  /** True elasticities as a part of the assumed ones, within what is published. */
  sensitivity?: number;
  /** Competitors' rates as read, as a part of the true ones. */
  market?: number;
  /** An event that no forecast knows. */
  event?: SimulatedEvent;
};

/** Beside these, all hotels have forecasts that err, and an elasticity that no policy knows. */
export const MISBELIEFS: readonly Misbelief[] = [
  { name: 'guests mind prices twice as much as assumed', sensitivity: 2 },
  { name: 'guests mind prices half as much as assumed', sensitivity: 0.5 },
  { name: "competitors' rates read 20 % too low", market: 0.8 },
  { name: "competitors' rates read 20 % too high", market: 1.2 },
  { name: 'an event that the forecast does not know', event: EVENT },
];

/** Hotels with an eighth of a year each, under policies for two months before it. */
export function fittedScenarios(): Scenario[] {
  const fitted = JSON.parse(
    readFileSync(new URL('hotels/fitted.json', import.meta.url), 'utf8'),
  ) as readonly FittedHotel[];
  return SEASONS.map(({ name, from, pressure }) => ({
    name,
    today: dayOf(from),
    nights: 63,
    opens: -60,
    hotel: fitted.find((hotel) => hotel.name === name)!,
    pressure,
    market: 1,
    sensitivity: 1,
    surprise: 0.2,
    events: [],
  }));
}
