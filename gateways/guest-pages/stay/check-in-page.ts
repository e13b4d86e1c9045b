import type { FastifyReply } from 'fastify';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { localTime } from '../../../src/kernel/rules/property-time.ts';
import { type CheckInForm, checkInForm } from '../../../src/notifications/contracts/stay-forms.ts';
import { mustBeOffered } from '../../../src/notifications/operations/change-by-link.ts';
import { checkInOnline } from '../../../src/notifications/operations/check-in-by-link.ts';
import { companionsOfParty } from '../../../src/stay/rules/online-check-in.ts';
import { hidden, type PageContext } from '../booking/page-context.ts';
import { field } from '../booking/search-form.ts';
import { type Fields, fieldOf, type SearchFault } from '../booking/search-query.ts';
import { html, type Markup } from '../html.ts';
import {
  doOnce,
  namedForm,
  noteIn,
  type Opened,
  reason,
  sendStay,
  sentForm,
  shownOr,
  stayPath,
} from './stay-frame.ts';

const STEP = '/check-in';

type Name = { firstName: string; lastName: string };
type Typed = { arrivalTime: string; companions: Name[]; signedName: string; hasConsent: boolean };

/** The form of a check-in online, with what is known already. */
export async function checkInPage(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const allowed = await shownOr(async () => mustBeOffered('CHECK_IN', opened.stay));
  if (allowed instanceof DomainError) return send(page, reply, opened, reason(page, allowed, 'arrive.refused'), 409);
  const { reservation, page: own, property } = opened.stay;
  const typed = {
    arrivalTime: own.checkIn?.arrivalTime ?? property.metadata.checkInTime,
    companions: namesOf(opened, (index) => ({ firstName: '', lastName: '', ...reservation.companions?.[index] })),
    signedName: '',
    hasConsent: false,
  };
  send(
    page,
    reply,
    opened,
    html`${noteIn(page, fields)}${signed(page, opened)}${form(page, opened, typed, [])}`,
    200,
  );
}

/** Checks the guest in online; a form with faults is shown again as it was typed. */
export async function checkInStay(
  page: PageContext,
  reply: FastifyReply,
  opened: Opened,
  fields: Fields,
): Promise<void> {
  const typed = typedIn(opened, fields);
  const { arrivalTime, companions, signedName, hasConsent } = typed;
  const { data, error } = checkInForm.safeParse({
    arrivalTime,
    companions: companions.filter(({ firstName, lastName }) => firstName !== '' || lastName !== ''),
    signedName,
    consent: hasConsent ? '1' : '',
    ...sentForm(fields),
  });
  if (!data) {
    const faults = faultsOf(typed, new Set(error.issues.map(({ path }) => String(path[0]))));
    const said = html`<p class="note" role="alert">${page.texts.text('guest.faults')}</p>`;
    return send(page, reply, opened, html`${said}${form(page, opened, typed, faults)}`, 422);
  }
  await done(page, reply, opened, data);
}

function done(page: PageContext, reply: FastifyReply, opened: Opened, data: CheckInForm): Promise<void> {
  const work = (): Promise<void> => checkInOnline(page.services, page.caller, opened.stay, data);
  return doOnce(page, reply, opened, { step: STEP, done: 'checkin', again: [], work });
}

function send(page: PageContext, reply: FastifyReply, opened: Opened, body: Markup, status: number): void {
  sendStay(page, reply, opened, { title: page.texts.text('stay.checkIn'), body, step: STEP, status });
}

const namesOf = ({ stay }: Opened, nameOf: (index: number) => Name): Name[] =>
  Array.from({ length: companionsOfParty(stay.reservation) }, (_, index) => nameOf(index));

function typedIn(opened: Opened, fields: Fields): Typed {
  return {
    arrivalTime: fieldOf(fields, 'arrivalTime', 5),
    companions: namesOf(opened, (index) => ({
      firstName: fieldOf(fields, `firstName${index}`),
      lastName: fieldOf(fields, `lastName${index}`),
    })),
    signedName: fieldOf(fields, 'signedName', 200),
    hasConsent: fieldOf(fields, 'consent') === '1',
  };
}

