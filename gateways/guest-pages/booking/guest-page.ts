import type { FastifyReply } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

import { email, optionalNotes, optionalText, text } from '../../../src/kernel/contracts/fields.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { businessDate } from '../../../src/kernel/rules/property-time.ts';
import { clockOf } from '../../../src/properties/rules/property.ts';
import type { OnlineSearch } from '../../../src/stay/operations/online/find-offers.ts';
import {
  bookedWith,
  bookingReference,
  bookOnline,
  type OnlineGuest,
} from '../../../src/stay/operations/online/online-booking.ts';
import { type OnlineProperty, onlineProperty } from '../../../src/stay/operations/online/online-property.ts';
import { type ChosenOffer, openChoice } from '../../../src/stay/operations/online/open-choice.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { sendPage } from '../frame.ts';
import { html, type Markup } from '../html.ts';
import { hasBooked, rememberBooked } from './booked-cookie.ts';
import { cheapestDays } from './cheapest-days.ts';
import { guestErrorText, writtenDays } from './errors.ts';
import { priceBreakdown, guestsText } from './offer-list.ts';
import { frameOf, hidden, link, type PageContext, bookingPath } from './page-context.ts';
import { field } from './search-form.ts';
import {
  type Fields,
  fieldOf,
  MAX_SEARCH_ROOMS,
  readSearch,
  type SearchFault,
  searchParameters,
} from './search-query.ts';
import { offerTermsText } from './terms-text.ts';

/** Characters of a chosen offer: a quote token has the most of them. */
const MAX_CHOICE = 9_000;

const guestFields = z.object({
  firstName: text(100),
  lastName: text(100),
  email,
  phone: optionalText(30),
  requests: optionalNotes(500),
});

/** What a guest has chosen: the search, and the offer for each of its parties. */
type Chosen = { search: OnlineSearch; choices: (ChosenOffer & { text: string })[] };

type Opened = ReturnType<typeof openChoice>;

/** The form for the guest's data, with what was chosen and its price. @param cookie of the request */
export async function guestPage(
  page: PageContext,
  reply: FastifyReply,
  fields: Fields,
  { url, cookie }: { url: string; cookie?: string | undefined },
): Promise<void> {
  // Before the request goes to the owner of the property: only the node that the browser has reached sees its cookie.
  if (await answerBooked(page, reply, fields, cookie)) return;
  const online = await onlineProperty(page.services, page.to);
  const chosen = chosenIn(page, online, fields);
  if (!chosen) return searchAgain(page, reply);
  try {
    const opened = openAll(page, online, chosen);
    return sendForm(page, reply, online, { chosen, opened, fields, faults: [], url });
  } catch (error) {
    return refused(page, reply, online, chosen, error);
  }
}

/** Books what the form says, and leads to the booking. @param cookie of the request */
export async function bookPage(
  page: PageContext,
  reply: FastifyReply,
  fields: Fields,
  cookie?: string,
): Promise<void> {
  const online = await onlineProperty(page.services, page.to);
  const chosen = chosenIn(page, online, fields);
  if (!chosen) return searchAgain(page, reply);
  const { search, choices } = chosen;
  const parsed = guestFields.safeParse(fields);
  try {
    if (!parsed.success) {
      const wrong = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
      const faults = [...wrong].map((name): SearchFault => ({ field: name, text: faultOf(name) }));
      const url = link(page, [...searchParameters(search), ...choiceParameters(chosen)], '/guest');
      const opened = openAll(page, online, chosen);
      return sendForm(page, reply, online, { chosen, opened, fields, faults, url });
    }
    const rooms = choices.map((choice, index) => ({ ...choice, party: search.parties[index]! }));
    const { checkIn, checkOut } = search;
    const guest: OnlineGuest = { ...parsed.data, language: page.texts.language };
    const request = { checkIn, checkOut, rooms, form: fieldOf(fields, 'form', 36) };
    const [first] = await bookOnline(page.services, page.caller, page.to, request, guest);
    rememberBooked(page, reply, bookingReference(page.services, page.to, first!));
    return toBooking(page, reply, first!);
  } catch (error) {
    if (error instanceof DomainError && isShown(error) && (await answerBooked(page, reply, fields, cookie))) return;
    return refused(page, reply, online, chosen, error);
  }
}

