import type { FastifyReply } from 'fastify';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { extraForm, extraQuery, MAX_PIECES } from '../../../src/notifications/contracts/stay-forms.ts';
import {
  addExtra,
  type OfferedExtra,
  offeredExtras,
  previewExtra,
} from '../../../src/notifications/operations/extras-by-link.ts';
import { hidden, type PageContext } from '../booking/page-context.ts';
import { type Fields, fieldOf } from '../booking/search-query.ts';
import { html, type Markup } from '../html.ts';
import {
  doOnce,
  noteIn,
  type Opened,
  reason,
  sendStay,
  sentForm,
  shownOr,
  stayForm,
  stayPath,
} from './stay-frame.ts';

const STEP = '/extras';
const PIECES = Array.from({ length: MAX_PIECES }, (_, index) => index + 1);

/** Extras for a stay with their prices; one that is chosen with what it adds to the bill. */
export async function extrasPage(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const { texts, services } = page;
  const found = await shownOr(() => offeredExtras(services, opened.stay));
  const isRefused = found instanceof DomainError;
  const body = html`${noteIn(page, fields)}
  ${isRefused ? reason(page, found, 'stay.refused') : html`${await chosen(page, opened, fields)}${list(page, opened, found)}`}`;
  sendStay(page, reply, opened, {
    title: texts.text('stay.extras'),
    body,
    step: STEP,
    status: isRefused ? 409 : 200,
  });
}

/** Adds an extra to the bill at the price that the page has shown. */
export async function addStayExtra(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const wanted = { code: fieldOf(fields, 'code'), quantity: fieldOf(fields, 'quantity') };
  const { data: form } = extraForm.safeParse({
    ...wanted,
    amount: fieldOf(fields, 'amount'),
    ...sentForm(fields),
  });
  const again = Object.entries(wanted);
  if (!form) return void reply.redirect(stayPath(page, opened.link, STEP, again), 303);
  const work = (): Promise<void> => addExtra(page.services, page.caller, opened.stay, form);
  await doOnce(page, reply, opened, { step: STEP, done: 'extra', again, work });
}

/** What a chosen extra adds to the bill, and the form that adds it. */
async function chosen(page: PageContext, opened: Opened, fields: Fields): Promise<Markup | undefined> {
  const { texts, services, caller } = page;
  const wanted = { code: fieldOf(fields, 'code'), quantity: fieldOf(fields, 'quantity') };
  const { data: query } = extraQuery.safeParse(wanted);
  if (!query) return undefined;
  const found = await shownOr(() => previewExtra(services, caller, opened.stay, query));
  // Of all that the query says, only the code can be wrong: it went off sale, or never was on it.
  if (found instanceof DomainError)
    return reason(page, found, found.code === 'VALIDATION_FAILED' ? 'extras.gone' : 'stay.refused');
  const amount = texts.money(found.amount, opened.stay.reservation.currency);
  return html`<section class="summary" aria-labelledby="chosen">
    <h2 id="chosen">${query.quantity} × ${found.extra.name}</h2>
    <p>${texts.text('extras.adds', { amount })}</p>
    ${stayForm(page, opened, {
      step: STEP,
      values: [...Object.entries(wanted), ['amount', String(found.amount)]],
      button: html`<p class="go"><button>${texts.text('extras.do')}</button></p>`,
    })}
  </section>`;
}

function list(page: PageContext, opened: Opened, extras: readonly OfferedExtra[]): Markup {
  if (extras.length === 0) return html`<p class="note" role="status">${page.texts.text('extras.none')}</p>`;
  return html`<ul class="extras">
    ${extras.map((extra, index) => entry(page, opened, extra, index))}
  </ul>`;
}

function entry(page: PageContext, { link, stay }: Opened, extra: OfferedExtra, index: number): Markup {
  const { texts, carried } = page;
  const price = { price: texts.money(extra.price, stay.reservation.currency) };
  const [id, field] = [`extra-${index}`, `pieces-${index}`];
  return html`<li class="summary">
    <div id="${id}">
      <h2>${extra.name}</h2>
      ${extra.description !== undefined && html`<p>${extra.description}</p>`}
      <p>${texts.text(extra.isByNight ? 'extras.byNight' : 'extras.each', price)}</p>
    </div>
    <form class="fields" method="get" action="${stayPath({ ...page, carried: [] }, link, STEP)}">
      ${hidden([...carried, ['code', extra.code]])}
      <p class="field">
        <label for="${field}">${texts.text('extras.quantity')}</label>
        <select id="${field}" name="quantity" aria-describedby="${id}">
          ${PIECES.map((count) => html`<option value="${count}">${count}</option>`)}
        </select>
      </p>
      <p class="go"><button class="plain" aria-describedby="${id}">${texts.text('offers.select')}</button></p>
    </form>
  </li>`;
}