function faultsOf({ companions }: Typed, wrong: ReadonlySet<string>): SearchFault[] {
  const faults: SearchFault[] = [];
  if (wrong.has('arrivalTime')) faults.push({ field: 'arrivalTime', text: 'fault.time' });
  for (const [index, one] of companions.entries())
    for (const name of ['firstName', 'lastName'] as const)
      if (one[name] === '' && `${one.firstName}${one.lastName}` !== '')
        faults.push({ field: `${name}${index}`, text: 'fault.needed' });
  if (wrong.has('signedName')) faults.push({ field: 'signedName', text: 'fault.needed' });
  if (wrong.has('consent')) faults.push({ field: 'consent', text: 'fault.consent' });
  return faults;
}

/** What was signed before; it may be signed again with what has changed. */
function signed({ texts }: PageContext, { stay }: Opened): Markup | undefined {
  const { checkIn } = stay.page;
  if (!checkIn) return undefined;
  const { timezone } = stay.property.metadata;
  const { signedName: name, signedAt } = checkIn;
  const at = { day: texts.dayAt(signedAt, timezone), time: texts.time(signedAt, timezone) };
  return html`<p class="note good" role="status">${texts.text('arrive.signed', { name, ...at })}</p>`;
}

function form(page: PageContext, opened: Opened, typed: Typed, faults: readonly SearchFault[]): Markup {
  const { texts, carried, services } = page;
  const { link, stay } = opened;
  const { guest } = stay.reservation;
  const { day } = localTime(services.clock.now(), stay.property.metadata.timezone);
  const input = (name: string, label: string, value: string, attributes: Markup): Markup =>
    field(
      texts,
      faults,
      { name, label },
      (more) => html`<input name="${name}" value="${value}" ${attributes} ${more} />`,
    );
  const text = html`type="text" maxlength="100" autocomplete="off"`;
  const companions = typed.companions.map(
    ({ firstName, lastName }, index) =>
      html`<fieldset>
        <legend>${texts.text('arrive.companion', { number: index + 2 })}</legend>
        <div class="fields">
          ${input(`firstName${index}`, texts.text('guest.firstName'), firstName, text)}
          ${input(`lastName${index}`, texts.text('guest.lastName'), lastName, text)}
        </div>
      </fieldset>`,
  );
  return html`<form class="guest" method="post" action="${stayPath({ ...page, carried: [] }, link, STEP)}">
    ${hidden([...carried, ...namedForm(stay)])}
    <p>${texts.text('arrive.room')}</p>
    <div class="fields">
      ${input('arrivalTime', texts.text('arrive.time'), typed.arrivalTime, html`type="time" required`)}
    </div>
    ${companions.length > 0 && html`<h2>${texts.text('arrive.companions')}</h2>`}${companions}
    <h2>${texts.text('arrive.form')}</h2>
    <p>${texts.text('arrive.guest', { name: `${guest.firstName} ${guest.lastName}` })}</p>
    <div class="fields">
      ${input('signedName', texts.text('arrive.name'), typed.signedName, html`type="text" maxlength="200" autocomplete="name" required`)}
    </div>
    ${consent(page, typed, faults)}
    <p>${texts.text('arrive.date', { day: texts.day(day) })}</p>
    <p class="go"><button>${texts.text('stay.checkIn')}</button></p>
  </form>`;
}

function consent({ texts }: PageContext, { hasConsent }: Typed, faults: readonly SearchFault[]): Markup {
  const fault = faults.find((one) => one.field === 'consent');
  const described = fault && html` aria-describedby="consent-fault" aria-invalid="true"`;
  return html`<p class="field">
    <label class="choose"
      ><input type="checkbox" name="consent" value="1" required ${hasConsent && html` checked`} ${described} />
      ${texts.text('arrive.consent')}</label
    >${fault && html`<strong class="fault" id="consent-fault">${texts.text(fault.text)}</strong>`}
  </p>`;
}
