import type { PropertyMetadata } from '../../../src/properties/rules/property.ts';
import type { OfferTerms } from '../../../src/stay/operations/online/offer-terms.ts';
import type { Texts } from '../texts.ts';

/** What is offered, or was booked, with its terms. */
type Offered = { terms: OfferTerms; currency: string };

/**
 * Terms in plain sentences: until when cancelling is free, in the zone of the property, what it costs then, and when the
 * stay is paid.
 */
export function offerTermsText(texts: Texts, offered: Offered, metadata: PropertyMetadata, now: number): string {
  return `${cancellingText(texts, offered, metadata, now)} ${payingText(texts, offered.terms)}`;
}

function cancellingText(
  texts: Texts,
  { terms: { freeUntil, isAllRetained, lateCost, isLateCostCertain }, currency }: Offered,
  { timezone }: PropertyMetadata,
  now: number,
): string {
  const cost = { amount: texts.money(lateCost, currency), certain: isLateCostCertain ? 'yes' : 'no' };
  if (lateCost === 0) return texts.text('cancel.free');
  if (freeUntil !== null && freeUntil > now) {
    const zone = timezone.split('/').at(-1)!.replaceAll('_', ' ');
    const values = { time: texts.time(freeUntil, timezone), day: texts.dayAt(freeUntil, timezone), zone };
    return `${texts.text('terms.freeUntil', values)} ${texts.text('terms.thenCosts', cost)}`;
  }
  return isAllRetained ? texts.text('terms.noRefund') : texts.text('terms.costs', cost);
}

function payingText(texts: Texts, { guarantee, percentNow }: OfferTerms): string {
  if (guarantee === 'NONE') return texts.text('terms.payThere');
  if (guarantee === 'CARD') return texts.text('terms.cardNow');
  if (percentNow >= 100) return texts.text('terms.payNow');
  return percentNow > 0 ? texts.text('terms.partNow', { percent: percentNow }) : texts.text('terms.payLater');
}
