import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';

import { EVERY_LOOK, lookName } from '../../src/testing/live/looks.ts';
import {
  checkWithAxe,
  closeWindows,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { outbox } from './outbox.ts';
import { isProblem } from './problems.ts';
import { advanceClock, BlackboxProperty, must, type Wish } from './property.ts';
import type { Service } from './service.ts';
import type { Reservation } from './shapes.ts';
import { sharedPages } from './shared-pages.ts';
import { until } from './waiting.ts';

t.setTimeout(PAGE_FILE_MS);

type World = { service: Service; browser: Browser; hotel: BlackboxProperty };
type Stay = { reservationId: string; url: string };

/** My stay (docs/guide/my-stay.md#my-stay), by the link of the letter that confirms it. */
void t.test('a guest manages a stay by its link', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  const hotel = await BlackboxProperty.open(service, { rooms: { STD: 2, DLX: 8 } });
  t.afterEach(() => closeWindows(browser));
  const world: World = { service, browser, hotel };
  await t.test('changes dates at the price that was shown, once', (t) => changesDates(t, world));
  await t.test('is told how other dates are paid', (t) => paysThere(t, world));
  await t.test('is told why dates cannot be had, and what is free instead', (t) => refusedDates(t, world));
  await t.test('cancels at the cost that was shown', (t) => cancels(t, world));
  await t.test('adds an extra, once', (t) => addsExtra(t, world));
  await t.test('checks in online, and not too early', (t) => checksIn(t, world));
  await t.test('the desk sees the check-in online, and revokes the links', (t) => atTheDesk(t, world));
  await t.test('a link that only pays manages nothing', (t) => onlyPays(t, world));
  await t.test('a channel and a group manage theirs elsewhere', (t) => elsewhere(t, world));
  await t.test('reads the invoice, until the link is over', (t) => invoice(t, world));
  await t.test('a robot is slowed down', (t) => robot(t, world));
});

/** A stay with the link of its confirmation. */
async function confirmed({ service, hotel }: World, wish: Wish = {}): Promise<Stay> {
  const { reservationId } = await hotel.booked(wish);
  const url = await until('the confirmation is sent', 30_000, async () => {
    const { items } = await outbox(service, `?reservationId=${reservationId}`);
    const mail = items.find(({ kind }) => kind === 'CONFIRMATION');
    return mail && /https?:\S+\/stay\/\S+/.exec(mail.text)?.[0];
  });
  return { reservationId, url };
}

const read = async ({ hotel }: World, { reservationId }: Stay): Promise<Reservation> =>
  must(await hotel.read(reservationId), 200).json;

