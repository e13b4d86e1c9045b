import type { Command, CommandOf, CommandType } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { incrementOf, type Minor } from '../../../src/kernel/rules/money.ts';
import { noCents } from '../../../src/money/rules/whole-amounts.ts';
import { AMOUNT_POLICIES, type Property } from '../../../src/properties/rules/property.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import type { Draft } from '../draft.ts';

/** A field of a body and its amount. */
type Amount = readonly [pointer: string, amount: Minor | undefined];

/** Amounts that clients send with each command. Amounts derived from them are rounded where they are computed. */
const AMOUNTS: { [T in CommandType]?: (command: CommandOf<T>) => Amount[] } = {
  CREATE_PROPERTY: ({ property }) => feesOf(property),
  UPDATE_PROPERTY: ({ property }) => feesOf(property),
  SET_BASE_RATES: ({ rates, seasons }) => [
    ...rates.map(({ rate }, index) => [`/rates/${index}/rate`, rate] as const),
    ...seasons.map(({ amount }, index) => [`/seasonalAdjustments/${index}/adjustment`, amount] as const),
  ],
  SET_NIGHT_RATES: ({ nights }) => nights.map(({ to }, index) => [`/nights/${index}/rate`, to]),
  PUT_RATE_PLAN: ({ plan }) => amountsOf(plan),
  CREATE_PROMOTION: ({ promotion: { discount } }) =>
    discount.type === 'FIXED_AMOUNT' ? [['/discount/value', discount.value]] : [],
  CREATE_GROUP: ({ blocks, agreed }) => [
    ...blocks.map(({ rate }, index) => [`/blocks/${index}/rate`, rate] as const),
    ['/terms/changeFee', agreed?.terms?.changeFee],
  ],
  START_PAYMENT: ({ attempt: { amount } }) => [['/amount', amount]],
  TAKE_PAYMENT_RESULT: ({ amount }) => [['/amount', amount]],
  WAIVE_PENALTY: ({ amount }) => [['/amount', amount]],
  WALK: ({ compensation }) => [['/compensation', compensation]],
  UPGRADE: ({ amountPerNight, amount }) => [
    ['/amountPerNight', amountPerNight],
    ['/amount', amount],
  ],
  POST_CHARGE: ({ unitAmount }) => [['/unitAmount', unitAmount]],
  GIVE_REFUND: ({ amount }) => [['/amount', amount]],
  CHARGE_BACK: ({ amount, inTotal }) => [['/amount', amount ?? inTotal]],
  WIN_CHARGEBACK: ({ amount, inTotal }) => [['/amount', amount ?? inTotal]],
  CHECK_OUT: ({ charges }) => charges.map(({ amount }, index) => [`/finalCharges/${index}/amount`, amount]),
};

/**
 * Rejects cents in a currency that has none (docs/reference/api.md#money): that of the reservation, or of the property.
 * @throws DomainError VALIDATION_FAILED with every such field
 */
export function checkWhole(
  { property: known, reservations }: Pick<Draft, 'property' | 'reservations'>,
  command: Command,
): void {
  const isSetUp = command.type === 'CREATE_PROPERTY' || command.type === 'UPDATE_PROPERTY';
  const property = isSetUp ? command.property : known;
  if (!property) return;
  const reservation = 'reservationId' in command ? reservations.get(command.reservationId) : undefined;
  const { currency } = reservation ?? property.metadata;
  const increment = incrementOf(currency);
  if (increment === 1) return;
  const amounts = (AMOUNTS[command.type] as ((command: Command) => Amount[]) | undefined)?.(command) ?? [];
  const errors = amounts.flatMap(([pointer, amount = 0]) =>
    amount % increment === 0 ? [] : { pointer, ...noCents(currency) },
  );
  if (errors.length === 0) return;
  throw new DomainError('VALIDATION_FAILED', `${currency} has no cents.`, { errors });
}

function feesOf({ metadata: { policies } }: Property): Amount[] {
  const amounts = AMOUNT_POLICIES.map((name): Amount => [`/metadata/policies/${name}`, policies[name]]);
  policies.pricePoints.forEach((rate, index) => amounts.push([`/metadata/policies/pricePoints/${index}`, rate]));
  policies.taxes.forEach(({ kind, value }, index) => {
    if (kind !== 'PERCENT') amounts.push([`/metadata/policies/taxes/${index}/value`, value]);
  });
  return amounts;
}

function amountsOf({ baseRate, minRate, maxRate, adjustmentAmount, ...rules }: RatePlan): Amount[] {
  const at = (path: string, amounts: Record<string, Minor | undefined> = {}): Amount[] =>
    Object.entries(amounts).map(([name, amount]) => [`${path}/${name}`, amount]);
  return [
    ...at('', { baseRate, minRate, maxRate, adjustmentAmount }),
    ...at('/rules/occupancyRules', rules.occupancyRules),
    ...(rules.occupancyPricing ?? []).flatMap(({ extraAdult, single, bands }, index) => [
      ...at(`/occupancyPricing/${index}`, { extraAdult, single }),
      ...at(`/occupancyPricing/${index}/bands`, bands),
    ]),
    ...at('/rules/dayOfWeekRates', rules.dayOfWeekRates),
    ...(rules.dayUse ?? []).map(({ rate }, index): Amount => [`/rules/dayUse/${index}/rate`, rate]),
    ['/terms/changeFee', rules.terms?.changeFee],
  ];
}
