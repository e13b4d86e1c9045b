import { dayOf } from '../../src/kernel/rules/dates.ts';
import type { Scenario } from './demand-scenario.ts';

/** A property of 120 rooms over 60 nights, in the demo's sizes. */
const PROPERTY_ID: Scenario = {
  name: 'usual',
  today: dayOf('2027-03-01'),
  nights: 60,
  roomTypes: [
    { roomType: 'STD', rooms: 60, weekday: 12_000, weekend: 15_000 },
    { roomType: 'DLX', rooms: 40, weekday: 18_000, weekend: 22_000 },
    { roomType: 'STE', rooms: 20, weekday: 30_000, weekend: 36_000 },
  ],
  demand: { weekday: 0.75, weekend: 0.95 },
  market: 1,
  surprise: 0.2,
  events: [{ night: 24, nights: 4, demand: 1.8, market: 1.25 }],
};

/** Situations of a property. In all of them the forecast is off by a fifth, and guests differ. */
export const SCENARIOS: readonly Scenario[] = [
  { ...PROPERTY_ID, name: 'quiet', demand: { weekday: 0.45, weekend: 0.65 }, events: [] },
  PROPERTY_ID,
  { ...PROPERTY_ID, name: 'busy', demand: { weekday: 1.05, weekend: 1.4 } },
  { ...PROPERTY_ID, name: 'usual, our rates 15 % below the market', market: 1.15 },
];
