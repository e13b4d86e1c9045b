import type { FastifyReply } from 'fastify';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { cardToken as cardTokenField } from '../../../src/money/contracts/payments.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { signedOwnStay } from '../../../src/notifications/operations/stay-link.ts';
import type { Property } from '../../../src/properties/rules/property.ts';
import { termsFor } from '../../../src/stay/operations/online/offer-terms.ts';
import { type OnlineBooking, openBooking } from '../../../src/stay/operations/online/online-booking.ts';
import { amountDueNow, isWaiting, payOnline, bookingState } from '../../../src/stay/operations/online/pay-online.ts';
import { bookingTermsOf } from '../../../src/stay/rules/booking-terms.ts';
import { guaranteeOf } from '../../../src/stay/rules/guarantee.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { cardFields, takesCards } from '../card-form.ts';
import { sendPage } from '../frame.ts';
import { html, type Markup } from '../html.ts';
import { calendarFile } from './calendar-file.ts';
import { reservationData } from './linked-data.ts';
import { priceBreakdown, guestsText } from './offer-list.ts';
import { frameOf, hidden, link, type PageContext, bookingPath, type RoomNames, roomNames } from './page-context.ts';
import { type Fields, fieldOf, searchParameters } from './search-query.ts';
import { offerTermsText } from './terms-text.ts';

/** What came of an attempt to pay, as the page says it once more after the answer. */
const OUTCOMES = ['declined', 'unavailable'] as const;

/** The page of a booking: it takes the payment, or confirms, or says that the time is over. */
export async function bookingPage(
  page: PageContext,
  reply: FastifyReply,
  reference: string,
  fields: Fields,
): Promise<void> {
  const booking = await openBooking(page.services, page.to, reference);
  const names = await roomNames(page);
  const now = page.services.clock.now();
  const state = bookingState(booking, now);
  const { texts } = page;
  const below = `/booking/${reference}`;
  const titles = {
    WAITING: texts.text('pay.title'),
    BOOKED: texts.text('booked.title'),
    EXPIRED: texts.text('expired.title'),
    CANCELLED: texts.text('cancelled.title'),
  };
  const body = html`<h1>${titles[state]}</h1>
    ${{
      WAITING: () => paying(page, booking, names, below, outcomeIn(fields)),
      BOOKED: () => confirmed(page, booking, names, below),
      EXPIRED: () => expired(page, booking),
      CANCELLED: () => searchLink(page, booking),
    }[state]()}`;
  const isStripe = page.cards.stripeKey !== undefined && state === 'WAITING';
  sendPage(
    reply,
    {
      ...frameOf(page, booking.property, { title: titles[state], at: link(page, [], below) }),
      ...(state === 'BOOKED' && {
        linkedData: booking.reservations.map((one) => reservationData(one, booking.property)),
      }),
      hasStripe: isStripe,
      ...(state === 'WAITING' && { forScript: forScript(page, booking, now) }),
    },
    body,
  );
}

/** Takes the card of a form, and leads back to the page of the booking. */
export async function payPage(
  page: PageContext,
  reply: FastifyReply,
  reference: string,
  fields: Fields,
): Promise<void> {
  const booking = await openBooking(page.services, page.to, reference);
  const card = cardTokenField.safeParse(fieldOf(fields, 'cardToken', 300));
  const back = (outcome: [string, string][] = []): void =>
    void reply.redirect(link(page, outcome, `/booking/${reference}`), 303);
  if (!card.success) return back([['pay', 'declined']]);
  try {
    await payOnline(page.services, page.caller, booking, card.data);
  } catch (error) {
    // A key of another attempt, a hold that is over: the page says what is now.
    if (!(error instanceof DomainError) || error.kind === 'fault') throw error;
    if (error.code === 'PAYMENT_DECLINED') return back([['pay', 'declined']]);
    if (error.code === 'PARTNER_UNAVAILABLE') return back([['pay', 'unavailable']]);
  }
  back();
}