function toBooking(page: PageContext, reply: FastifyReply, booked: Parameters<typeof bookingReference>[2]): void {
  const reference = bookingReference(page.services, page.to, booked);
  void reply.redirect(link(page, [], `/booking/${reference}`), 303);
}

/**
 * Answers for an offer that was booked: who comes back in the browser that has booked it is led to the booking. Its
 * address may be with anybody, and opens nothing to them.
 * @returns whether it was
 */
async function answerBooked(
  page: PageContext,
  reply: FastifyReply,
  fields: Fields,
  cookie?: string,
): Promise<boolean> {
  const choices = Array.from({ length: MAX_SEARCH_ROOMS }, (_, index) => choiceOf(fields, index)).filter(Boolean);
  const booked = choices.length > 0 && (await bookedWith(page.services, page.to, choices as Chosen['choices']));
  if (!booked) return false;
  if (hasBooked(page, cookie, booked)) toBooking(page, reply, booked);
  else await sendBooked(page, reply, booked);
  return true;
}

/** Says that an offer was booked, and nothing of the booking. */
async function sendBooked(page: PageContext, reply: FastifyReply, { id }: Reservation): Promise<void> {
  const { services, texts, to } = page;
  const { property } = (await services.reservations.get(to.tenantId, id))!;
  const title = texts.text('taken.title');
  const body = html`<h1>${title}</h1>
    <p class="note" role="status">${texts.text('taken.text')}</p>
    <p><a class="button" href="${link(page)}">${texts.text('refused.again')}</a></p>`;
  sendPage(reply, frameOf(page, property, { title, at: link(page) }), body, 409);
}

const searchAgain = (page: PageContext, reply: FastifyReply): void => void reply.redirect(link(page), 303);

const faultOf = (name: string): SearchFault['text'] => (name === 'email' ? 'fault.email' : 'fault.needed');

function chosenIn(page: PageContext, { view }: OnlineProperty, fields: Fields): Chosen | undefined {
  const today = businessDate(page.services.clock.now(), clockOf(view.setup.property));
  const { search } = readSearch(fields, today);
  const choices = search?.parties.map((_, index) => choiceOf(fields, index));
  if (!search || !choices?.every((one) => one !== undefined)) return undefined;
  return { search, choices };
}

function choiceOf(fields: Fields, index: number): Chosen['choices'][number] | undefined {
  const given = fieldOf(fields, `choice${index + 1}`, MAX_CHOICE);
  try {
    const [roomType, rateCode, quoteToken] = given.split('|').map(decodeURIComponent);
    return roomType && rateCode && quoteToken ? { roomType, rateCode, quoteToken, text: given } : undefined;
  } catch {
    return undefined;
  }
}

const choiceParameters = ({ choices }: Chosen): [string, string][] =>
  choices.map(({ text: value }, index) => [`choice${index + 1}`, value]);

/** @throws DomainError */
function openAll({ services, to }: PageContext, online: OnlineProperty, { search, choices }: Chosen): Opened[] {
  return choices.map((choice, index) => openChoice(services, to, online, search, search.parties[index]!, choice));
}

type Form = { chosen: Chosen; opened: Opened[]; fields: Fields; faults: SearchFault[]; url: string };

