import type { FastifyReply } from 'fastify';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { departureOf } from '../../../src/kernel/rules/stay-days.ts';
import { datesForm, type DatesQuery, datesQuery } from '../../../src/notifications/contracts/stay-forms.ts';
import {
  changeDates,
  type DatesPreview,
  mustBeOffered,
  previewDates,
} from '../../../src/notifications/operations/change-by-link.ts';
import type { LinkedStay } from '../../../src/notifications/operations/stay-link.ts';
import { paymentsAhead } from '../../../src/stay/rules/collecting.ts';
import { writtenDays } from '../booking/errors.ts';
import { hidden, type PageContext, type RoomNames, roomNames } from '../booking/page-context.ts';
import { field } from '../booking/search-form.ts';
import { type Fields, fieldOf, type SearchFault } from '../booking/search-query.ts';
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
import { stayPrice } from './stay-price.ts';

const STEP = '/dates';

type Typed = { checkin: string; checkout: string; room: string };

function typedIn(fields: Fields): Typed {
  return {
    checkin: fieldOf(fields, 'checkin'),
    checkout: fieldOf(fields, 'checkout'),
    room: fieldOf(fields, 'room'),
  };
}

/** Other dates for a stay: the form, and what the dates in the address would come to. */
export async function datesPage(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const { texts } = page;
  const { stay } = opened;
  const allowed = await shownOr(async () => mustBeOffered('DATES', stay));
  if (allowed instanceof DomainError) return send(page, reply, opened, reason(page, allowed, 'stay.refused'), 409);
  const { checkin, checkout, room } = typedIn(fields);
  const typed = {
    checkin: checkin || formatDay(stay.reservation.stay.checkIn),
    checkout: checkout || formatDay(departureOf(stay.reservation.stay)),
    room,
  };
  const { faults, wanted } = readDates(stay, typed);
  const isWanted = checkin !== '' && wanted !== undefined;
  const names = await roomNames(page);
  const found = isWanted && !isSame(stay, wanted) ? await shownOr(() => preview(page, stay, wanted)) : undefined;
  const shown =
    found instanceof DomainError
      ? refused(page, opened, found, names)
      : found && offer(page, opened, { wanted: wanted!, found, names });
  const unchanged = isWanted && isSame(stay, wanted) && html`<p role="status">${texts.text('dates.unchanged')}</p>`;
  const body = html`${noteIn(page, fields)}${shown}${unchanged} ${datesFields(page, opened, typed, faults)}`;
  send(page, reply, opened, body, faults.length > 0 ? 422 : 200);
}

/** Changes the dates as the page has shown it. */
export async function changeStayDates(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const { checkin, checkout, room } = typedIn(fields);
  const { data: form } = datesForm.safeParse({
    checkIn: checkin,
    checkOut: checkout,
    roomType: room,
    total: fieldOf(fields, 'total'),
    ...sentForm(fields),
  });
  const again: [string, string][] = [
    ['checkin', checkin],
    ['checkout', checkout],
    ['room', room],
  ];
  if (!form) return void reply.redirect(stayPath(page, opened.link, STEP, again), 303);
  const work = (): Promise<void> => changeDates(page.services, page.caller, opened.stay, form);
  await doOnce(page, reply, opened, { step: STEP, done: 'dates', again, work });
}

const preview = ({ services, caller }: PageContext, stay: LinkedStay, wanted: DatesQuery): Promise<DatesPreview> =>
  previewDates(services, caller, stay, wanted);

function send(page: PageContext, reply: FastifyReply, opened: Opened, body: Markup, status: number): void {
  sendStay(page, reply, opened, { title: page.texts.text('stay.dates'), body, step: STEP, status });
}

function isSame({ reservation: { stay } }: LinkedStay, { checkIn, checkOut, roomType }: DatesQuery): boolean {
  const isSameType = roomType === undefined || roomType === stay.roomType;
  return checkIn === stay.checkIn && checkOut === departureOf(stay) && isSameType;
}

/** The dates of the form, or what is wrong with them. */
function readDates(
  { reservation: { stay }, today }: LinkedStay,
  { checkin, checkout, room }: Typed,
): { faults: SearchFault[]; wanted?: DatesQuery } {
  const faults: SearchFault[] = [];
  const { data: wanted, error } = datesQuery.safeParse({ checkIn: checkin, checkOut: checkout, roomType: room });
  if (!wanted) {
    const wrong = new Set(error.issues.map(({ path }) => path[0]));
    if (wrong.has('checkIn')) faults.push({ field: 'checkin', text: 'fault.date' });
    if (wrong.has('checkOut') || faults.length === 0) faults.push({ field: 'checkout', text: 'fault.date' });
    return { faults };
  }
  const { checkIn, checkOut } = wanted;
  if (checkIn < today && checkIn !== stay.checkIn) faults.push({ field: 'checkin', text: 'fault.past' });
  if (checkOut < checkIn || (checkOut === checkIn && !stay.dayUse))
    faults.push({ field: 'checkout', text: 'fault.order' });
  return faults.length > 0 ? { faults } : { faults, wanted };
}

