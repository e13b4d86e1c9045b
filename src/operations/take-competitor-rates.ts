import type { Address } from '../domain/caller.ts';
import { type CompetitorRate, EVENT_SOURCE, type LeftOut, sift, WATCHED_NIGHTS } from '../domain/competitor-rate.ts';
import { businessDate } from '../domain/property-time.ts';
import type { Services } from './services.ts';
import { type Recalculating, recalculateSignals } from './recalculate-signals.ts';

/**
 * Takes rates that somebody sends by themselves: the topic `competitor.rates.updated` (contracts.md 8). They must fit
 * the house as those of a feed must; an older observation than the one at hand changes nothing.
 *
 * @returns what was left out, and why
 * @throws Refusal PROPERTY_NOT_FOUND
 */
export async function takeCompetitorRates(
  services: Recalculating & Pick<Services, 'clock'>,
  to: Address,
  rates: readonly CompetitorRate[],
): Promise<LeftOut> {
  const { competitors, properties, clock } = services;
  const { property, roomTypes } = (await properties.view(to)).setup;
  const { currency, timezone, policies } = property.metadata;
  const now = clock.now();
  const start = businessDate(now, { timezone, nightAuditHour: policies.nightAuditHour });
  const types = roomTypes.map(({ roomType }) => roomType);
  const end = start + WATCHED_NIGHTS - 1;
  const { kept, leftOut } = sift(rates, { currency, roomTypes: types, start, end, now });
  if (kept.length === 0) return leftOut;
  await competitors.add(to, EVENT_SOURCE, kept);
  await recalculateSignals(services, to);
  return leftOut;
}
