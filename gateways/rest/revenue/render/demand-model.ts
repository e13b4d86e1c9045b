import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import type { demandModelAnswer } from '../../../../src/revenue/contracts/demand-model.ts';
import type { readDemandModel } from '../../../../src/revenue/operations/demand/read-demand-model.ts';
import type { AnswerOf } from '../../../http/answers.ts';

const hundredths = (value: number): number => Math.round(value * 100) / 100;
const shareOf = (value: number): number => Math.round(value * 10_000) / 10_000;

/** What a property has learned (docs/reference/rates.md#demand-model). */
export function renderDemandModel(
  propertyId: PropertyId,
  { model, asOf }: Pick<Awaited<ReturnType<typeof readDemandModel>>, 'model' | 'asOf'>,
): AnswerOf<typeof demandModelAnswer> {
  const { elasticities, lengths, competitors } = model;
  return {
    propertyId,
    asOf,
    elasticities: elasticities.map(
      ({ fromDays, isWeekend, elasticity, low, high, prior, from, quotes, bookings }) => ({
        fromDays,
        days: isWeekend ? ('WEEKEND' as const) : ('WEEKDAY' as const),
        elasticity: hundredths(elasticity),
        low: hundredths(low),
        high: hundredths(high),
        prior,
        from,
        quotes,
        bookings,
        conversion: quotes > 0 ? shareOf(bookings / quotes) : null,
      }),
    ),
    lengthsOfStay: lengths.map(({ shares, ...length }) => ({ ...length, shares: shares.map(shareOf) })),
    competitors: {
      effect: hundredths(competitors.effect),
      low: hundredths(competitors.low),
      high: hundredths(competitors.high),
      from: competitors.from,
    },
  };
}
