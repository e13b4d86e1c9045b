import { billedCharges, folioTotals } from '../../../src/money/rules/folio.ts';
import { letterTextsIn } from '../../../src/notifications/contracts/letter-texts.ts';
import { billLineText } from '../../../src/notifications/rules/bill-lines.ts';
import type { Tax } from '../../../src/properties/rules/tax.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { priceBreakdown } from '../booking/offer-list.ts';
import type { RoomNames } from '../booking/page-context.ts';
import type { Markup } from '../html.ts';
import type { Texts } from '../texts.ts';

/** The price of a stay by its parts: nights with their taxes, and what is charged beside them, which adds up to it. */
export function stayPrice(
  texts: Texts,
  reservation: Pick<Reservation, 'nights' | 'charges' | 'cancellation' | 'retained' | 'currency'>,
  { taxes, names }: { taxes: readonly Tax[]; names: RoomNames },
): Markup {
  const beside = new Map<string, number>();
  for (const charge of billedCharges(reservation)) {
    const name = billLineText(letterTextsIn(texts.language), charge, names);
    // One line for what was taken several times, and none for what was voided.
    beside.set(name, (beside.get(name) ?? 0) + charge.amount);
  }
  const { nights, currency } = reservation;
  const { total } = folioTotals(reservation);
  return priceBreakdown(texts, { nights, currency, total, beside: [...beside] }, taxes);
}
