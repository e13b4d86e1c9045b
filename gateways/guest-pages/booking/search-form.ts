import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { html, type Markup } from '../html.ts';
import type { Texts } from '../texts.ts';
import { hidden, type PageContext, bookingPath } from './page-context.ts';
import { MAX_SEARCH_ROOMS, type SearchFault, type SearchForm } from './search-query.ts';

const ADULTS = [1, 2, 3, 4, 5, 6, 7, 8];

/** The form of a search: sent by GET, so that a search is an address. */
export function searchForm(page: PageContext, form: SearchForm, faults: readonly SearchFault[], today: Day): Markup {
  const { texts } = page;
  const min = formatDay(today);
  return html`<form class="search" method="get" action="${bookingPath(page)}">
${hidden(page.carried)}
<div class="fields">
${field(texts, faults, { name: 'checkin', label: texts.text('search.checkin') }, (attributes) => html`<input type="date" name="checkin" min="${min}" required value="${form.checkin}" ${attributes} />`)}
${field(texts, faults, { name: 'checkout', label: texts.text('search.checkout') }, (attributes) => html`<input type="date" name="checkout" min="${min}" required value="${form.checkout}" ${attributes} />`)}
</div>
${roomFields(texts, form, faults, 0)}
<details${form.rooms.slice(1).some(({ adults }) => adults !== '0') && html` open`}>
<summary>${texts.text('search.moreRooms')}</summary>
${Array.from({ length: MAX_SEARCH_ROOMS - 1 }, (_, index) => roomFields(texts, form, faults, index + 1))}
</details>
<div class="fields">
${field(texts, faults, { name: 'promo', label: texts.text('search.promo') }, (attributes) => html`<input type="text" name="promo" maxlength="20" autocomplete="off" autocapitalize="characters" value="${form.promo}" ${attributes} />`)}
<p class="go"><button>${texts.text('search.go')}</button></p>
</div>
</form>`;
}

function roomFields(texts: Texts, { rooms }: SearchForm, faults: readonly SearchFault[], index: number): Markup {
  const { adults, ages } = rooms[index]!;
  const number = index + 1;
  const options = index === 0 ? ADULTS : [0, ...ADULTS];
  return html`<fieldset>
    <legend>${texts.text('search.room', { number })}</legend>
    <div class="fields">
      ${field(
        texts,
        faults,
        { name: `adults${number}`, label: texts.text('search.adults') },
        (attributes) =>
          html`<select name="adults${number}" ${attributes}>
            ${options.map(
              (count) =>
                html`<option value="${count}" ${String(count) === adults && html` selected`}>
                  ${count === 0 ? texts.text('search.noRoom') : count}
                </option>`,
            )}
          </select>`,
      )}
      ${field(texts, faults, { name: `ages${number}`, label: texts.text('search.ages'), hint: texts.text('search.agesHint') }, (attributes) => html`<input type="text" name="ages${number}" inputmode="text" maxlength="40" autocomplete="off" value="${ages}" ${attributes} />`)}
    </div>
  </fieldset>`;
}

type Labelled = { name: string; label: string; hint?: string };

/** A labelled field with its hint, and what is wrong with it. */
export function field(
  texts: Texts,
  faults: readonly SearchFault[],
  { name, label, hint }: Labelled,
  input: (attributes: Markup) => Markup,
): Markup {
  const fault = faults.find((one) => one.field === name);
  const described = [fault && `${name}-fault`, hint !== undefined && `${name}-hint`].filter(Boolean).join(' ');
  const attributes = html`id="${name}"${described !== '' && html` aria-describedby="${described}"`}${fault && html` aria-invalid="true"`}`;
  return html`<p class="field">
    <label for="${name}">${label}</label>${input(attributes)}${
      hint !== undefined && html`<small id="${name}-hint">${hint}</small>`
    }${fault && html`<strong class="fault" id="${name}-fault">${texts.text(fault.text)}</strong>`}
  </p>`;
}
