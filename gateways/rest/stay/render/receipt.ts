import { type Minor, negated } from '../../../../src/kernel/rules/money.ts';
import { departureOf } from '../../../../src/kernel/rules/stay-days.ts';
import { GUEST_NAME, invoiceOfParty, paymentsOfParty } from '../../../../src/money/rules/invoice.ts';
import type { Payment } from '../../../../src/money/rules/payment.ts';
import { shownOf } from '../../../../src/money/rules/shown-invoice.ts';
import { billRows } from '../../../../src/notifications/rules/bill-lines.ts';
import type { LetterTexts } from '../../../../src/notifications/rules/letter-texts.ts';
import type { Property } from '../../../../src/properties/rules/property.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import { pageText } from '../../page.ts';

type Receipted = {
  reservation: Reservation;
  property: Property;
  /** Names of room types by their codes. */
  rooms: ReadonlyMap<string, string>;
};

/** The receipt as a page, for everyone with its address, in the language of the texts. */
export function receipt({ reservation, property, rooms }: Receipted, texts: LetterTexts): string {
  const { paid, refunded, chargedBack, balance } = invoiceOfParty(reservation, 'REST');
  const { number, issuedAt, issuedTo: to, lines, taxes, total, creditNotes } = shownOf({ reservation }, property);
  const row = (words: string, minor: Minor): string => rowOf(words, texts.money(minor, reservation.currency));
  const charged = lines.filter(({ code }) => code !== GUEST_NAME);
  const known = property.metadata.policies.taxes;
  const rows = billRows(texts, { lines: charged, taxes }, { known, rooms });
  const { address } = property;
  const where = address ? `${address.addressLine1}, ${address.zipCode} ${address.city}, ${address.country}` : '';
  const { stay, confirmationNumber } = reservation;
  const dates = { arrival: texts.shortDay(stay.checkIn), departure: texts.shortDay(departureOf(stay)) };
  const all = [
    ...rows.lines.map(({ day, name, amount }) => row(`${texts.shortDay(day)} ${name}`, amount)),
    ...rows.taxes.map(({ name, amount }) => row(name, amount)),
    row(texts.text('total'), total),
    ...rows.within.map(({ name, amount }) => row(texts.text('taxWithin', { name }), amount)),
    ...creditNotes.map((note) => row(texts.text('creditNote', { number: note.number }), note.total)),
    row(texts.text('paid'), paid + refunded + chargedBack),
    ...paymentsOfParty(reservation, 'REST').map((payment) => tenderedRow(payment, texts)),
    ...(chargedBack > 0 ? [row(texts.text('receipt.chargedBack'), negated(chargedBack))] : []),
    ...(refunded > 0 ? [row(texts.text('receipt.refunded'), negated(refunded))] : []),
    row(texts.text('balance'), balance),
  ];
  const title = texts.text(issuedAt === undefined ? 'receipt.notFinal' : 'receipt.number', { number });
  return `<h1>${pageText(property.name)}</h1><p>${pageText(where)}</p>
<h2>${pageText(title)}</h2>
<p>${pageText(to.name)}, ${pageText(texts.text('dates', dates))},
${pageText(texts.text('receipt.confirmation', { confirmationNumber }))}</p>
<table>${all.join('')}</table>`;
}

const rowOf = (words: string, amount: string): string =>
  `<tr><td>${pageText(words)}</td><td>${pageText(amount)}</td></tr>`;

/** What came in another currency, as the guest has handed it over. */
function tenderedRow({ tendered, status }: Payment, texts: LetterTexts): string {
  if (!tendered || status !== 'COMPLETED') return '';
  const { amount, currency, rate, rateDate } = tendered;
  const day = texts.shortDay(rateDate);
  return rowOf(texts.text('receipt.tendered', { currency, rate: String(rate), day }), texts.money(amount, currency));
}
