import type { PropertyMetadata } from '../../../src/properties/rules/property.ts';
import type { OfferTerms } from '../../../src/stay/operations/online/offer-terms.ts';
import type { Texts } from '../texts.ts';

/** Terms in plain sentences: until when cancelling is free, in the zone of the property, and when it is paid. */
export function offerTermsText(texts: Texts, terms: OfferTerms, metadata: PropertyMetadata, now: number): string {
  return `${cancellingText(texts, terms, metadata, now)} ${payingText(texts, terms)}`;
}

function cancellingText(
  texts: Texts,
  { freeUntil, isAllRetained }: OfferTerms,
  { timezone }: PropertyMetadata,
  now: number,
) {
  if (freeUntil !== null && freeUntil > now) {
    const zone = timezone.split('/').at(-1)!.replaceAll('_', ' ');
    const values = { time: texts.time(freeUntil, timezone), day: texts.dayAt(freeUntil, timezone), zone };
    return texts.text('terms.freeUntil', values);
  }
  return texts.text(isAllRetained ? 'terms.noRefund' : 'terms.notFree');
}

function payingText(texts: Texts, { guarantee, percentNow }: OfferTerms): string {
  if (guarantee === 'NONE') return texts.text('terms.payThere');
  if (guarantee === 'CARD') return texts.text('terms.cardNow');
  if (percentNow >= 100) return texts.text('terms.payNow');
  return percentNow > 0 ? texts.text('terms.partNow', { percent: percentNow }) : texts.text('terms.payLater');
}