/** Answers the booking as a file for calendars. */
export async function calendarPage(page: PageContext, reply: FastifyReply, reference: string): Promise<void> {
  const booking = await openBooking(page.services, page.to, reference);
  if (bookingState(booking, page.services.clock.now()) !== 'BOOKED')
    throw new DomainError('RESERVATION_NOT_FOUND', 'There is no confirmed booking under this link.');
  void reply
    .headers({ 'content-disposition': 'attachment; filename="stay.ics"', 'cache-control': 'private, no-store' })
    .type('text/calendar; charset=utf-8')
    .send(calendarFile(booking, page.texts, page.services.clock.now()));
}

const outcomeIn = (fields: Fields): (typeof OUTCOMES)[number] | undefined =>
  OUTCOMES.find((one) => one === fieldOf(fields, 'pay'));

function paying(
  page: PageContext,
  booking: OnlineBooking,
  names: RoomNames,
  below: string,
  outcome: (typeof OUTCOMES)[number] | undefined,
): Markup {
  const { texts, cards, services } = page;
  const now = services.clock.now();
  const { reservations, property } = booking;
  const until = heldUntil(booking, now);
  const { timezone } = property.metadata;
  const due = reservations.reduce(
    (sum, one) => sum + (isWaiting(one, now) ? amountDueNow(one, property, now) : 0),
    0,
  );
  const { currency } = reservations[0]!;
  const sentence =
    due > 0 ? texts.text('pay.due', { amount: texts.money(due, currency) }) : texts.text('pay.cardOnly');
  return html`<p class="held" id="held">
      ${texts.text('pay.held', { time: texts.time(until, timezone) })} <span id="left" role="timer"></span>
    </p>
    ${outcome && html`<p class="note" role="alert">${texts.text(outcome === 'declined' ? 'pay.declined' : 'pay.unavailable')}</p>`}
    ${rooms(page, booking, names)}
    <form class="pay" method="post" action="${bookingPath(page, `${below}/pay`)}">
      ${hidden(page.carried)}
      <p>${sentence}</p>
      ${cardFields(texts, cards)}
      ${takesCards(cards) && html`<p class="go"><button id="pay">${texts.text(due > 0 ? 'pay.pay' : 'pay.guarantee')}</button></p>`}
    </form>`;
}

/** The earliest end of a hold of the booking. */
function heldUntil({ reservations }: OnlineBooking, now: number): number {
  return Math.min(...reservations.filter((one) => isWaiting(one, now)).map(({ holdExpiresAt = 0 }) => holdExpiresAt));
}

/** What the script needs: the time that is left, and the few texts that it shows. */
function forScript({ services, texts, cards }: PageContext, booking: OnlineBooking, now: number): object {
  const { reservations, property } = booking;
  const due = reservations.reduce(
    (sum, one) => sum + (isWaiting(one, now) ? amountDueNow(one, property, now) : 0),
    0,
  );
  return {
    leftMs: heldUntil(booking, services.clock.now()) - services.clock.now(),
    texts: { minutes: texts.text('pay.minutes', { count: '{count}' }), over: texts.text('pay.over') },
    ...(cards.stripeKey !== undefined && {
      stripe: { key: cards.stripeKey, amount: due, currency: reservations[0]!.currency, language: texts.language },
    }),
  };
}

function confirmed(page: PageContext, booking: OnlineBooking, names: RoomNames, below: string): Markup {
  const { texts } = page;
  const { reservations, property } = booking;
  const { currency, guest } = reservations[0]!;
  const paid = reservations.reduce((sum, one) => sum + one.paid, 0);
  const total = reservations.reduce((sum, one) => sum + totals(one.nights).total, 0);
  const numbers = reservations.filter(({ status }) => status !== 'CANCELLED').map((one) => one.confirmationNumber);
  return html`<p class="note good" role="status">
      ${texts.text('booked.number', { count: numbers.length, numbers: numbers.join(', ') })}
    </p>
    <p>${texts.text('booked.mail', { email: guest.email })}</p>
    ${rooms(page, booking, names)}
    <p>
      ${paid > 0 ? texts.text('booked.paid', { amount: texts.money(paid, currency) }) : texts.text('booked.nothingPaid')}
      ${total > paid && texts.text('booked.open', { amount: texts.money(total - paid, currency) })}
    </p>
    <p><a class="button" href="${link(page, [], `${below}/stay.ics`)}">${texts.text('booked.calendar')}</a></p>
    ${stayLinks(page, booking)} ${contact(texts.text('booked.contact'), property)}`;
}

