import type { FastifyReply } from 'fastify';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { departureOf } from '../../../src/kernel/rules/stay-days.ts';
import { underWay } from '../../../src/money/rules/charges.ts';
import { payForm } from '../../../src/notifications/contracts/stay-mails.ts';
import { cancelledFor } from '../../../src/notifications/operations/change-by-link.ts';
import { payByLink } from '../../../src/notifications/operations/pay-by-link.ts';
import type { LinkedStay } from '../../../src/notifications/operations/stay-link.ts';
import { managedBy, refusalOf, type StayDeed } from '../../../src/notifications/rules/stay-by-link.ts';
import { onlineCheckInFrom } from '../../../src/stay/rules/online-check-in.ts';
import { allows } from '../../../src/stay/rules/reservation-states.ts';
import { guestsText } from '../booking/offer-list.ts';
import { hidden, type PageContext, roomNames } from '../booking/page-context.ts';
import { type Fields, fieldOf } from '../booking/search-query.ts';
import { cardFields, takesCards } from '../card-form.ts';
import { html, type Markup } from '../html.ts';
import type { TextKey } from '../texts.ts';
import { hasInvoice } from './invoice-page.ts';
import { noteIn, type Opened, sendStay, type StayStep, stayPath } from './stay-frame.ts';

/** What came of a payment, as the page says it once more after the answer. */
const OUTCOMES = { declined: 'stay.declined', unavailable: 'pay.unavailable', changed: 'stay.changed' } as const;
type Outcome = keyof typeof OUTCOMES;

/** What a form has done. */
const DONE = {
  dates: 'stay.doneDates',
  cancel: 'stay.doneCancel',
  extra: 'stay.doneExtra',
  checkin: 'stay.doneCheckIn',
} as const;

/** The steps that the page offers, in their order. */
const STEPS = [
  ['CHECK_IN', '/check-in', 'stay.checkIn'],
  ['DATES', '/dates', 'stay.dates'],
  ['EXTRAS', '/extras', 'stay.extras'],
  ['CANCEL', '/cancel', 'stay.cancel'],
] as const satisfies readonly [StayDeed, StayStep, TextKey][];

/** The page "My stay" of who has a link: what is booked and paid, what can be done, and the form that pays what is due. */
export async function stayPage(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const { texts, cards } = page;
  const { stay } = opened;
  const { reservation, due } = stay;
  const isStripe = due > 0 && cards.stripeKey !== undefined;
  const body = html`${doneIn(page, fields)}${noteIn(page, fields)} ${await summary(page, stay)}
  ${due > 0 ? paying(page, opened, fields) : nothing(page, stay)} ${stay.isManaging && steps(page, opened)}`;
  const stripe = { key: cards.stripeKey, amount: due, currency: reservation.currency, language: texts.language };
  sendStay(page, reply, opened, {
    title: texts.text('stay.title'),
    body,
    hasStripe: isStripe,
    ...(due > 0 && { forScript: isStripe ? { stripe } : {} }),
  });
}

/** Takes the card of a form, and leads back to the page: loading it again sends no form again. */
export async function payStay(
  page: PageContext,
  reply: FastifyReply,
  { link, stay }: Opened,
  fields: Fields,
): Promise<void> {
  const back = (outcome?: Outcome): void =>
    void reply.redirect(stayPath(page, link, '', outcome ? [['pay', outcome]] : []), 303);
  const { data: form } = payForm.safeParse({
    cardToken: fieldOf(fields, 'cardToken', 300),
    amount: fieldOf(fields, 'amount'),
    state: fieldOf(fields, 'state'),
  });
  if (!form) return back('declined');
  try {
    await payByLink(page.services, page.caller, stay, form);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'PAYMENT_DECLINED') return back('declined');
    if (error.isRetryable) return back('unavailable');
    if (error.kind === 'fault') throw error;
    return back('changed');
  }
  back();
}

function doneIn({ texts }: PageContext, fields: Fields): Markup | undefined {
  const done = fieldOf(fields, 'done');
  if (!Object.hasOwn(DONE, done)) return undefined;
  return html`<p class="note good" role="status">${texts.text(DONE[done as keyof typeof DONE])}</p>`;
}

