import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { PostingBody } from '../contracts/folio.ts';
import { grossPrice, typedTaxes } from '../rules/extra.ts';
import type { TaxesOnDay, TaxLine } from '../rules/taxes.ts';

type Priced = Pick<CommandOf<'POST_CHARGE'>, 'description' | 'code' | 'unitAmount' | 'taxLines' | 'stock'>;

/**
 * Posts a charge to the folio of a stay (`POST /reservations/{id}/folio/postings`). An extra gets the current text,
 * price and tax; later changes of the price list change no folio. A charge without a code gets the taxes on extras.
 * @throws DomainError RESERVATION_NOT_FOUND, INVALID_STATE, FOLIO_FULL, VALIDATION_FAILED for an unknown extra
 */
export async function postCharge(
  services: Services,
  caller: Caller,
  id: ReservationId,
  { extraCode, description, unitAmount, quantity, window }: PostingBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['POST_CHARGE']>> {
  const { key, ifVersion, dryRun } = options;
  const to = await addressOf(services, caller, id);
  const priced =
    extraCode === undefined
      ? await pricedByHand(services, to, description!, unitAmount!)
      : await pricedExtra(services, to, extraCode);
  const command = {
    type: 'POST_CHARGE' as const,
    reservationId: id,
    postingId: uuidv7(),
    ...priced,
    quantity,
    window,
    by: caller.subject,
    ifVersion,
    dryRun,
  };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}

async function pricedByHand(
  { properties }: Pick<Services, 'properties'>,
  to: Address,
  description: string,
  unitAmount: Minor,
): Promise<Priced> {
  return { description, unitAmount, ...linesOf(typedTaxes(unitAmount, await taxesToday(properties, to))) };
}

async function pricedExtra(
  { extras, properties }: Pick<Services, 'extras' | 'properties'>,
  to: Address,
  code: string,
): Promise<Priced> {
  const extra = (await extras.list(to)).find((one) => one.active && one.code === code);
  if (!extra) throw notOnPriceList();
  const { amount, lines } = grossPrice(extra, await taxesToday(properties, to));
  const { name: description, stockPerNight: stock } = extra;
  return { description, code, unitAmount: amount, ...linesOf(lines), ...(stock !== undefined && { stock }) };
}

/** How an extra is refused that nobody, or not this caller, can post. */
export const notOnPriceList = (): DomainError =>
  new DomainError('VALIDATION_FAILED', 'A code is not on the price list.', {
    errors: [{ pointer: '/extraCode', code: 'UNKNOWN', detail: 'is not on the price list of the property' }],
  });

async function taxesToday(properties: Services['properties'], to: Address): Promise<TaxesOnDay> {
  const { setup, businessDate } = await properties.view(to);
  const { currency, policies } = setup.property.metadata;
  return { taxes: policies.taxes, day: businessDate, currency };
}

const linesOf = (taxLines: TaxLine[]): { taxLines?: TaxLine[] } => (taxLines.length > 0 ? { taxLines } : {});