function datesFields(
  page: PageContext,
  { link, stay }: Opened,
  typed: Typed,
  faults: readonly SearchFault[],
): Markup {
  const { texts, carried } = page;
  const min = formatDay(Math.min(stay.today, stay.reservation.stay.checkIn));
  const input = (name: 'checkin' | 'checkout'): Markup =>
    field(
      texts,
      faults,
      { name, label: texts.text(`search.${name}`) },
      (attributes) =>
        html`<input type="date" name="${name}" min="${min}" required value="${typed[name]}" ${attributes} />`,
    );
  return html`<form class="search" method="get" action="${stayPath({ ...page, carried: [] }, link, STEP)}">
    ${hidden(carried)}${typed.room !== '' && hidden([['room', typed.room]])}
    <div class="fields">${input('checkin')}${input('checkout')}</div>
    <p class="go"><button class="plain">${texts.text('dates.show')}</button></p>
  </form>`;
}

type Offer = { wanted: DatesQuery; found: DatesPreview; names: RoomNames };

/** What the change comes to, in words and amounts, and the form that does it. */
function offer(page: PageContext, opened: Opened, { wanted, found, names }: Offer): Markup {
  const { texts } = page;
  const { reservation, before, total } = found;
  const { stay, currency, retained = 0 } = reservation;
  const money = (amount: number): string => texts.money(amount, currency);
  const { taxes } = opened.stay.property.metadata.policies;
  const departure = departureOf(stay);
  const row = (name: string, amount: number): Markup =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${money(amount)}</td>
    </tr>`;
  const values: [string, string][] = [
    ['checkin', formatDay(wanted.checkIn)],
    ['checkout', formatDay(wanted.checkOut)],
    ['room', wanted.roomType ?? ''],
    ['total', String(total)],
  ];
  const days = { from: texts.day(stay.checkIn), to: texts.day(departure), nights: departure - stay.checkIn };
  return html`<section class="summary" aria-labelledby="new-dates">
    <h2 id="new-dates">${texts.text('dates.new')}</h2>
    <p>${texts.text('summary.days', days)}</p>
    <p><b>${names.get(stay.roomType) ?? stay.roomType}</b></p>
    <table>
      <tbody>
        ${row(texts.text('dates.before'), before)} ${row(texts.text('dates.after'), total)}
      </tbody>
    </table>
    <p>${difference(page, opened, found)}</p>
    ${retained > 0 && html`<p class="terms">${texts.text('dates.retained', { amount: money(retained) })}</p>`}
    ${stayPrice(texts, reservation, { taxes, names })}
    ${stayForm(page, opened, {
      step: STEP,
      values,
      button: html`<p class="go"><button>${texts.text('stay.dates')}</button></p>`,
    })}
  </section>`;
}

/** The difference in sentences: what goes back, or how and when all that is then open is paid. */
function difference(page: PageContext, opened: Opened, found: DatesPreview): string {
  const { texts } = page;
  const { before, total, refund, reservation } = found;
  const money = (amount: number): string => texts.money(amount, reservation.currency);
  if (total > before) {
    const more = texts.text('dates.more', { amount: money(total - before) });
    return [more, ...waysToPay(page, opened, found)].join(' ');
  }
  if (refund > 0) return texts.text('dates.refund', { amount: money(refund) });
  return total < before ? texts.text('dates.less', { amount: money(before - total) }) : texts.text('dates.same');
}

/** How the stay is paid with its new dates; one that is not confirmed is paid on its page first. */
function waysToPay({ texts, services }: PageContext, { stay }: Opened, { reservation }: DatesPreview): string[] {
  const { status, billing, currency } = reservation;
  if (status !== 'CONFIRMED') return [];
  const { collected, rest } = paymentsAhead(reservation, stay.property.metadata, services.clock.now());
  const key = billing?.card === undefined ? 'dates.payBy' : 'dates.toCard';
  const ahead = collected.map(({ day, amount }) =>
    texts.text(key, { amount: texts.money(amount, currency), day: texts.day(day) }),
  );
  return rest > 0 ? [...ahead, texts.text('dates.payThere', { amount: texts.money(rest, currency) })] : ahead;
}

/** Why the dates cannot be had, and what is free instead. */
function refused(page: PageContext, { link }: Opened, error: DomainError, names: RoomNames): Markup {
  const { texts } = page;
  const { alternatives = [] } = error.details;
  const others = alternatives.map(({ roomType, checkIn, checkOut }) => {
    const dates: [string, string][] = [
      ['checkin', checkIn],
      ['checkout', checkOut],
      ['room', roomType],
    ];
    const room = names.get(roomType) ?? roomType;
    return html`<li>
      <a href="${stayPath(page, link, STEP, dates)}"
        >${texts.text('refused.alternative', { room, ...writtenDays(texts, { checkIn, checkOut }) })}</a
      >
    </li>`;
  });
  return html`${reason(page, error, 'error.other')}
  ${
    others.length > 0 &&
    html`<h2>${texts.text('refused.alternatives')}</h2>
      <ul class="nearest">
        ${others}
      </ul>`
  }`;
}
