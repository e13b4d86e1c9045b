import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { CommandOf } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { FinalCharge } from '../contracts/payments.ts';
import { type Extra, grossPrice, typedTaxes } from '../rules/extra.ts';
import type { TaxesOnDay } from '../rules/taxes.ts';

type Charge = CommandOf<'CHECK_OUT'>['charges'][number];

/**
 * Prices charges: a code takes amount and text from the property's price list where they are left out; it has to be on
 * sale. A charge without a code gets the taxes on extras. The actor gets amounts, so a later change of the list changes no bill.
 * @throws DomainError VALIDATION_FAILED naming every code that is not on the list
 */
export async function priceCharges(
  { extras, properties }: Pick<Services, 'extras' | 'properties'>,
  to: Address,
  charges: readonly FinalCharge[],
): Promise<Charge[]> {
  if (charges.length === 0) return [];
  const isCoded = charges.some(({ code }) => code !== undefined);
  const sold = isCoded ? (await extras.list(to)).filter(({ active }) => active) : [];
  const { setup, businessDate } = await properties.view(to);
  const { currency, policies } = setup.property.metadata;
  const prices = new Map(sold.map((extra) => [extra.code, extra]));
  mustBeKnown(charges, prices);
  return charges.map(({ date: day, ...said }) => {
    const extra = said.code === undefined ? undefined : prices.get(said.code);
    const on = { taxes: policies.taxes, currency, day: day ?? businessDate };
    if (!extra)
      return { ...said, description: said.description!, amount: said.amount!, day, ...typed(said.amount!, on) };
    const { amount, lines } = grossPrice(extra, on, said.amount);
    // An empty text counts as left out.
    const charge = { description: extra.name, ...definedMembers(said), amount, day };
    return lines.length > 0 ? { ...charge, taxLines: lines } : charge;
  });
}

/** A credit without a code takes no tax back: nothing says what it is for. */
function typed(amount: Minor, on: TaxesOnDay): Pick<Charge, 'taxLines'> {
  const taxLines = amount > 0 ? typedTaxes(amount, on) : [];
  return taxLines.length > 0 ? { taxLines } : {};
}

function mustBeKnown(charges: readonly FinalCharge[], prices: ReadonlyMap<string, Extra>): void {
  const errors = charges.flatMap(({ code }, index) =>
    code === undefined || prices.has(code)
      ? []
      : {
          pointer: `/finalCharges/${index}/code`,
          code: 'UNKNOWN',
          detail: 'is not on the price list of the property',
        },
  );
  if (errors.length > 0) throw new DomainError('VALIDATION_FAILED', 'A code is not on the price list.', { errors });
}
