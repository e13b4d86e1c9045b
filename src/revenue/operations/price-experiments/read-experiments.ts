import type { Services } from '../../../kernel/operations/services.ts';
import type { Address, Caller } from '../../../kernel/rules/caller.ts';
import { type Day, weekdayIndex } from '../../../kernel/rules/dates.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import { endOfBusinessDay, type PropertyClock } from '../../../kernel/rules/property-time.ts';
import { clockOf } from '../../../properties/rules/property.ts';
import type { BookedOfDay } from '../../ports.ts';
import { type DayOfSale, type ExperimentResult, resultOf } from '../../rules/price-experiments/experiment-result.ts';
import { blockNumberOf, isCounted, type PriceExperiment } from '../../rules/price-experiments/price-experiment.ts';

/** Days before an experiment that say what a weekday usually brings. */
const USUAL_DAYS = 56;

type Reading = Pick<Services, 'properties' | 'experiments'>;

export type ReadExperiment = { experiment: PriceExperiment; result: ExperimentResult; currency: string };

/** Experiments of a property, newest first. @throws DomainError PROPERTY_NOT_FOUND */
export async function listExperiments({ properties, experiments }: Reading, to: Address): Promise<PriceExperiment[]> {
  await properties.view(to);
  return experiments.list(to);
}

/**
 * An experiment with what its days have brought. While it runs there is no finding: who looks each day and stops at the
 * first one would find something in every second experiment without an effect.
 * @throws DomainError EXPERIMENT_NOT_FOUND
 */
export async function readExperiment(services: Reading, caller: Caller, id: string): Promise<ReadExperiment> {
  const experiment = await experimentOfTenant(services, caller, id);
  const to = { tenantId: caller.tenantId, propertyId: experiment.propertyId };
  const { setup, businessDate } = await services.properties.view(to);
  const { currency } = setup.property.metadata;
  const days = await daysOfSale(services, to, experiment, { clock: clockOf(setup.property), businessDate, currency });
  return { experiment, result: resultOf(days), currency };
}

/** @throws DomainError EXPERIMENT_NOT_FOUND */
export async function experimentOfTenant(
  { experiments }: Pick<Services, 'experiments'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  id: string,
): Promise<PriceExperiment> {
  const found = await experiments.find(tenantId, id);
  if (!found) throw new DomainError('EXPERIMENT_NOT_FOUND', 'The tenant has no such experiment.');
  return found;
}

/** The days of sale that are over, with what was booked on them. */
async function daysOfSale(
  { experiments }: Pick<Services, 'experiments'>,
  to: Address,
  experiment: PriceExperiment,
  { clock, businessDate, currency }: { clock: PropertyClock; businessDate: Day; currency: string },
): Promise<DayOfSale[]> {
  const over = experiment.days.filter(({ day }) => day < businessDate);
  if (over.length === 0) return [];
  const from = experiment.first - USUAL_DAYS;
  const last = Math.max(...over.map(({ day }) => day));
  const beginOf = (day: Day): number => endOfBusinessDay(day - 1, clock);
  const starts = Array.from({ length: last + 2 - from }, (_, n) => beginOf(from + n));
  const booked = new Map((await experiments.booked(to, starts, currency)).map((one) => [from + one.index, one]));
  const usual = usualRevenue(from, booked);
  return over.map((switched) => {
    const { day, arm } = switched;
    const { rooms = 0, revenue = 0 } = booked.get(day) ?? {};
    return {
      block: blockNumberOf(experiment, day),
      arm,
      isCounted: isCounted(experiment, switched, beginOf(day)),
      rooms,
      revenue,
      usual: usual(day),
    };
  });
}

/** Mean revenue of each weekday in the weeks before an experiment. */
function usualRevenue(from: Day, booked: ReadonlyMap<Day, BookedOfDay>): (day: Day) => Minor {
  const means = new Map<number, Minor>();
  for (let weekday = 0; weekday < 7; weekday++) {
    const days = Array.from({ length: USUAL_DAYS }, (_, n) => from + n).filter(
      (day) => weekdayIndex(day) === weekday,
    );
    means.set(weekday, mean(days.map((day) => booked.get(day)?.revenue ?? 0)));
  }
  return (day) => means.get(weekdayIndex(day)) ?? 0;
}
