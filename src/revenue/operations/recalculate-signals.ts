import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { CommandOf } from '../../kernel/rules/commands.ts';
import { WATCHED_NIGHTS } from '../../rates/rules/competitor-rate.ts';
import { newBids } from './bid-prices/bid-signals.ts';
import { demandPercents, type Forecasting } from './property-forecast.ts';

export type Recalculating = Forecasting & Pick<Services, 'competitors'>;

/**
 * Sends demand, market and bid prices of the coming nights to a property's actor, for the prices of DYNAMIC plans
 * (docs/concepts/forecast.md#signals). A property without such a plan is skipped.
 * @returns nights whose demand or market has changed, over all room types
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export function recalculateSignals(services: Recalculating, to: Address): Promise<{ nights: number }> {
  const property = `${to.tenantId} ${to.propertyId}`;
  const before = rounds.get(property) ?? Promise.resolve();
  const send = (): Promise<{ nights: number }> => sendSignals(services, to);
  const round = before.then(send, send).finally(() => {
    if (rounds.get(property) === round) rounds.delete(property);
  });
  rounds.set(property, round);
  return round;
}

/** One run per property at a time: a slower run would overwrite the signals of a newer one. */
const rounds = new Map<string, Promise<unknown>>();

async function sendSignals(services: Recalculating, to: Address): Promise<{ nights: number }> {
  const view = await services.properties.view(to);
  if (!view.isDynamic) return { nights: 0 };
  const start = view.businessDate;
  const end = Math.min(view.lastNight, start + WATCHED_NIGHTS - 1);
  const [market, demand, bidsOfTypes] = await Promise.all([
    services.competitors.market(to, start, end),
    demandPercents(services, to, view),
    newBids(services, to, view, { start, end }),
  ]);
  const medians = new Map(market.map(({ roomType, day, median }) => [`${roomType} ${day}`, median]));
  const by = { subject: 'system', requestId: ownRequestId() };
  let changed = 0;
  for (const { roomType } of view.setup.roomTypes) {
    const ofType = bidsOfTypes.get(roomType);
    const nights: CommandOf<'SET_SIGNALS'>['nights'] = Array.from({ length: end - start + 1 }, (_, n) => {
      const day = start + n;
      const bid = ofType && { bid: ofType.bids.get(day) ?? null };
      return { ...bid, day, demand: demand.get(day) ?? 0, market: medians.get(`${roomType} ${day}`) ?? null };
    });
    const { result } = await sendAlways(services, by, to, { type: 'SET_SIGNALS', roomType, nights });
    ofType?.stored();
    changed += result.nights;
  }
  // What the ensemble will say is another signal, and nobody else would ask for it.
  void services.forecasts
    .ensembleUnderWay(to, view)
    ?.then(() => recalculateSignals(services, to).catch(() => undefined));
  return { nights: changed };
}
