import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { marketFact } from '../../../src/rates/rules/competitor-rate.ts';
import type { Decision } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { fewRuns, runsOf } from '../runs.ts';
import type { Slab } from '../slab.ts';
import { showRepriced } from './rate-plans.ts';

/**
 * What the forecast and the competitors say of nights: plans that are DYNAMIC price by it from the next quote on
 * (docs/concepts/forecast.md#signals). Nights that have left the window meanwhile are passed over.
 */
export function setSignals(draft: Draft, command: CommandOf<'SET_SIGNALS'>): Decision<'SET_SIGNALS'> {
  const { roomType, nights } = command;
  const before = draft.slab(roomType);
  if (!before) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  const changed = nights.filter(
    ({ day, demand, market }) =>
      before.has(day) &&
      ((demand !== undefined && demand !== before.demand(day)) ||
        (market !== undefined && (market ?? undefined) !== before.market(day))),
  );
  if (changed.length === 0) return { result: { nights: 0 }, entity: roomType, facts: {}, dryRun: true };
  for (const { day, demand, market } of changed) {
    const rate = market === undefined ? before.market(day) : (market ?? undefined);
    draft.setSignals(roomType, day, demand ?? before.demand(day), rate);
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

/** Signals come every day and for every night: a row of the journal holds so many runs of them. */
const MOST_RUNS = 100;

/** What is known of nights, as the journal has it. */
function known(slab: Slab, days: readonly Day[]): unknown[] {
  const runs = runsOf(days, (day) => ({ demand: slab.demand(day), market: slab.market(day) ?? null }));
  return fewRuns(runs, MOST_RUNS);
}

/** The market of nights that are on sale, for dashboards; nights and types that are gone are passed over. */
export function decideNoteMarket(draft: Draft, { nights }: CommandOf<'NOTE_MARKET'>): Decision<'NOTE_MARKET'> {
  const market = nights.filter(({ roomType, day }) => draft.slab(roomType)?.has(day)).map(marketFact);
  const said = { result: null, entity: draft.property!.propertyId, facts: { market } };
  return market.length === 0 ? { ...said, facts: {}, dryRun: true } : said;
}
