import type { K6Script } from '../k6/target.ts';

/** A script of k6 with its load. */
export type Scenario = {
  name: string;
  script: K6Script;
  what: string;
  /** Iterations a second, before the factor of the run. */
  perSecond: number;
  model: string;
  env?: Record<string, string>;
  /** Multiple of the run's seconds. */
  times?: number;
};

const CONSTANT = 'constant arrival rate';
/** Sockets that two cores can serve beside k6, which is a thousand with nothing else on the machine. */
const WATCHERS = 300;

/** In the order in which they run: the soak is last, so that it meets tables with rows. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'read-rates',
    script: 'read-rates',
    what: 'Guests who compare: quotes, a calendar, availability, a search over five hotels.',
    perSecond: 40,
    model: CONSTANT,
  },
  {
    name: 'book-a-stay',
    script: 'book-a-stay',
    what: 'Quote, hold, booking with a card (every fourth pays later), confirmation.',
    perSecond: 10,
    model: CONSTANT,
  },
  {
    name: 'modify-and-cancel',
    script: 'modify-and-cancel',
    what: 'A booking, one night longer, another request, cancelled with its refund.',
    perSecond: 8,
    model: CONSTANT,
  },
  {
    name: 'arrival-day',
    script: 'arrival-day',
    what: 'Check-in, bill, check-out, and the room is clean again.',
    perSecond: 4,
    model: CONSTANT,
  },
  {
    name: 'live-feed',
    script: 'live-feed',
    what: `${WATCHERS} watchers of one property over WebSocket and socket.io; every change reaches each, once, in order.`,
    perSecond: 5,
    model: CONSTANT,
    env: { WATCHERS: String(WATCHERS) },
  },
  {
    name: 'chain-search-1000',
    script: 'chain-search',
    what: 'Searches over all properties, 1,000 for each booking.',
    perSecond: 100,
    model: CONSTANT,
    env: { RATIO: '1000' },
  },
  {
    name: 'chain-search-20000',
    script: 'chain-search',
    what: 'Searches over all properties, 20,000 for each booking; a short run has a single booking.',
    perSecond: 100,
    model: CONSTANT,
    env: { RATIO: '20000' },
  },
  {
    name: 'flash-sale',
    script: 'flash-sale',
    what: 'The last rooms of a night, three buyers for each; some cancel at once. Nothing may be sold twice.',
    perSecond: 40,
    model: 'ramping arrival rate',
  },
  {
    name: 'soak',
    script: 'soak',
    what: 'A usual day, longer than the others: quotes, lists, bookings, cancellations. Memory and p99 stay flat.',
    perSecond: 20,
    model: CONSTANT,
    times: 3,
  },
];

/** `all` for `--scenario`. */
export const EVERY_SCENARIO = 'all';

/** Scenarios by name, in the order of the list. @throws Error that lists them, where one is unknown */
export function scenariosNamed(names: readonly string[]): readonly Scenario[] {
  const known = [EVERY_SCENARIO, ...SCENARIOS.map(({ name }) => name)];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`there is no scenario ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return names.includes(EVERY_SCENARIO) ? SCENARIOS : SCENARIOS.filter(({ name }) => names.includes(name));
}
