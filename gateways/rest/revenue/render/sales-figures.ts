import type * as contract from '../../../../src/revenue/contracts/sales-figures.ts';
import type {
  readBookingCurve,
  readCompetitorRates,
  readSalesMix,
} from '../../../../src/revenue/operations/read-sales-figures.ts';
import type { AnswerOf } from '../../../http/answers.ts';

type Found<Operation extends (...args: never[]) => unknown> = Omit<Awaited<ReturnType<Operation>>, 'seq'>;

export function curveAnswer(
  { propertyId, from, to }: contract.SalesQuery,
  { businessDate, dates }: Found<typeof readBookingCurve>,
): AnswerOf<typeof contract.bookingCurveAnswer> {
  return { propertyId, from, to, businessDate, dates };
}

export function mixAnswer(
  { propertyId, from, to }: contract.SalesQuery,
  { currency, total, parts }: Found<typeof readSalesMix>,
): AnswerOf<typeof contract.salesMixAnswer> {
  return {
    propertyId,
    from,
    to,
    currency,
    total,
    channels: parts.channel.map(({ name: channel, ...sold }) => ({ channel, ...sold })),
    ratePlans: parts.ratePlan.map(({ name: rateCode, ...sold }) => ({ rateCode, ...sold })),
    groups: parts.group,
    companies: parts.company,
    stayLengths: parts.stayLength,
    leadTimes: parts.leadTime,
  };
}

export function competitorRates(
  { propertyId, roomType, from, to }: contract.CompetitorRatesQuery,
  { currency, competitors }: Found<typeof readCompetitorRates>,
): AnswerOf<typeof contract.competitorRatesAnswer> {
  const named = competitors.map(({ competitorId, nights }) => ({
    competitorId,
    nights: nights.map(({ day, rate, observedAt }) => ({ date: day, rate, observedAt })),
  }));
  return { propertyId, roomType, from, to, currency, competitors: named };
}
