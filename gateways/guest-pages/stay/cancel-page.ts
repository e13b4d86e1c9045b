import type { FastifyReply } from 'fastify';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { underWay } from '../../../src/money/rules/charges.ts';
import { cancelForm } from '../../../src/notifications/contracts/stay-forms.ts';
import {
  cancelByLink,
  type CancelPreview,
  previewCancel,
} from '../../../src/notifications/operations/change-by-link.ts';
import type { PageContext } from '../booking/page-context.ts';
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

const STEP = '/cancel';

/** What a cancel would come to, and the form that does it. */
export async function cancelPage(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const { texts, services, caller } = page;
  // Its own page says what came of it.
  if (opened.stay.reservation.cancellation) return void reply.redirect(stayPath(page, opened.link), 303);
  // What it would come to is only known when the payment has ended.
  if (underWay(opened.stay.reservation.payments) > 0) {
    const body = html`<p class="note" role="status">${texts.text('stay.underWay')}</p>`;
    return sendStay(page, reply, opened, { title: texts.text('cancel.title'), body, step: STEP, status: 409 });
  }
  const found = await shownOr(() => previewCancel(services, caller, opened.stay));
  const isRefused = found instanceof DomainError;
  const body = html`${noteIn(page, fields)}
  ${isRefused ? reason(page, found, 'stay.refused') : asked(page, opened, found)}`;
  sendStay(page, reply, opened, {
    title: texts.text('cancel.title'),
    body,
    step: STEP,
    status: isRefused ? 409 : 200,
  });
}

/** Cancels the stay at the cost that the page has shown. */
export async function cancelStay(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const { data: form } = cancelForm.safeParse({
    retained: fieldOf(fields, 'retained'),
    charged: fieldOf(fields, 'charged'),
    refund: fieldOf(fields, 'refund'),
    ...sentForm(fields),
  });
  if (!form) return void reply.redirect(stayPath(page, opened.link, STEP), 303);
  const work = (): Promise<void> => cancelByLink(page.services, page.caller, opened.stay, form);
  await doOnce(page, reply, opened, { step: STEP, done: 'cancel', again: [], work });
}

function asked(page: PageContext, opened: Opened, found: CancelPreview): Markup {
  const { texts } = page;
  const { retained, charged, refund } = found;
  const { paid, currency } = opened.stay.reservation;
  const amount = (minor: number): { amount: string } => ({ amount: texts.money(minor, currency) });
  const values = Object.entries(found).map(([name, value]): [string, string] => [name, String(value)]);
  return html`<section class="summary" aria-label="${texts.text('stay.cancel')}">
    <ul>
      ${retained + charged === 0 && html`<li>${texts.text('cancel.free')}</li>`}
      ${retained > 0 && html`<li>${texts.text('cancel.kept', amount(retained))}</li>`}
      ${charged > 0 && html`<li>${texts.text('cancel.charged', amount(charged))}</li>`}
      ${refund > 0 && html`<li>${texts.text('cancel.refund', amount(refund))}</li>`}
      ${paid > 0 && refund === 0 && html`<li>${texts.text('cancel.nothing')}</li>`}
      <li>${texts.text('cancel.final')}</li>
    </ul>
    ${stayForm(page, opened, {
      step: STEP,
      values,
      button: html`<p class="go"><button>${texts.text('cancel.do')}</button></p>`,
    })}
  </section>`;
}
