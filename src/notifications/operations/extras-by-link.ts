import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { notOnPriceList, postCharge } from '../../money/operations/post-charge.ts';
import { listExtras } from '../../money/operations/set-up-extras.ts';
import type { Extra } from '../../money/rules/extra.ts';
import { afterTwin } from '../../stay/operations/online/online-booking.ts';
import type { ExtraForm, ExtraQuery } from '../contracts/stay-forms.ts';
import { mustBeOffered } from './change-by-link.ts';
import { changed, type LinkedStay, once } from './stay-link.ts';

/** An extra that guests add by themselves, with its price today. */
export type OfferedExtra = Pick<Extra, 'code' | 'name' | 'description'> & { price: Minor; isByNight: boolean };

/** Extras that a guest can add: those on sale, and of them those that the property names for its guests. */
export async function offeredExtras(services: Services, linked: LinkedStay): Promise<OfferedExtra[]> {
  mustBeOffered('EXTRAS', linked);
  const { items, currency, gross } = await listExtras(services, linked.to);
  // A price list in another currency is not posted to this stay.
  if (currency !== linked.reservation.currency) return [];
  const named = linked.property.metadata.bookingPage?.extras;
  const offered = items.filter(({ active, code }) => active && (named === undefined || named.includes(code)));
  return offered.map((extra) => {
    const { code, name, description, stockPerNight } = extra;
    const shown = { code, name, ...(description !== undefined && { description }) };
    return { ...shown, price: gross(extra), isByNight: stockPerNight !== undefined };
  });
}

/**
 * What an extra would add to the bill; nothing is stored.
 * @throws DomainError those of `postCharge`: VALIDATION_FAILED also for an extra that is not offered to guests
 */
export async function previewExtra(
  services: Services,
  caller: Caller,
  linked: LinkedStay,
  { code, quantity }: ExtraQuery,
): Promise<{ extra: OfferedExtra; amount: Minor }> {
  const extra = (await offeredExtras(services, linked)).find((one) => one.code === code);
  if (!extra) throw notOnPriceList();
  const { result } = await post(services, caller, linked, { code, quantity }, { dryRun: true });
  return { extra, amount: result.posting.amount };
}

/**
 * Adds an extra to the bill of a stay at the price that the page has shown, as the desk posts it
 * (docs/reference/folio.md#post); the guest pays it, also where a company pays the nights.
 * @throws DomainError those of `previewExtra`; STALE_VERSION
 */
export async function addExtra(
  services: Services,
  caller: Caller,
  linked: LinkedStay,
  { state, form, amount, ...wanted }: ExtraForm,
): Promise<void> {
  const content = [wanted.code, wanted.quantity, amount];
  const { isRepeat, ...options } = await once(services, caller, linked, { what: ['extra', form], state, content });
  if (!isRepeat && (await previewExtra(services, caller, linked, wanted)).amount !== amount) throw changed();
  await afterTwin(() => post(services, caller, linked, wanted, options));
}

function post(
  services: Services,
  caller: Caller,
  { reservation }: LinkedStay,
  { code: extraCode, quantity }: ExtraQuery,
  options: Parameters<typeof postCharge>[4],
) {
  return postCharge(services, caller, reservation.id, { extraCode, quantity, window: 'GUEST' }, options);
}