/** The page of each stay, on which its guest goes on; the link ends when the desk revokes those of the stay. */
function stayLinks({ texts, services, to, carried }: PageContext, { reservations }: OnlineBooking): Markup {
  const query = new URLSearchParams(carried.filter(([name]) => name === 'lang')).toString();
  return html`<ul>
    ${reservations.map(({ id, createdAt, confirmationNumber: number }) => {
      const address = `/stay/${signedOwnStay(services, to.tenantId, id, createdAt)}${query === '' ? '' : `?${query}`}`;
      const text = texts.text('booked.manage', { count: reservations.length, number });
      return html`<li><a href="${address}" target="_top">${text}</a></li>`;
    })}
  </ul>`;
}

function contact(title: string, { contact: of, address }: Property): Markup {
  const lines = [
    address?.addressLine1,
    [address?.zipCode, address?.city].filter(Boolean).join(' '),
    of?.phone,
    of?.email,
  ];
  return html`<section aria-label="${title}">
    <h2>${title}</h2>
    <address>${lines.filter(Boolean).join(', ')}</address>
  </section>`;
}

function expired(page: PageContext, booking: OnlineBooking): Markup {
  return html`<p class="note" role="alert">${page.texts.text('expired.text')}</p>
    ${searchLink(page, booking)}`;
}

function searchLink(page: PageContext, { reservations }: OnlineBooking): Markup {
  const { checkIn, checkOut } = reservations[0]!.stay;
  const search = { checkIn, checkOut, parties: reservations.map(({ stay }) => stay) };
  return html`<p>
    <a class="button" href="${link(page, searchParameters(search))}">${page.texts.text('expired.again')}</a>
  </p>`;
}

/** The rooms of a booking with their prices and terms. */
function rooms(page: PageContext, { reservations, property }: OnlineBooking, names: RoomNames): Markup {
  const { texts } = page;
  const { checkIn, checkOut } = reservations[0]!.stay;
  const total = reservations.reduce((sum, one) => sum + totals(one.nights).total, 0);
  return html`<section class="summary" aria-labelledby="chosen">
    <h2 id="chosen">${texts.text('summary.title')}</h2>
    <p>
      ${texts.text('summary.days', { from: texts.day(checkIn), to: texts.day(checkOut), nights: checkOut - checkIn })}
    </p>
    ${reservations.map((one) => room(page, one, property, names))}
    <p>
      ${texts.text('summary.total')} <strong class="price">${texts.money(total, reservations[0]!.currency)}</strong>
    </p>
  </section>`;
}

function room(
  { texts, services }: PageContext,
  reservation: Reservation,
  { metadata }: Property,
  names: RoomNames,
): Markup {
  const { stay, nights, currency } = reservation;
  const { policies } = metadata;
  const priced = { ...stay, nights, currency };
  const terms = termsFor(bookingTermsOf(reservation, policies), guaranteeOf(reservation, policies), priced, metadata);
  const { total } = totals(nights);
  return html`<div class="chosen">
    <p><b>${names.get(stay.roomType) ?? stay.roomType}</b> · ${guestsText(texts, stay)}</p>
    <p class="terms">${offerTermsText(texts, { terms, currency }, metadata, services.clock.now())}</p>
    ${priceBreakdown(texts, { nights, currency, total }, policies.taxes)}
  </div>`;
}
