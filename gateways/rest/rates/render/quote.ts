import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import { decimalText } from '../../../../src/kernel/rules/money.ts';
import { departureOf } from '../../../../src/kernel/rules/stay-days.ts';
import { namedLines, type NamedTaxLine, plainLines } from '../../../../src/money/rules/taxes.ts';
import type { CurrentQuery } from '../../../../src/rates/contracts/rates.ts';
import type { QuotedStay } from '../../../../src/rates/operations/quote-rates.ts';
import { type Quote, type QuotedRate, rateTypeOf, type StayLimits } from '../../../../src/rates/rules/queries.ts';

/** Cached texts of repeated quotes: the parts before, between and after their tokens. */
const written = new WeakMap<Quote, string[]>();

/**
 * The body of `GET /rates/current` (docs/reference/rates.md#quote), written as text: the actor provides the nights as
 * text, and this is the most frequent answer. In a repeated quote only the tokens are new.
 */
export function quoteText(query: CurrentQuery, { quote, tokens }: QuotedStay): string {
  const around = quote.repeated ? ratePlanTexts(query, quote) : textsAround(query, quote);
  let text = around[0]!;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token !== undefined) text += `"quoteToken":"${token}",`;
    text += around[index + 1]!;
  }
  return text;
}

function ratePlanTexts(query: CurrentQuery, quote: Quote): string[] {
  let texts = written.get(quote);
  // Flattened, since they will be copied often.
  if (!texts) written.set(quote, (texts = textsAround(query, quote).map((text) => Buffer.from(text).toString())));
  return texts;
}

/** One more text than rates. */
function textsAround({ propertyId, ...days }: CurrentQuery, quote: Quote): string[] {
  const { rates, unavailable, restrictions } = quote;
  const dates = [days.checkIn, departureOf(days)].map(formatDay);
  const stay = `"propertyId":"${propertyId}","checkIn":"${dates[0]}","checkOut":"${dates[1]}"`;
  const texts = [`{${stay},"rates":[`];
  let terms = '';
  let before: QuotedRate | undefined;
  rates.forEach((rate, index) => {
    texts[index] += (index > 0 ? ',' : '') + priceText(rate);
    // Most room types have the terms of the plan.
    texts[index + 1] = before && hasTermsOf(before, rate) ? terms : (terms = termsText(rate));
    before = rate;
  });
  texts[rates.length] += `],"unavailable":${JSON.stringify(unavailable)},"restrictions":${limitsText(restrictions)}}`;
  return texts;
}

function priceText(rate: QuotedRate): string {
  const { roomType, rateCode, promoCode, currency, total, average, taxes, fees, taxLines, bookable } = rate;
  return (
    `{"roomType":${JSON.stringify(roomType)},"rateType":"${rateTypeOf(rate)}",` +
    (promoCode === undefined ? '' : `"promoCode":${JSON.stringify(promoCode)},`) +
    `"rateCode":${JSON.stringify(rateCode)},"currency":"${currency}",` +
    `"dailyRates":[${rate.steps ? explained(rate) : rate.dailyText}],` +
    `"totalRate":${decimalText(total)},"averageRate":${decimalText(average)},` +
    `"taxes":${decimalText(taxes)},"fees":${decimalText(fees)},` +
    `"taxLines":[${taxLines ? taxLinesText(taxLines) : plainText(rate)}],"bookable":${bookable},`
  );
}

/** Taxes and fees of the policies: their lines differ only in amounts. */
function plainText({ taxes, fees }: QuotedRate): string {
  const tax = taxes === 0 ? '' : TAX_LINE + decimalText(taxes) + END_OF_LINE;
  if (fees === 0) return tax;
  return (tax === '' ? '' : `${tax},`) + FEE_LINE + decimalText(fees) + END_OF_LINE;
}

const [TAX_LINE, FEE_LINE] = namedLines(plainLines(1, 1)).map(
  ({ code, name }) => `{"code":"${code}","name":"${name}","amount":`,
) as [string, string];
const END_OF_LINE = ',"included":false}';

function taxLinesText(lines: readonly NamedTaxLine[]): string {
  return lines
    .map(({ code, name, amount, included }) => {
      const named = name === undefined ? '' : `"name":${JSON.stringify(name)},`;
      return `{"code":${JSON.stringify(code)},${named}"amount":${decimalText(amount)},"included":${included}}`;
    })
    .join(',');
}

function hasTermsOf(one: QuotedRate, other: QuotedRate): boolean {
  const { restrictions, cancellation, guarantee } = other;
  return one.restrictions === restrictions && one.cancellation === cancellation && one.guarantee === guarantee;
}

function termsText({ restrictions, guarantee, cancellation: { policyName, deadline } }: QuotedRate): string {
  const until = deadline === null ? 'null' : `"${new Date(deadline).toISOString()}"`;
  return (
    `"restrictions":${limitsText(restrictions)},"guarantee":"${guarantee}",` +
    `"cancellation":{"policyName":${JSON.stringify(policyName)},"deadlineDate":${until}}}`
  );
}

function limitsText({ minimumStay, maximumStay, advanceBooking }: StayLimits): string {
  return `{"minimumStay":${minimumStay},"maximumStay":${maximumStay},"advanceBooking":${advanceBooking}}`;
}

/** Nights with price steps: rare, so rendered without a cache. */
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
