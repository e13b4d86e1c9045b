import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { isSameBid } from '../../../src/rates/rules/bid-signal.ts';
import { marketFact } from '../../../src/rates/rules/competitor-rate.ts';
import { isSameLive } from '../../../src/rates/rules/live-signal.ts';
import type { Decision } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { fewRuns, runsOf } from '../runs.ts';
import type { Slab } from '../slab.ts';
import { showRepriced } from './rate-plans.ts';

/**
 * Stores demand and market signals, bid prices and live rates of nights: DYNAMIC plans price by them from the next quote on
 * (docs/concepts/forecast.md#signals). Nights that have left the window are ignored.
 */
export function decideSetSignals(draft: Draft, command: CommandOf<'SET_SIGNALS'>): Decision<'SET_SIGNALS'> {
  const { roomType, nights } = command;
  const before = draft.slab(roomType);
  if (!before) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  const changed = nights.filter(
    ({ day, demand, market, bid, live }) =>
      before.has(day) &&
      ((demand !== undefined && demand !== before.demand(day)) ||
        (market !== undefined && (market ?? undefined) !== before.market(day)) ||
        (bid !== undefined && !isSameBid(bid ?? undefined, before.bid(day))) ||
        (live !== undefined && !isSameLive(live ?? undefined, before.live(day)))),
  );
  if (changed.length === 0) return { result: { nights: 0 }, entity: roomType, facts: {}, dryRun: true };
  for (const { day, demand, market, bid, live } of changed) {
    const rate = market === undefined ? before.market(day) : (market ?? undefined);
    const bidNow = bid === undefined ? before.bid(day) : (bid ?? undefined);
    const liveNow = live === undefined ? before.live(day) : (live ?? undefined);
    draft.setSignals(roomType, day, {
      demand: demand ?? before.demand(day),
      market: rate,
      bid: bidNow,
      live: liveNow,
    });
  }
  showRepriced(draft, roomType, before, draft.plans);
  const days = changed.map(({ day }) => day).toSorted((a, b) => a - b);
  const facts = { before: known(before, days), after: known(draft.slab(roomType)!, days) };
  return {
    result: { nights: days.length },
    entity: roomType,
    facts: { setup: [{ kind: 'signals', id: roomType, ...facts }] },
  };
}

/** Signals arrive daily for every night, so one journal row holds at most this many runs. */
const MAX_RUNS = 100;

/** Signals of nights as the journal records them. */
function known(slab: Slab, days: readonly Day[]): unknown[] {
  const runs = runsOf(days, (day) => {
    const bid = slab.bid(day);
    const live = slab.live(day);
    return { demand: slab.demand(day), market: slab.market(day) ?? null, ...(bid && { bid }), ...(live && { live }) };
  });
  return fewRuns(runs, MAX_RUNS);
}

/** Publishes the market price of nights on sale to dashboards. Unknown nights and types are ignored. */
export function decideNoteMarket(draft: Draft, { nights }: CommandOf<'NOTE_MARKET'>): Decision<'NOTE_MARKET'> {
  const market = nights.filter(({ roomType, day }) => draft.slab(roomType)?.has(day)).map(marketFact);
  const said = { result: null, entity: draft.property!.propertyId, facts: { market } };
  return market.length === 0 ? { ...said, facts: {}, dryRun: true } : said;
}