async function summary(page: PageContext, stay: LinkedStay): Promise<Markup> {
  const { texts } = page;
  const { reservation, bill, page: own } = stay;
  const { stay: of, currency, confirmationNumber } = reservation;
  const names = await roomNames(page);
  const departure = departureOf(of);
  const row = (key: TextKey, value: string): Markup =>
    html`<tr>
      <th scope="row">${texts.text(key)}</th>
      <td>${value}</td>
    </tr>`;
  return html`<section class="summary" aria-labelledby="chosen">
    <h2 id="chosen">${texts.text('summary.title')}</h2>
    <p>
      ${texts.text('summary.days', {
        from: texts.day(of.checkIn),
        to: texts.day(departure),
        nights: departure - of.checkIn,
      })}
    </p>
    <div class="chosen">
      <p><b>${names.get(of.roomType) ?? of.roomType}</b> · ${guestsText(texts, of)}</p>
      <p class="terms">${texts.text('booked.number', { count: 1, numbers: confirmationNumber })}</p>
    </div>
    ${cancelled(page, stay)}
    ${
      own.checkIn &&
      stay.isManaging &&
      reservation.status === 'CONFIRMED' &&
      html`<p>${texts.text('arrive.expected', { time: own.checkIn.arrivalTime })}</p>`
    }
    <table>
      <tbody>
        ${row('stay.total', texts.money(bill.total, currency))} ${row('stay.paid', texts.money(bill.paid, currency))}
        ${row('stay.due', texts.money(bill.open, currency))}
      </tbody>
    </table>
  </section>`;
}

/** What came of a stay that was cancelled. */
function cancelled({ texts }: PageContext, { reservation }: LinkedStay): Markup | undefined {
  const { cancellation, currency } = reservation;
  if (!cancellation) return undefined;
  const { retained, charged, refund } = cancelledFor(cancellation);
  return html`<p class="held">${texts.text('cancelled.title')}</p>
    ${refund > 0 && html`<p>${texts.text('cancel.refund', { amount: texts.money(refund, currency) })}</p>`}
    ${retained > 0 && html`<p>${texts.text('cancel.kept', { amount: texts.money(retained, currency) })}</p>`}
    ${charged > 0 && html`<p>${texts.text('cancel.charged', { amount: texts.money(charged, currency) })}</p>`}`;
}

function paying(page: PageContext, { link, stay }: Opened, fields: Fields): Markup {
  const { texts, cards, carried } = page;
  const { reservation, due, state } = stay;
  // A payment link is sent to be paid; otherwise the guest may pay as agreed.
  const isOwn = stay.linkId === reservation.id;
  const outcome = fieldOf(fields, 'pay');
  const said = Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as Outcome] : undefined;
  return html`${said && html`<p class="note" role="alert">${texts.text(said)}</p>`}
    <form class="pay" method="post" action="/stay/${encodeURIComponent(link)}/pay">
      ${hidden([...carried, ['amount', String(due)], ['state', state]])}
      <p>${texts.text(isOwn ? 'stay.open' : 'pay.due', { amount: texts.money(due, reservation.currency) })}</p>
      ${cardFields(texts, cards)}
      ${takesCards(cards) && html`<p class="go"><button id="pay">${texts.text('pay.pay')}</button></p>`}
    </form>`;
}

/** What the guest can do, each as a form of its own; what cannot be done says who does it, or when. */
function steps(page: PageContext, { link, stay }: Opened): Markup | undefined {
  const { texts, carried } = page;
  const { reservation, today } = stay;
  const form = (step: StayStep, key: TextKey): Markup =>
    html`<form method="get" action="${stayPath({ ...page, carried: [] }, link, step)}">
      ${hidden(carried)}<button class="plain">${texts.text(key)}</button>
    </form>`;
  const offered = STEPS.filter(([deed]) => refusalOf(deed, stay, today) === undefined);
  const manager = managedBy(stay);
  const from = onlineCheckInFrom(reservation);
  const notes = [
    manager &&
      allows(reservation.status, 'cancel') &&
      texts.text(manager === 'CHANNEL' ? 'stay.ofChannel' : 'stay.ofHotel'),
    refusalOf('DATES', stay, today) === 'MODIFICATION_DEADLINE' && texts.text('error.MODIFICATION_DEADLINE'),
    reservation.status === 'CONFIRMED' && today < from && texts.text('arrive.early', { day: texts.day(from) }),
  ].filter((note) => typeof note === 'string');
  // A stay that is over may have nothing to do.
  if (offered.length === 0 && notes.length === 0 && !hasInvoice(stay)) return undefined;
  return html`<section aria-labelledby="steps">
    <h2 id="steps">${texts.text('stay.steps')}</h2>
    <div class="steps">
      ${offered.map(([, step, key]) => form(step, key))}${hasInvoice(stay) && form('/invoice', 'stay.invoice')}
    </div>
    ${notes.map((note) => html`<p>${note}</p>`)}
  </section>`;
}

/** Nothing is to be paid here. */
function nothing({ texts }: PageContext, stay: LinkedStay): Markup {
  const key = whyNothing(stay);
  const isGood = key === 'stay.nothingDue' || key === 'stay.askedIsPaid';
  return html`<p class="note${isGood && ' good'}" role="status">${texts.text(key)}</p>`;
}

/** Why the page has no form. */
function whyNothing({ reservation, bill }: LinkedStay): TextKey {
  if (!allows(reservation.status, 'receivePayment')) return 'stay.over';
  if (underWay(reservation.payments) > 0) return 'stay.underWay';
  return bill.open > 0 ? 'stay.askedIsPaid' : 'stay.nothingDue';
}