function sendForm(page: PageContext, reply: FastifyReply, { view }: OnlineProperty, form: Form): void {
  const { texts } = page;
  const { chosen, opened, fields, faults, url } = form;
  const { property } = view.setup;
  const input = (
    name: keyof z.infer<typeof guestFields>,
    type: string,
    autocomplete: string,
    isRequired = true,
  ): Markup =>
    field(
      texts,
      faults,
      { name, label: texts.text(`guest.${name}`) },
      (attributes) =>
        html`<input
          type="${type}"
          name="${name}"
          autocomplete="${autocomplete}"
          value="${fieldOf(fields, name, 300)}"
          ${isRequired && html` required`}
          ${attributes}
        />`,
    );
  const body = html`<h1>${texts.text('guest.title')}</h1>
    ${faults.length > 0 && html`<p class="note" role="alert">${texts.text('guest.faults')}</p>`}
    ${summary(page, view.setup.property, chosen.search, opened)}
    <form class="guest" method="post" action="${bookingPath(page, '/book')}">
      ${hidden([...searchParameters(chosen.search), ...choiceParameters(chosen), ['form', randomUUID()], ...page.carried])}
      <div class="fields">
        ${input('firstName', 'text', 'given-name')}${input('lastName', 'text', 'family-name')}
        ${input('email', 'email', 'email')}${input('phone', 'tel', 'tel', false)}
      </div>
      ${field(texts, faults, { name: 'requests', label: texts.text('guest.requests') }, (attributes) => html`<textarea name="requests" rows="3" maxlength="500" ${attributes}>${fieldOf(fields, 'requests', 500)}</textarea>`)}
      <p class="go"><button>${texts.text('guest.book')}</button></p>
    </form>`;
  const title = texts.text('guest.title');
  sendPage(reply, frameOf(page, property, { title, at: url }), body, faults.length > 0 ? 422 : 200);
}

/** What was chosen, for how many nights and guests, and what it costs with all taxes and fees. */
function summary(
  page: PageContext,
  { metadata }: OnlineProperty['view']['setup']['property'],
  { checkIn, checkOut, parties }: OnlineSearch,
  opened: readonly Opened[],
): Markup {
  const { texts, services } = page;
  const { currency } = opened[0]!;
  const total = opened.reduce((sum, one) => sum + one.total, 0);
  return html`<section class="summary" aria-labelledby="chosen">
    <h2 id="chosen">${texts.text('summary.title')}</h2>
    <p>
      ${texts.text('summary.days', { from: texts.day(checkIn), to: texts.day(checkOut), nights: checkOut - checkIn })}
    </p>
    ${opened.map(
      (one, index) =>
        html`<div class="chosen">
          <p><b>${one.roomName}</b> · ${one.planName} · ${guestsText(texts, parties[index]!)}</p>
          <p class="terms">${offerTermsText(texts, one, metadata, services.clock.now())}</p>
          ${priceBreakdown(texts, one, metadata.policies.taxes)}
        </div>`,
    )}
    <p>${texts.text('summary.total')} <strong class="price">${texts.money(total, currency)}</strong></p>
  </section>`;
}

/** Says why it cannot be booked, and what can. */
async function refused(
  page: PageContext,
  reply: FastifyReply,
  { view }: OnlineProperty,
  { search }: Chosen,
  error: unknown,
): Promise<void> {
  if (!(error instanceof DomainError) || !isShown(error)) throw error;
  const { texts } = page;
  const { property, roomTypes } = view.setup;
  const again = link(page, searchParameters(search));
  const { alternatives = [] } = error.details;
  const others = alternatives.map(({ roomType, checkIn, checkOut }) => {
    const name = roomTypes.find((type) => type.roomType === roomType)?.name ?? roomType;
    const days = searchParameters(search).filter(([of]) => of !== 'checkin' && of !== 'checkout');
    const to = link(page, [['checkin', checkIn], ['checkout', checkOut], ...days]);
    return html`<li>
      <a href="${to}"
        >${texts.text('refused.alternative', { room: name, ...writtenDays(texts, { checkIn, checkOut }) })}</a
      >
    </li>`;
  });
  const body = html`<h1>${texts.text('refused.title')}</h1>
    <p class="note" role="alert">${guestErrorText(texts, error)}</p>
    ${
      others.length > 0 &&
      html`<h2>${texts.text('refused.alternatives')}</h2>
        <ul class="nearest">
          ${others}
        </ul>`
    }
    <p><a class="button" href="${again}">${texts.text('refused.again')}</a></p>
    ${await cheapestDays(page, search, {})}`;
  sendPage(reply, frameOf(page, property, { title: texts.text('refused.title'), at: again }), body, 409);
}

/** What a guest can do something about; faults and limits are answered as everywhere. */
const isShown = ({ kind }: DomainError): boolean => ['conflict', 'rule', 'invalid', 'missing', 'gone'].includes(kind);
