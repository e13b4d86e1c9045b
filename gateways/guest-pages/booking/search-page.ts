import type { FastifyReply } from 'fastify';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { businessDate } from '../../../src/kernel/rules/property-time.ts';
import type { Photo } from '../../../src/properties/rules/photo.ts';
import { clockOf } from '../../../src/properties/rules/property.ts';
import type { Party } from '../../../src/rates/rules/stay.ts';
import { findOffers, type FoundOffers, type OnlineSearch } from '../../../src/stay/operations/online/find-offers.ts';
import { type OnlineProperty, onlineProperty } from '../../../src/stay/operations/online/online-property.ts';
import { sendPage } from '../frame.ts';
import { html, type Markup } from '../html.ts';
import { cheapestDays, isCalendarAsked } from './cheapest-days.ts';
import { guestErrorText } from './errors.ts';
import { hotelData } from './linked-data.ts';
import { guestsText, offerList } from './offer-list.ts';
import { frameOf, hidden, link, type PageContext, bookingPath } from './page-context.ts';
import { photo } from './photos.ts';
import { searchForm } from './search-form.ts';
import { type Fields, isSearch, readSearch, searchParameters } from './search-query.ts';

/** Answers `/book/{tenant}/{property}`: the form, and what a search has found. */
export async function searchPage(page: PageContext, reply: FastifyReply, fields: Fields, url: string): Promise<void> {
  const { services, to, texts } = page;
  const online = await onlineProperty(services, to);
  const { property } = online.view.setup;
  const today = businessDate(services.clock.now(), clockOf(property));
  const { form, faults, search } = readSearch(fields, today);
  const shownFaults = isSearch(fields) ? faults : [];
  const results = search && isSearch(fields) ? await resultsOf(page, search, fields) : undefined;
  const tooLarge = results?.found && tooLargeIn(results.found);
  const calendar =
    search && !tooLarge && (results?.isEmpty || isCalendarAsked(fields))
      ? await cheapestDays(page, search, fields)
      : undefined;
  const body = html`<h1>${texts.text('search.title', { name: property.name })}</h1>
    ${isSearch(fields) ? undefined : introduction(page, online, await page.services.photos.list(page.to))}
    ${searchForm(page, form, shownFaults, today)} ${results?.markup}
    ${calendar ?? (search && !tooLarge && html`<p class="calendar-link"><a href="${calendarLink(page, search)}">${texts.text('calendar.open')}</a></p>`)}`;
  const title = texts.text(isSearch(fields) ? 'search.results' : 'search.page');
  const home = page.origin + bookingPath(page);
  sendPage(
    reply,
    {
      ...frameOf(page, property, { title, at: url }),
      canonical: home,
      ...(!isSearch(fields) && { inLanguage: (language: string) => `${home}?lang=${language}` }),
      description: online.page.description ?? texts.text('search.description', { name: property.name }),
      linkedData: hotelData(page, property, results?.found),
    },
    body,
    shownFaults.length > 0 ? 422 : 200,
  );
}

const calendarLink = (page: PageContext, search: OnlineSearch): string =>
  link(page, [...searchParameters(search), ['month', formatDay(search.checkIn).slice(0, 7)]]);

function introduction(context: PageContext, { page, view }: OnlineProperty, photos: readonly Photo[]): Markup {
  const { address } = view.setup.property;
  const own = photos.find(({ roomType }) => roomType === undefined);
  return html`${own && photo(context, own)}${page.description !== undefined && html`<p class="description">${page.description}</p>`}
  ${address && html`<address>${[address.addressLine1, address.zipCode, address.city, address.country].join(', ')}</address>`}`;
}

/** The first party that no room of the property has beds for. */
const tooLargeIn = ({ rooms }: FoundOffers): Party | undefined => rooms.find(({ isTooLarge }) => isTooLarge)?.party;

function nothingText({ texts }: PageContext, found: FoundOffers): string {
  const party = tooLargeIn(found);
  return party ? texts.text('offers.tooMany', { guests: guestsText(texts, party) }) : texts.text('offers.nothing');
}

type Results = { markup: Markup; isEmpty: boolean; found?: FoundOffers };

async function resultsOf(page: PageContext, search: OnlineSearch, fields: Fields): Promise<Results> {
  const { texts } = page;
  let found: FoundOffers;
  try {
    found = await findOffers(page.services, page.caller, page.to, search);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'PROPERTY_NOT_FOUND') throw error;
    return {
      isEmpty: true,
      markup: html`<section class="results">
        <p class="note" role="status">${guestErrorText(texts, error)}</p>
      </section>`,
    };
  }
  const photos = await page.services.photos.list(page.to);
  const isEmpty = found.rooms.some(({ types }) => types.length === 0);
  const heading = texts.text('offers.title', { from: texts.day(search.checkIn), to: texts.day(search.checkOut) });
  const guests = search.parties.map((party) => guestsText(texts, party)).join(' + ');
  const notes = [
    found.promoRefused && html`<p class="note" role="status">${texts.text('offers.promoRefused')}</p>`,
    isEmpty && html`<p class="note" role="status">${nothingText(page, found)}</p>`,
    fields['again'] === 'expired' && html`<p class="note" role="status">${texts.text('offers.expired')}</p>`,
  ];
  const markup = html`<section class="results" aria-labelledby="results">
    <h2 id="results">${heading}</h2>
    <p>${guests}</p>
    ${notes}
    ${!isEmpty && html`<form method="get" action="${bookingPath(page, '/guest')}">${hidden([...searchParameters(search), ...page.carried])}${offerList(page, found, photos)}</form>`}
  </section>`;
  return { markup, isEmpty, found };
}