async function scriptless({ browser }: World, url: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function inEveryLook(t: Test, page: Page): Promise<void> {
  for (const look of EVERY_LOOK) {
    await page.emulateMedia({ colorScheme: look.colorScheme ?? 'light' });
    await page.setViewportSize(look.viewport!);
    t.comment(lookName(look));
    await checkWithAxe(t, page);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    t.ok(wide <= 0, 'nothing is cut off');
  }
}

/** The fields of a form that does something. */
async function fieldsOf(page: Page): Promise<Record<string, string>> {
  const fields = 'Object.fromEntries(new FormData(document.querySelector("form[method=post]:not(.pay)")))';
  return page.evaluate<Record<string, string>>(fields);
}

async function changesDates(t: Test, world: World): Promise<void> {
  const { hotel } = world;
  const stay = await confirmed(world, { from: 20 });
  const { page, complaints } = await openPage(world.browser, stay.url);
  await page.getByRole('heading', { name: 'My stay' }).waitFor();
  await inEveryLook(t, page);
  await page.getByRole('button', { name: 'Change dates' }).click();
  await page.getByLabel('Departure').fill(hotel.day(23));
  await page.getByRole('button', { name: 'Show the price' }).click();
  await page
    .getByText(/^€100\.00 more\. Nothing is charged now\. €100\.00 is charged to your card on \w+, \d/)
    .waitFor();
  await inEveryLook(t, page);
  const shown = page.url();
  const form = await fieldsOf(page);
  t.equal((await read(world, stay)).stayDetails.checkOut, hotel.day(22), 'nothing is done yet');
  const cheaper = { ...form, form: randomUUID(), total: '20000' };
  const refused = await page.request.post(`${stay.url}/dates`, { form: cheaper });
  t.match(await refused.text(), /Nothing was done/, 'guests pay what the rules say');
  await page.getByRole('button', { name: 'Change dates' }).click();
  await page.getByText('Your dates are changed.').waitFor();
  await page.getByText('Open: €100.00.').waitFor();
  t.match(await read(world, stay), { stayDetails: { checkOut: hotel.day(23) }, financial: { totalAmount: 300 } });
  const again = await page.request.post(`${stay.url}/dates`, { form });
  t.match(await again.text(), /Your dates are changed/, 'sent again, it is answered as before');
  const other = await page.request.post(`${stay.url}/dates`, { form: { ...form, checkout: hotel.day(24) } });
  t.match(await other.text(), /Nothing was done/, 'another tab is shown what is now');
  const { timeline } = await read(world, stay);
  t.equal(timeline.filter(({ event }) => event === 'MODIFIED').length, 1, 'once');
  await page.goto(shown);
  await page.getByText('These are the dates of your stay.').waitFor();
  // The price of the nights that are given back comes back.
  await page.getByLabel('Departure').fill(hotel.day(21));
  await page.getByRole('button', { name: 'Show the price' }).click();
  await page.getByText('€100.00 goes back to you the way you paid.').waitFor();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Daten ändern' }).waitFor();
  t.strictSame(complaints, []);
  await page.close();
}

async function paysThere(t: Test, world: World): Promise<void> {
  const policies = { paymentRequired: false };
  const hotel = await BlackboxProperty.open(world.service, { policies });
  const { url } = await confirmed({ ...world, hotel }, { from: 12, card: null });
  const longer = `${url}/dates?checkin=${hotel.day(12)}&checkout=${hotel.day(15)}`;
  t.match(await said(longer), /€100\.00 more\. Nothing is charged now\. €300\.00 is to be paid at the hotel\.</);
  t.match(await said(`${longer}&lang=de`), /Jetzt wird nichts abgebucht\. 300,00.€ sind im Hotel zu zahlen\.</);
}

async function refusedDates(t: Test, world: World): Promise<void> {
  const { hotel } = world;
  const stay = await confirmed(world, { from: 30, roomType: 'STD' });
  for (let rooms = 0; rooms < 2; rooms++) await hotel.booked({ from: 33, roomType: 'STD' });
  const page = await scriptless(world, stay.url);
  await page.getByRole('button', { name: 'Change dates' }).click();
  await page.getByLabel('Arrival').fill(hotel.day(33));
  await page.getByLabel('Departure').fill(hotel.day(35));
  await page.getByRole('button', { name: 'Show the price' }).click();
  await page.getByText('No room of this type is free for these dates any more.').waitFor();
  await page.getByRole('link', { name: /^Type DLX, \w{3}, \d{1,2} \w+ \d{4} to \w{3}, \d{1,2} \w+ \d{4}$/ }).click();
  await page.getByText('Type DLX').waitFor();
  await page.getByRole('button', { name: 'Change dates' }).click();
  await page.getByText('Your dates are changed.').waitFor();
  t.match(await read(world, stay), { stayDetails: { checkIn: hotel.day(33), roomType: 'DLX' } });
  await page.goto(`${stay.url}/dates?checkin=${hotel.day(36)}&checkout=${hotel.day(34)}`);
  await page.getByText('Departure must be after arrival.').waitFor();
  await page.context().close();
}

async function cancels(t: Test, world: World): Promise<void> {
  const stay = await confirmed(world, { from: 1 });
  const [page, other] = [await scriptless(world, stay.url), await scriptless(world, stay.url)];
  for (const tab of [page, other]) await tab.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('The hotel keeps €100.00.').waitFor();
  await page.getByText('€100.00 goes back the way you paid.').waitFor();
  t.equal((await read(world, stay)).status, 'CONFIRMED', 'nothing is done yet');
  const form = { ...(await fieldsOf(other)), retained: '0', refund: '20000' };
  t.match(await (await other.request.post(`${stay.url}/cancel`, { form })).text(), /Nothing was done/);
  await page.getByRole('button', { name: 'Cancel the stay' }).click();
  await page.getByText('Your stay is cancelled.').waitFor();
  const cancelled = await read(world, stay);
  t.match(cancelled, { status: 'CANCELLED', cancellation: { refund: { refundAmount: 100 } } });
  await other.getByRole('button', { name: 'Cancel the stay' }).click();
  await other.getByText('This booking is cancelled').waitFor();
  t.equal(await other.getByRole('button', { name: 'Change dates' }).count(), 0);
  await page.goto(`${stay.url}/dates`);
  await page.getByText('This is not possible for your stay at the moment.').waitFor();
  const free = await confirmed(world, { from: 40 });
  await page.goto(`${free.url}/cancel`);
  await page.getByText('Cancelling is free.').waitFor();
  await page.getByText('€200.00 goes back the way you paid.').waitFor();
  for (const one of [page, other]) await one.context().close();
}

async function addsExtra(t: Test, world: World): Promise<void> {
  const { service, hotel } = world;
  const path = `/properties/${hotel.propertyId}/services`;
  must(await service.tenants('PUT', `${path}/BRK`, { body: { name: 'Breakfast', price: 12.5 } }), 200);
  must(await service.tenants('PUT', `${path}/OLD`, { body: { name: 'Fax', price: 1, active: false } }), 200);
  const stay = await confirmed(world, { from: 10 });
  const { page } = await openPage(world.browser, stay.url);
  await page.getByRole('button', { name: 'Add extras' }).click();
  await page.getByText('€12.50 each').waitFor();
  t.equal(await page.getByText('Fax').count(), 0, 'not on sale');
  await page.getByLabel('Quantity').selectOption('2');
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByText('Adds €25.00 to your bill.').waitFor();
  await inEveryLook(t, page);
  const form = await fieldsOf(page);
  const cheap = await page.request.post(`${stay.url}/extras`, { form: { ...form, amount: '1' } });
  t.match(await cheap.text(), /Nothing was done/);
  await page.getByRole('button', { name: 'Add to my stay' }).click();
  await page.getByText('The extra is added to your stay.').waitFor();
  await page.request.post(`${stay.url}/extras`, { form });
  await page.getByText('Open: €25.00.').waitFor();
  t.match(await read(world, stay), { financial: { totalAmount: 225 } });
  await page.goto(`${stay.url}/extras?code=BRK&quantity=1&lang=de`);
  must(await service.tenants('PUT', `${path}/BRK`, { body: { name: 'Breakfast', price: 12.5, active: false } }), 200);
  must(await service.tenants('PUT', `${path}/SPA`, { body: { name: 'Spa', price: 20 } }), 200);
  const late = await page.request.post(`${stay.url}/extras`, { form: await fieldsOf(page) });
  t.equal(late.status(), 200);
  t.match(await late.text(), /Es wurde nichts ausgeführt[^]*Dieses Extra wird nicht mehr angeboten\.[^]*Spa/);
  const unknown = await page.goto(`${stay.url}/extras?code=NONE&quantity=1`);
  t.equal(unknown?.status(), 200, 'the page stays that of the guest');
  await page.getByText('This extra is not offered any more.').waitFor();
  t.match(await read(world, stay), { financial: { totalAmount: 225 } });
  await page.close();
}

async function checksIn(t: Test, world: World): Promise<void> {
  const early = await confirmed(world, { from: 9 });
  const stay = await confirmed(world, { from: 5 });
  const page = await scriptless(world, early.url);
  await page.getByText(/^You can check in online from /).waitFor();
  t.equal((await page.goto(`${early.url}/check-in`))?.status(), 409);
  await page.goto(stay.url);
  await page.getByRole('button', { name: 'Check in online' }).click();
  await page.getByLabel('Expected arrival').fill('18:30');
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Signature').fill('Ada Lovelace');
  const form = await fieldsOf(page);
  const faulty = await page.request.post(`${stay.url}/check-in`, { form: { ...form, arrivalTime: '25:00' } });
  t.equal(faulty.status(), 422);
  t.match(await faulty.text(), /Enter a time such as 18:30[^]*Grace[^]*Fill in this field[^]*Tick this to sign/);
  await page.getByLabel('Last name').fill('Hopper');
  await page.getByLabel('I sign the registration form').check();
  await page.getByRole('button', { name: 'Check in online' }).click();
  await page.getByText('Expected arrival: 18:30.').waitFor();
  const { status, companions } = (await read(world, stay)) as Reservation & { companions: object[] };
  t.match([status, companions], ['CONFIRMED', [{ firstName: 'Grace', lastName: 'Hopper' }]]);
  await page.getByRole('button', { name: 'Check in online' }).click();
  await page.getByText(/^Signed by Ada Lovelace on /).waitFor();
  const { page: shown } = await openPage(world.browser, page.url());
  await inEveryLook(t, shown);
  await shown.getByLabel('Expected arrival').fill('21:00');
  await shown.getByLabel('Signature').fill('Ada Lovelace');
  await shown.getByLabel('I sign the registration form').check();
  await shown.getByRole('button', { name: 'Check in online' }).click();
  await shown.getByText('Expected arrival: 21:00.').waitFor();
  await shown.close();
  await page.context().close();
}

async function atTheDesk(t: Test, world: World): Promise<void> {
  const { service, hotel } = world;
  const room = { roomNumber: '701', roomType: 'DLX', floor: 7 };
  must(await service.tenants('POST', `/properties/${hotel.propertyId}/rooms`, { body: room }), 201);
  const stay = await confirmed(world, { from: 0, guest: { firstName: 'Mary', lastName: 'Somerville' } });
  const path = `/${stay.reservationId}/stay-page`;
  t.match(must(await service.reservations('GET', path), 200).json, { linksFrom: null, onlineCheckIn: null });
  isProblem(t, await service.reservations('GET', path, { role: 'VIEWER' }), 403);
  isProblem(t, await service.reservations('DELETE', `${path}/links`, { role: 'VIEWER' }), 403);
  isProblem(t, await service.reservations('GET', `/${randomUUID()}/stay-page`), 404);
  const { page: desk } = await openPage(world.browser, `${service.dev.liveUrl}/desk`);
  desk.setDefaultTimeout(60_000);
  await signInWithToken(desk, service.token('demo', 'STAFF'));
  await desk.getByRole('combobox', { name: 'Property' }).selectOption(hotel.propertyId);
  await desk.locator(`.tape [data-stay="${stay.reservationId}"]`).click();
  const section = desk.getByRole('dialog').getByRole('region', { name: 'Online check-in' });
  await section.getByText('The guest has not checked in online.').waitFor();
  const guest = await scriptless(world, `${stay.url}/check-in`);
  await guest.getByLabel('Expected arrival').fill('19:45');
  await guest.getByLabel('Signature').fill('Mary Somerville');
  await guest.getByLabel('I sign the registration form').check();
  await guest.getByRole('button', { name: 'Check in online' }).click();
  // An open panel shows it by itself.
  await section.getByText('19:45').waitFor();
  await section.getByText(/^Signed by Mary Somerville, /).waitFor();
  await checkWithAxe(t, desk);
  await section.getByRole('button', { name: 'Revoke the links of the guest' }).click();
  await until('the link is dead', 10_000, async () => (await fetch(stay.url)).status === 404 || undefined);
  t.match(must(await service.reservations('GET', path), 200).json, { linksFrom: String });
  const body = { modifications: { specialRequests: ['a quiet room'] } };
  must(await service.reservations('PUT', `/${stay.reservationId}`, { body }), 200);
  const url = await until('the next letter is sent', 30_000, async () => {
    const { items } = await outbox(service, `?reservationId=${stay.reservationId}`);
    const mail = items.find(({ kind }) => kind === 'MODIFICATION');
    return mail && /https?:\S+\/stay\/\S+/.exec(mail.text)?.[0];
  });
  t.match(await said(url), /^200 [^]*Expected arrival: 19:45/, 'it has a new one');
  const dry = must(
    await service.reservations<{ to: string }>('POST', `${path}/links?dryRun=true`, { body: {} }),
    202,
  );
  t.match(dry.json, { messageId: null, to: /@/ }, 'a dry run names the guest');
  const messages = desk.getByRole('dialog').getByRole('group').filter({ hasText: 'Messages' });
  await messages.getByText('Messages', { exact: true }).click();
  await messages.getByRole('button', { name: 'Send link' }).click();
  await messages.getByText('Link of the stay').waitFor();
  const sent = await until('the link is sent', 30_000, async () => {
    const { items } = await outbox(service, `?reservationId=${stay.reservationId}`);
    return items.find(({ kind }) => kind === 'STAY_LINK');
  });
  t.match(sent, { to: dry.json.to, subject: /^Your stay at /, text: /do not pass it on/ });
  t.match(await said(/https?:\S+\/stay\/\S+/.exec(sent.text)![0]), /^200 [^]*>Cancel</, 'it manages the stay');
  await guest.context().close();
  await desk.close();
}

async function onlyPays(t: Test, world: World): Promise<void> {
  const { service } = world;
  const policies = { paymentRequired: false };
  const hotel = await BlackboxProperty.open(service, { policies });
  const { reservationId } = await confirmed({ ...world, hotel }, { from: 12, card: null });
  const send = (body: object) => service.reservations('POST', `/${reservationId}/payment-links`, { body });
  must(await send({ to: 'aunt@example.com' }), 202);
  must(await send({}), 202);
  const mails = await until('both are sent', 30_000, async () => {
    const { items } = await outbox(service, `?reservationId=${reservationId}`);
    const links = items.filter(({ kind }) => kind === 'PAYMENT_LINK');
    return links.length === 2 ? links : undefined;
  });
  for (const { to, text } of mails) {
    const url = /https?:\S+\/stay\/\S+/.exec(text)![0];
    const isOther = to === 'aunt@example.com';
    t.equal(/Change dates/.test(await (await fetch(url)).text()), !isOther, to);
    for (const step of ['dates', 'cancel', 'extras'])
      t.equal((await fetch(`${url}/${step}`)).status, isOther ? 404 : 200, `${to} ${step}`);
    const answer = await fetch(`${url}/cancel`, { method: 'POST', body: new URLSearchParams({ state: '1-0' }) });
    t.equal(answer.status, isOther ? 404 : 200);
  }
  t.equal(must(await hotel.read(reservationId), 200).json.status, 'CONFIRMED');
  must(await service.reservations('DELETE', `/${reservationId}/stay-page/links`), 200);
  const dead = await said(`${service.dev.liveUrl}/stay/none`);
  for (const { to, text } of mails) {
    const url = /https?:\S+\/stay\/\S+/.exec(text)![0];
    for (const step of ['', '/cancel']) t.equal(await said(`${url}${step}`), dead, `${to} is revoked with all links`);
    const form = new URLSearchParams({ amount: '20000', state: '1-0', cardToken: 'tok_visa' });
    t.equal((await fetch(`${url}/pay`, { method: 'POST', body: form })).status, 404);
  }
  const path = `/${reservationId}/payment-links`;
  const { items } = must(await service.reservations<{ items: object[] }>('GET', path), 200).json;
  t.match(items, [{ revokedAt: String }, { revokedAt: String }], 'the desk sees it');
  must(await send({}), 202);
  const renewed = await until('the next one is sent', 30_000, async () => {
    const links = (await outbox(service, `?reservationId=${reservationId}`)).items;
    const next = links.find(({ kind, text }) => kind === 'PAYMENT_LINK' && !mails.some((one) => one.text === text));
    return next && /https?:\S+\/stay\/\S+/.exec(next.text)![0];
  });
  t.match(await said(renewed), /^200 [^]*Change dates/, 'it is valid');
}

async function elsewhere(t: Test, world: World): Promise<void> {
  const stay = await confirmed(world, { from: 13, more: { source: { channel: 'OTA', externalId: 'X-1' } } });
  const page = await scriptless(world, stay.url);
  await page.getByText('You have booked with a partner of the hotel').waitFor();
  for (const name of ['Change dates', 'Cancel']) t.equal(await page.getByRole('button', { name }).count(), 0);
  for (const step of ['dates', 'cancel']) t.equal((await page.goto(`${stay.url}/${step}`))?.status(), 409);
  await page.context().close();
}

/** What a page says, without what is different in each. */
const said = async (url: string): Promise<string> => {
  const answer = await fetch(url, { headers: { 'accept-language': 'en' } });
  return `${answer.status} ${answer.headers.get('referrer-policy')} ${await answer.text()}`;
};

async function invoice(t: Test, world: World): Promise<void> {
  const { service, hotel } = world;
  const { reservationId, url } = await confirmed(world, { from: 0, nights: 1 });
  const room = { roomNumber: '801', roomType: 'DLX', floor: 8 };
  must(await service.tenants('POST', `/properties/${hotel.propertyId}/rooms`, { body: room }), 201);
  const at = (path: string, body: object) => service.reservations('POST', `/${reservationId}${path}`, { body });
  t.equal((await fetch(`${url}/invoice`)).status, 404);
  must(await at('/checkin', { identificationVerified: true }), 200);
  const wellness = { name: 'Sauna', price: 25, taxPercent: 23 };
  must(await service.tenants('PUT', `/properties/${hotel.propertyId}/services/SAUNA`, { body: wellness }), 200);
  must(await at('/folio/postings', { extraCode: 'SAUNA', quantity: 1 }), 201);
  must(await at('/payments', { method: 'CASH', amount: 30.75 }), 201);
  must(await at('/checkout', {}), 200);
  const { page } = await openPage(world.browser, url);
  await page.getByRole('button', { name: 'Invoice' }).click();
  await page.getByText(/^INV-\d{4}-\d{6}$/).waitFor();
  await page.getByRole('button', { name: 'Print' }).waitFor();
  await page.getByRole('row', { name: /Included in the total: Taxes\s+EUR\s5\.75/ }).waitFor();
  await inEveryLook(t, page);
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('row', { name: /Nacht, Type DLX\s+100,00/ }).waitFor();
  await page.getByRole('row', { name: /Im Gesamtpreis enthalten: Steuern\s+5,75/ }).waitFor();
  await page.close();
  const dead = await said(`${url}x`);
  t.match(dead, /^404 no-referrer [^]*This link cannot be used/);
  const other = await confirmed(world, { from: 50 });
  const [start, payload, mac] = url.split('/stay/')[1]!.split('.');
  const theirs = payload!.replace(reservationId, other.reservationId);
  for (const forged of [`${start}.${theirs}.${mac}`, `${start}.${payload!.replace(/_\d+$/, '_99')}.${mac}`])
    t.equal(await said(`${service.dev.liveUrl}/stay/${forged}`), dead);
  must(await advanceClock(service, 40 * 86_400), 200);
  t.equal(await said(url), dead, 'expired');
  for (const step of ['dates', 'cancel', 'extras', 'check-in', 'invoice'])
    t.equal(await said(`${url}/${step}`), dead, step);
  t.match(await said(other.url), /^200 [^]*My stay/);
}

async function robot(t: Test, { service }: World): Promise<void> {
  const guess = () => fetch(`${service.dev.liveUrl}/stay/none`, { headers: { 'accept-language': 'de' } });
  let answer = await guess();
  for (let sent = 1; sent < 130 && answer.status !== 429; sent++) answer = await guess();
  t.equal(answer.status, 429);
  t.match(await answer.text(), /Bitte warten Sie einen Moment/);
}
