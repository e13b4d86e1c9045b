import { type Day, formatDay, parseDay, weekdayIndex } from '../../../src/kernel/rules/dates.ts';
import { cheapestArrivals, type CheapestArrival } from '../../../src/stay/operations/online/cheapest-arrivals.ts';
import type { OnlineSearch } from '../../../src/stay/operations/online/find-offers.ts';
import { html, type Markup } from '../html.ts';
import type { Texts } from '../texts.ts';
import { link, type PageContext } from './page-context.ts';
import { type Fields, fieldOf, searchParameters } from './search-query.ts';

/** Days of the nearest alternatives, before and after the wanted arrival. */
const NEAR_DAYS = 7;
const ALTERNATIVES = 3;
/** A Monday, by which the days of the week are named: weeks begin with it. */
const MONDAY: Day = 4;

export const isCalendarAsked = (fields: Fields): boolean => fieldOf(fields, 'month') !== '';

/** The lowest price of each arrival day of a month as a table, and the nearest arrivals that are free. */
export async function cheapestDays(page: PageContext, search: OnlineSearch, fields: Fields): Promise<Markup> {
  const { texts } = page;
  const nights = search.checkOut - search.checkIn;
  const first = parseDay(`${fieldOf(fields, 'month')}-01`) ?? firstOfMonth(search.checkIn);
  const last = firstOfMonth(first + 31) - 1;
  const wanted = { nights, parties: search.parties };
  const { online, arrivals } = await cheapestArrivals(page.services, page.to, { first, last, ...wanted });
  const { currency } = online.view;
  const near = await cheapestArrivals(page.services, page.to, {
    first: search.checkIn - NEAR_DAYS,
    last: search.checkIn + NEAR_DAYS,
    ...wanted,
  });
  const nearest = near.arrivals
    .filter(({ checkIn, total }) => total !== null && checkIn !== search.checkIn)
    .toSorted((a, b) => Math.abs(a.checkIn - search.checkIn) - Math.abs(b.checkIn - search.checkIn))
    .slice(0, ALTERNATIVES);
  const arrivalLink = (checkIn: Day): string =>
    link(page, searchParameters({ ...search, checkIn, checkOut: checkIn + nights }));
  const monthLink = (day: Day): string =>
    link(page, [...searchParameters(search), ['month', formatDay(day).slice(0, 7)]]);
  const isFirst = first <= firstOfMonth(online.view.businessDate);
  const month = texts.day(first, { month: 'long', year: 'numeric' });
  return html`<section class="cheapest" aria-labelledby="cheapest">
    <h2 id="cheapest">${texts.text('calendar.title')}</h2>
    ${
      nearest.length > 0 &&
      html`<p>${texts.text('calendar.nearest')}</p>
        <ul class="nearest">
          ${nearest.map(
            ({ checkIn, total }) =>
              html`<li>
                <a href="${arrivalLink(checkIn)}"
                  >${texts.text('calendar.alternative', { from: texts.day(checkIn), to: texts.day(checkIn + nights), total: texts.money(total!, currency) })}</a
                >
              </li>`,
          )}
        </ul>`
    }
    <table>
      <caption>
        ${texts.text('calendar.month', { month, nights })}
      </caption>
      <thead>
        <tr>
          ${Array.from({ length: 7 }, (_, index) => html`<th scope="col">${texts.day(MONDAY + index, { weekday: 'short' })}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${weeksOf(arrivals).map(
          (week) =>
            html`<tr>
              ${week.map((one) => cell(texts, one, currency, arrivalLink))}
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="months">
      ${!isFirst && html`<a href="${monthLink(firstOfMonth(first - 1))}" rel="nofollow">${texts.text('calendar.before')}</a>`}
      <a href="${monthLink(last + 1)}" rel="nofollow">${texts.text('calendar.after')}</a>
    </p>
  </section>`;
}

function firstOfMonth(day: Day): Day {
  return parseDay(`${formatDay(day).slice(0, 7)}-01`)!;
}

/** Weeks from Monday to Sunday; days of other months are `undefined`. */
function weeksOf(arrivals: readonly CheapestArrival[]): (CheapestArrival | undefined)[][] {
  const before = (weekdayIndex(arrivals[0]!.checkIn) + 6) % 7;
  const days = [...Array.from({ length: before }, () => undefined), ...arrivals];
  const weeks = Math.ceil(days.length / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => days[week * 7 + index]),
  );
}

function cell(
  texts: Texts,
  arrival: CheapestArrival | undefined,
  currency: string,
  arrivalLink: (day: Day) => string,
): Markup {
  if (!arrival) return html`<td></td>`;
  const { checkIn, total } = arrival;
  const date = texts.day(checkIn, { day: 'numeric' });
  if (total === null)
    return html`<td class="none"><span>${date}</span> <small>${texts.text('calendar.none')}</small></td>`;
  const name = texts.text('calendar.arrival', { day: texts.day(checkIn), total: texts.money(total, currency) });
  return html`<td>
    <a href="${arrivalLink(checkIn)}" aria-label="${name}" rel="nofollow"
      ><span>${date}</span> <small>${texts.money(total, currency)}</small></a
    >
  </td>`;
}
