import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { CommandOf } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { WATCHED_NIGHTS } from '../../rates/rules/competitor-rate.ts';
import { forecastNights, newBids, pricesBy } from './bid-prices/bid-signals.ts';
import type { Learning } from './demand/demand-models.ts';
import { demandForLive, newLives, withoutLives } from './live-rates/live-signals.ts';
import { demandPercents, type Forecasting } from './property-forecast.ts';

export type Recalculating = Forecasting & Learning & Pick<Services, 'competitors'>;

/**
 * Sends demand, market, bid prices and live rates of the coming nights to a property's actor, for the prices of DYNAMIC plans
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
  const [market, demand, { bids, lives }] = await Promise.all([
    services.competitors.market(to, start, end),
    demandPercents(services, to, view),
    computedRates(services, to, view, { start, end }),
  ]);
  const medians = new Map(market.map(({ roomType, day, median }) => [`${roomType} ${day}`, median]));
  const by = { subject: 'system', requestId: ownRequestId() };
  let changed = 0;
  // One room type after the other, and sent when it is computed: the most changed one waits for no other.
  for (const roomType of new Set([...lives.keys(), ...bids.keys(), ...typesOf(view)])) {
    const live = await lives.get(roomType)?.();
    const bid = await bids.get(roomType)?.();
    const nights: CommandOf<'SET_SIGNALS'>['nights'] = Array.from({ length: end - start + 1 }, (_, n) => {
      const day = start + n;
      const market = medians.get(`${roomType} ${day}`) ?? null;
      const computed = { ...signalOf('live', live, day), ...signalOf('bid', bid, day) };
      return { ...computed, day, demand: demand.get(day) ?? 0, market };
    });
    const { result } = await sendAlways(services, by, to, { type: 'SET_SIGNALS', roomType, nights });
    bid?.stored();
    live?.stored();
    changed += result.nights;
  }
  // What the ensemble will say is another signal, and nobody else would ask for it.
  void services.forecasts
    .ensembleUnderWay(to, view)
    ?.then(() => recalculateSignals(services, to).catch(() => undefined));
  return { nights: changed };
}

const typesOf = ({ setup }: PropertyView): string[] => setup.roomTypes.map(({ roomType }) => roomType);

/** A computed signal of a day: absent where it stays as it is, null where there is none. */
function signalOf<N extends string, S>(
  name: N,
  computed: { signals: ReadonlyMap<Day, S>; isPart: boolean } | undefined,
  day: Day,
): Partial<Record<N, S | null>> {
  const signal = computed?.signals.get(day);
  if (!computed || (signal === undefined && computed.isPart)) return {};
  return { [name]: signal ?? null } as Record<N, S | null>;
}

type ComputedRates = { bids: ReturnType<typeof newBids>; lives: ReturnType<typeof newLives> };

/**
 * Bid prices and live rates of room types for which they are due, as far as plans on sale price by them. Plans that
 * price by live rates follow the program where these cannot be computed.
 */
async function computedRates(
  services: Recalculating,
  to: Address,
  view: PropertyView,
  period: { start: Day; end: Day },
): Promise<ComputedRates> {
  const isLive = pricesBy(view, 'LIVE');
  const isProgram = pricesBy(view, 'PROGRAM');
  if (!isLive && !isProgram) return { bids: new Map(), lives: new Map() };
  const [nights, demand] = await Promise.all([
    forecastNights(services, to, view, period),
    demandForLive(services, to, view),
  ]);
  const lives = demand
    ? newLives(services, to, view, { nights, demand })
    : isLive
      ? withoutLives(services, to, view)
      : new Map();
  return { lives, bids: isProgram || (isLive && !demand) ? newBids(services, to, view, nights) : new Map() };
}
