import { formatDay } from '../../../src/domain/dates.ts';
import { decimalText } from '../../../src/domain/money.ts';
import type { QuotedRate, StayLimits } from '../../../src/domain/queries.ts';
import type { CurrentQuery } from '../../../src/contracts/rates.ts';
import type { QuotedStay } from '../../../src/operations/quote-rates.ts';

/**
 * The body of `GET /rates/current` (specification 4.1), written as text: the nights come ready from the actor, and
 * this is the answer that is asked for most.
 */
export function quoteText(query: CurrentQuery, { quote, tokens }: QuotedStay): string {
  let rates = '';
  quote.rates.forEach((rate, index) => {
    const rateType = rate.rateCode === 'BAR' ? 'BASE' : 'DERIVED';
    if (query.rateType !== undefined && query.rateType !== rateType) return;
    if (rates !== '') rates += ',';
    rates += rateText(rate, rateType, tokens[index]);
  });
  const checkIn = formatDay(query.checkIn);
  const checkOut = formatDay(query.checkOut);
  return (
    `{"propertyId":"${query.propertyId}","checkIn":"${checkIn}","checkOut":"${checkOut}","rates":[${rates}],` +
    `"unavailable":${JSON.stringify(quote.unavailable)},"restrictions":${limitsText(quote.restrictions)}}`
  );
}

function rateText(rate: QuotedRate, rateType: string, token: string | undefined): string {
  const { policyName, deadline } = rate.cancellation;
  const until = deadline === null ? 'null' : `"${new Date(deadline).toISOString()}"`;
  return (
    `{"roomType":${JSON.stringify(rate.roomType)},"rateType":"${rateType}","rateCode":${JSON.stringify(rate.rateCode)},` +
    `"currency":"${rate.currency}","dailyRates":[${rate.steps ? explained(rate) : rate.dailyText}],` +
    `"totalRate":${decimalText(rate.total)},"averageRate":${decimalText(rate.average)},` +
    `"taxes":${decimalText(rate.taxes)},"fees":${decimalText(rate.fees)},"bookable":${rate.bookable},` +
    (token === undefined ? '' : `"quoteToken":"${token}",`) +
    `"restrictions":${limitsText(rate.restrictions)},` +
    `"cancellation":{"policyName":${JSON.stringify(policyName)},"deadlineDate":${until}}}`
  );
}

function limitsText({ minimumStay, maximumStay, advanceBooking }: StayLimits): string {
  return `{"minimumStay":${minimumStay},"maximumStay":${maximumStay},"advanceBooking":${advanceBooking}}`;
}

/** The nights with the steps of their price: rare, so it may take the long way. */
function explained(rate: QuotedRate): string {
  const nights = JSON.parse(`[${rate.dailyText}]`) as Record<string, unknown>[];
  return nights
    .map((night, index) => {
      const steps = rate.steps![index]!.map(
        ({ rule, amount }) => `{"rule":"${rule}","amount":${decimalText(amount)}}`,
      );
      const plain = `"date":"${String(night['date'])}","rate":${decimalText(rate.nightly[index]!)}`;
      return `{${plain},"availability":${String(night['availability'])},"steps":[${steps.join(',')}]}`;
    })
    .join(',');
}
