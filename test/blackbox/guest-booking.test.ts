import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import t, { type Test } from 'tap';

import { EVERY_LOOK, lookName } from '../../src/testing/live/looks.ts';
import {
  browserFor,
  checkWithAxe,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
} from '../../src/testing/live/page-browser.ts';
import { pngWithPlace } from './pictures.ts';
import { advanceClock, BlackboxProperty, must, propertyBody } from './property.ts';
import { Service } from './service.ts';
import type { Reservation } from './shapes.ts';
import { until } from './waiting.ts';

t.setTimeout(PAGE_FILE_MS);

/** Marks of the pseudo-language around every text of the catalogues. */
const MARKED = /⟦[^⟦⟧]*⟧/g;

/** A text without what is marked, which may have marked parts in it. */
function unmarked(text: string): string {
  const rest = text.replaceAll(MARKED, '');
  return rest === text ? rest : unmarked(rest);
}

const EMBEDDER = 'https://www.hotel.example';

type World = { service: Service; browser: Browser; hotel: BlackboxProperty };

void t.test('a guest books by himself', pageTestOptions, async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());
  const browser = await browserFor(t);
  const hotel = await openHotel(service);
  const world: World = { service, browser, hotel };
  await t.test('from the search to the confirmation, at the price that was shown', (t) => booksAndPays(t, world));
  await t.test('without JavaScript, after a declined card, and Back leads to the confirmation', (t) =>
    withoutScript(t, world),
  );
  await t.test('a double click on Pay charges once', (t) => clicksTwice(t, world));
  await t.test('who stops loading can press Pay again', (t) => paysAgain(t, world));
  await t.test('a plan that is paid at the hotel is booked at once; a card that guarantees is not charged', (t) =>
    otherGuarantees(t, world),
  );
  await t.test('several rooms with children, all or none', (t) => severalRooms(t, world));
  await t.test('two tabs take the last room: one gets it, the other what is free instead', (t) => twoTabs(t, world));
  await t.test('a promo code shows what it saves', (t) => promotion(t, world));
  await t.test('a hold that is over leads to the same search', (t) => expires(t, world));
  await t.test('every text is in the catalogues, and every page in every language', (t) => languages(t, world));
  await t.test('photos of the rooms, which are photos and say no place', (t) => photos(t, world));
  await t.test('only a property that switched it on, only in frames that it names', (t) => whoMay(t, world));
  for (const look of EVERY_LOOK)
    await t.test(`everybody can use it: ${lookName(look)}`, (t) => everybody(t, world, look));
  await t.test('a page is light', (t) => isLight(t, world));
  await t.test('a robot is slowed down', (t) => robot(t, world));
});

async function openHotel(service: Service, bookingPage: object = { enabled: true }): Promise<BlackboxProperty> {
  const hotel = await BlackboxProperty.open(service, { policies: { taxPercent: 10, feePerNight: 3 } });
  await setPage(hotel, bookingPage);
  return hotel;
}

async function setPage(hotel: BlackboxProperty, bookingPage: object): Promise<void> {
  const body = propertyBody(hotel.propertyId, { taxPercent: 10, feePerNight: 3 });
  const metadata = { ...(body.metadata as object), bookingPage };
  must(await hotel.service.tenants('PUT', `/properties/${hotel.propertyId}`, { body: { ...body, metadata } }), 200);
}

const addressOf = ({ service, hotel }: Pick<World, 'service' | 'hotel'>): string =>
  `${service.dev.liveUrl}/book/demo/${hotel.propertyId}`;

function searchOf(world: World, from: number, more = 'adults1=2', nights = 2): string {
  const { hotel } = world;
  return `${addressOf(world)}?checkin=${hotel.day(from)}&checkout=${hotel.day(from + nights)}&${more}`;
}

/** Chooses an offer by room and plan, and fills in who books. */
async function choose(page: Page, room: string, plan: string): Promise<void> {
  const entry = page.locator('article', { has: page.getByRole('heading', { name: room }) });
  const offer = entry.locator('li', { has: page.getByText(plan, { exact: true }) });
  await offer.getByRole('button', { name: 'Select' }).click();
  await fillIn(page);
}

async function fillIn(page: Page, email = 'ada@example.com'): Promise<void> {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Book', exact: true }).click();
}

/** The reservations under a confirmation number that the page shows. */
async function reservationsOn(world: World, page: Page): Promise<Reservation[]> {
  const text = (await page.getByText(/^Confirmation number/).textContent()) ?? '';
  const numbers = text.match(/[0-9A-Z]{10}/g) ?? [];
  return Promise.all(
    numbers.map(async (number) => {
      const answer = await world.service.reservations<{ items: { reservationId: string }[] }>(
        'GET',
        `?confirmationNumber=${number}`,
      );
      return must(await world.hotel.read(must(answer, 200).json.items[0]!.reservationId), 200).json;
    }),
  );
}

/** What was charged. */
function paidOf({ financial: { paymentDetails = [] } }: Reservation): number {
  const charged = paymentDetails.filter(({ type, status }) => type === 'CHARGE' && status === 'COMPLETED');
  return charged.reduce((sum, { amount }) => sum + amount, 0);
}

async function booksAndPays(t: Test, world: World): Promise<void> {
  const { page, complaints } = await openPage(world.browser, addressOf(world));
  await page.getByLabel('Arrival').fill(world.hotel.day(20));
  await page.getByLabel('Departure').fill(world.hotel.day(22));
  await page.getByLabel('Ages of children').first().fill('4');
  await page.getByRole('button', { name: 'Search' }).click();
  const offer = page.locator('article', { has: page.getByRole('heading', { name: 'Type DLX' }) }).locator('li');
  // Two nights of 100 with ten percent, and a fee of 3 each.
  await offer.filter({ hasText: 'Best available rate' }).getByText('€226.00').first().waitFor();
  t.match(await offer.filter({ hasText: 'Non-refundable' }).textContent(), /No refund\. Paid now\./);
  t.match(
    await offer.filter({ hasText: 'Flexible' }).textContent(),
    /Free cancellation until 15:00 on .+ \(UTC time\)\. After that it costs €124\.00\./,
  );
  await choose(page, 'Type DLX', 'Best available rate');
  await page.getByText(/^We keep this room for you until \d\d:\d\d\./).waitFor();
  await page.getByText(/^Minutes left: 1[45]$/).waitFor();
  const address = page.url();
  await page.reload();
  await page.getByText(/^Minutes left: 1[45]$/).waitFor();
  t.equal(page.url(), address);
  // What becomes dearer meanwhile is not for this guest.
  must(await world.hotel.price('DLX', 20, 2, 500), 200);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('heading', { name: 'Your booking is confirmed' }).waitFor();
  const [reservation] = await reservationsOn(world, page);
  t.match(reservation, { status: 'CONFIRMED', source: { channel: 'WEBSITE' }, stayDetails: { childAges: [4] } });
  t.match(reservation, { financial: { totalAmount: 226 } });
  t.equal(paidOf(reservation!), 226);
  await page.getByText('Paid: €226.00.').waitFor();
  const file = await page.request.get(
    new URL((await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href'))!, page.url()).href,
  );
  t.match(await file.text(), /BEGIN:VEVENT[^]*SUMMARY:Stay at A house of the suite/);
  await page.getByRole('link', { name: 'My stay: change dates, cancel, check in online' }).click();
  await page.getByRole('button', { name: 'Change dates' }).waitFor();
  const cookies = await page.context().cookies();
  t.match(cookies, [{ name: 'innkeeper-booking', httpOnly: true, sameSite: 'Lax' }]);
  t.equal(cookies.length, 1, 'one cookie');
  t.equal(await page.evaluate<number>('localStorage.length + sessionStorage.length'), 0, 'and nothing else stored');
  t.strictSame(complaints, []);
}

async function withoutScript(t: Test, world: World): Promise<void> {
  const page = await scriptlessPage(world);
  await page.goto(searchOf(world, 30));
  await choose(page, 'Type STD', 'Non-refundable rate');
  await page.getByLabel('Declined').check();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText(/^The card was declined/).waitFor();
  await page.getByLabel('Accepted').check();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('heading', { name: 'Your booking is confirmed' }).waitFor();
  const confirmation = page.url();
  for (let back = 0; back < 2; back++) {
    await page.goBack();
    await page.getByRole('heading', { name: 'Your booking is confirmed' }).waitFor();
    t.equal(new URL(page.url()).pathname, new URL(confirmation).pathname);
  }
  const [reservation] = await reservationsOn(world, page);
  t.equal(paidOf(reservation!), 204);
}

async function scriptlessPage({ browser }: World): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ javaScriptEnabled: false });
  context.setDefaultTimeout(20_000);
  return context.newPage();
}

async function clicksTwice(t: Test, world: World): Promise<void> {
  // Without the script, which sends a form once.
  const page = await scriptlessPage(world);
  await page.goto(searchOf(world, 34));
  await choose(page, 'Type STD', 'Best available rate');
  await page.getByText(/^We keep this room/).waitFor();
  const pay = `${page.url()}/pay`;
  const sent = await Promise.all([1, 2, 3].map(() => page.request.post(pay, { form: { cardToken: 'tok_slow' } })));
  for (const answer of sent) t.match(await answer.text(), /Your booking is confirmed/);
  await page.reload();
  const [reservation] = await reservationsOn(world, page);
  t.equal(paidOf(reservation!), 226, 'once');
  const again = await page.request.post(pay, { form: { cardToken: 'tok_visa' } });
  t.match(await again.text(), /Paid: €226\.00/);
}

async function paysAgain(t: Test, world: World): Promise<void> {
  const { page, complaints } = await openPage(world.browser, searchOf(world, 36));
  await choose(page, 'Type STD', 'Best available rate');
  await page.getByText(/^Minutes left/).waitFor();
  let sent = 0;
  // The first request ends without a page, as one does that the guest has stopped.
  await page.route('**/pay', (route) => (++sent === 1 ? route.fulfill({ status: 204 }) : route.continue()));
  const pay = page.getByRole('button', { name: 'Pay', exact: true });
  await until('it is sent again', 20_000, async () => {
    if (sent < 2) await pay.click({ timeout: 2_000 }).catch(() => undefined);
    return sent > 1 || undefined;
  });
  await page.getByRole('heading', { name: 'Your booking is confirmed' }).waitFor();
  const [reservation] = await reservationsOn(world, page);
  t.equal(paidOf(reservation!), 226, 'once');
  t.strictSame(complaints, []);
}

async function otherGuarantees(t: Test, world: World): Promise<void> {
  const { hotel, service } = world;
  const plan = {
    propertyId: hotel.propertyId,
    code: 'HOTEL',
    name: 'Pay there',
    guarantee: 'NONE',
    status: 'ACTIVE',
  };
  must(await service.rates('POST', '/plans', { body: plan }), 201);
  const page = await scriptlessPage(world);
  await page.goto(searchOf(world, 38));
  await choose(page, 'Type STD', 'Pay there');
  await page.getByText('Nothing has been charged.').waitFor();
  const [there] = await reservationsOn(world, page);
  t.equal(there!.status, 'CONFIRMED');
  t.equal(paidOf(there!), 0);
  await page.goto(searchOf(world, 38));
  await choose(page, 'Type STD', 'Flexible rate');
  await page.getByText(/Nothing is charged now/).waitFor();
  await page.getByRole('button', { name: 'Confirm with card' }).click();
  await page.getByText('Nothing has been charged.').waitFor();
  const [guaranteed] = await reservationsOn(world, page);
  t.equal(guaranteed!.status, 'CONFIRMED');
  t.equal(paidOf(guaranteed!), 0);
}

async function severalRooms(t: Test, world: World): Promise<void> {
  const page = await scriptlessPage(world);
  await page.goto(searchOf(world, 42, 'adults1=2&adults2=1&ages2=3,5'));
  for (const room of ['Room 1: 2 adults', 'Room 2: 1 adult, 2 children']) {
    const section = page.getByRole('region', { name: room });
    const entry = section.locator('article', { has: page.getByRole('heading', { name: 'Type DLX' }) });
    await entry.locator('li', { hasText: 'Best available rate' }).getByLabel('Choose').check();
  }
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByText('€452.00').waitFor();
  await fillIn(page);
  await page.getByText('To pay now: €452.00').waitFor();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText(/^Confirmation numbers/).waitFor();
  const rooms = await reservationsOn(world, page);
  t.match(rooms, [{ status: 'CONFIRMED' }, { status: 'CONFIRMED', stayDetails: { childAges: [3, 5] } }]);
  t.equal(
    rooms.reduce((sum, one) => sum + paidOf(one), 0),
    452,
  );
}

async function twoTabs(t: Test, world: World): Promise<void> {
  const hotel = await BlackboxProperty.open(world.service, { rooms: { ONE: 1, TWO: 2 } });
  await setPage(hotel, { enabled: true });
  const here = { ...world, hotel };
  const tabs = await Promise.all([scriptlessPage(world), scriptlessPage(world)]);
  for (const [index, tab] of tabs.entries()) {
    await tab.goto(searchOf(here, 10));
    const entry = tab.locator('article', { has: tab.getByRole('heading', { name: 'Type ONE' }) });
    await entry.locator('li', { hasText: 'Best available' }).getByRole('button', { name: 'Select' }).click();
    await tab.getByLabel('E-mail').fill(`guest${index}@example.com`);
    await tab.getByLabel('First name').fill('Ada');
    await tab.getByLabel('Last name').fill('Lovelace');
  }
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Book', exact: true }).click()));
  const headings = await Promise.all(tabs.map((tab) => tab.getByRole('heading', { level: 1 }).textContent()));
  t.strictSame(new Set(headings), new Set(['Confirm your booking', 'This cannot be booked']));
  const other = tabs[headings.indexOf('This cannot be booked')]!;
  await other.getByText('No room of this type is free for these dates any more.').waitFor();
  await other.getByRole('link', { name: /^Type TWO, \w{3}, \d{1,2} \w+ \d{4} to \w{3}, \d{1,2} \w+ \d{4}$/ }).click();
  await other.getByRole('heading', { name: 'Type TWO' }).waitFor();
  t.equal(await other.getByRole('heading', { name: 'Type ONE' }).count(), 0, 'only what can be sold is shown');
}

async function promotion(t: Test, world: World): Promise<void> {
  const { hotel, service } = world;
  const body = {
    propertyId: hotel.propertyId,
    promotionName: 'Spring',
    promoCode: 'SPRING',
    discount: { type: 'PERCENTAGE', value: 20 },
    validity: { startDate: hotel.day(0), endDate: hotel.day(200) },
  };
  must(await service.rates('POST', '/promotional', { body }), 201);
  const page = await scriptlessPage(world);
  await page.goto(searchOf(world, 50, 'adults1=2&promo=spring'));
  await page.getByText('Instead of €226.00: you save €44.00').first().waitFor();
  await choose(page, 'Type DLX', 'Best available rate');
  await page.getByText('To pay now: €182.00').waitFor();
  await page.goto(searchOf(world, 50, 'adults1=2&promo=NONE'));
  await page.getByText(/The promo code does not apply/).waitFor();
  await page.getByText('€226.00').first().waitFor();
  t.equal(await page.getByText(/you save/).count(), 0);
}

async function expires(t: Test, world: World): Promise<void> {
  const { service, hotel } = world;
  const page = await scriptlessPage(world);
  await page.goto(searchOf(world, 54));
  await choose(page, 'Type DLX', 'Best available rate');
  await page.getByText(/^We keep this room/).waitFor();
  must(await advanceClock(service, 1_000), 200);
  await page.reload();
  await page.getByRole('heading', { name: 'The time to pay is over' }).waitFor();
  await page.getByRole('link', { name: 'Search again with the same dates' }).click();
  t.equal(await page.getByLabel('Arrival').inputValue(), hotel.day(54));
  await page.getByRole('heading', { name: 'Type DLX' }).waitFor();
}

async function languages(t: Test, world: World): Promise<void> {
  const page = await scriptlessPage(world);
  const pseudo = 'adults1=2&promo=NONE&lang=en-XA';
  const seen: [string, string][] = [];
  const look = async (what: string): Promise<void> => void seen.push([what, await page.locator('body').innerText()]);
  await page.goto(`${addressOf(world)}?lang=en-XA`);
  await look('form');
  await page.goto(`${searchOf(world, 58, pseudo)}&month=2000-01`);
  await look('results and calendar');
  await page.locator('button[name=choice1]').first().click();
  await look('guest');
  await page.locator('#firstName').fill('Ada');
  await page.locator('#lastName').fill('Lovelace');
  await page.locator('#email').fill('ada@example.com');
  await page.locator('form.guest button').click();
  await look('payment');
  await page.locator('#pay').click();
  await look('confirmation');
  await page.goto(`${addressOf(world)}-none?lang=en-XA`);
  await look('missing');
  const data =
    /A house of the suite|Innkeeper|Type (STD|DLX)|Best available rate|Flexible rate|Non-refundable rate|Pay there/g;
  const names = /English|Deutsch|Français|Español|Português/g;
  for (const [what, text] of seen)
    t.notMatch(unmarked(text).replaceAll(data, '').replaceAll(names, ''), /\p{L}/u, what);
  for (const language of ['en', 'de', 'fr', 'es', 'pt']) {
    const answer = await page.request.get(searchOf(world, 58), {
      headers: { 'accept-language': `${language};q=0.9` },
    });
    t.match(await answer.text(), new RegExp(`<html lang="${language}">`));
  }
}

async function whoMay(t: Test, world: World): Promise<void> {
  const { service } = world;
  const get = async (path: string) => {
    const answer = await fetch(`${service.dev.liveUrl}/book/${path}`, { headers: { accept: 'text/html' } });
    return { status: answer.status, type: answer.headers.get('content-type'), headers: answer.headers };
  };
  const hotel = await openHotel(service, { enabled: true, embedOrigins: [EMBEDDER] });
  const path = `demo/${hotel.propertyId}`;
  t.match((await get(path)).headers.get('content-security-policy'), /frame-ancestors 'none'/);
  const embedded = (await get(`${path}?embed=1`)).headers;
  t.match(embedded.get('content-security-policy'), new RegExp(`frame-ancestors ${EMBEDDER}$`));
  t.equal(embedded.get('x-frame-options'), null);
  await setPage(hotel, { enabled: false });
  for (const missing of [path, `rival/${hotel.propertyId}`, 'demo/none', 'nobody/none', `${path}/booking/forged`])
    t.match(await get(missing), { status: 404, type: /text\/html/ }, missing);
}

async function everybody(t: Test, world: World, look: (typeof EVERY_LOOK)[number]): Promise<void> {
  const { page, complaints } = await openPage(world.browser, addressOf(world), look);
  await checkWithAxe(t, page);
  await page.goto(`${searchOf(world, 62, 'adults1=2&adults2=1')}&month=2099-01`);
  await checkWithAxe(t, page);
  await page.goto(searchOf(world, 62, 'adults1=1'));
  t.ok(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), 'nothing is cut off');
  await page.locator('button[name=choice1]').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your details' }).waitFor();
  await checkWithAxe(t, page);
  await fillIn(page, `${look.colorScheme}${look.viewport?.width}@example.com`);
  await page.getByText(/^Minutes left/).waitFor();
  await checkWithAxe(t, page);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('heading', { name: 'Your booking is confirmed' }).waitFor();
  await checkWithAxe(t, page);
  t.strictSame(complaints, []);
}

async function robot(t: Test, world: World): Promise<void> {
  const book = () => fetch(`${addressOf(world)}/book?lang=de`, { method: 'POST', redirect: 'manual' });
  let answer = await book();
  for (let sent = 1; sent < 40 && answer.status !== 429; sent++) answer = await book();
  t.equal(answer.status, 429);
  t.match(answer.headers.get('retry-after'), /^\d+$/);
  t.match(await answer.text(), /<html lang="de">[^]*Bitte warten Sie einen Moment/);
}

async function photos(t: Test, world: World): Promise<void> {
  const { service, hotel } = world;
  const path = `${service.dev.reservationUrl}/api/v1/tenants/demo/properties/${hotel.propertyId}/photos`;
  const authorization = `Bearer ${service.token('demo', 'ADMIN')}`;
  const send = (body: Uint8Array<ArrayBuffer>, type: string, query = '?roomType=DLX&alt=By+the+window') =>
    fetch(path + query, {
      method: 'POST',
      headers: { authorization, 'x-tenant-id': 'demo', 'content-type': type },
      body,
    });
  const picture = pngWithPlace();
  const added = await send(picture, 'image/png');
  t.equal(added.status, 201);
  const { url, photoId, ...said } = (await added.json()) as { url: string; photoId: string };
  t.match(said, { mediaType: 'image/png', width: 4, height: 3, alt: 'By the window', roomType: 'DLX', position: 1 });
  t.equal((await send(picture, 'image/jpeg')).status, 200, 'the bytes decide, and a photo is there once');
  const served = await fetch(service.dev.liveUrl + url);
  t.equal(served.headers.get('content-type'), 'image/png');
  t.match(served.headers.get('cache-control'), /immutable/);
  t.equal(served.headers.get('x-content-type-options'), 'nosniff');
  t.notMatch(Buffer.from(await served.arrayBuffer()).toString('latin1'), /Lisbon/, 'nothing says where it was taken');
  const drawing = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
  for (const type of ['image/svg+xml', 'image/png']) t.equal((await send(drawing, type)).status, 415, type);
  const large = await send(new Uint8Array(20 * 1024 * 1024), 'image/png').catch(() => undefined);
  t.ok(large === undefined || large.status === 413, 'refused, or cut off while it is sent');
  t.equal((await send(picture, 'image/png', '?roomType=NONE')).status, 422);
  t.equal(
    (await fetch(service.dev.liveUrl + url.replace('/demo/', '/rival/'))).status,
    404,
    'another tenant has none',
  );
  const foreign = { tenant: 'rival', body: { alt: 'Mine' } };
  const change = `${path.replace('/demo/', '/rival/')}/${photoId}`;
  t.equal((await service.call('PUT', change, foreign)).status, 404);
  const page = await scriptlessPage(world);
  await page.goto(searchOf(world, 66));
  await page.getByRole('img', { name: 'By the window' }).waitFor();
  must(await service.call('DELETE', `${path}/${photoId}`), 200);
  t.equal((await fetch(service.dev.liveUrl + url)).status, 404);
}

/** Bytes of a page with all that it loads, but its photos. */
const MAX_WEIGHT_BYTES = 60_000;

async function isLight(t: Test, world: World): Promise<void> {
  const { page } = await openPage(world.browser, 'about:blank');
  const loaded: string[] = [];
  page.on('response', (response) => void loaded.push(response.url()));
  const answer = await page.goto(searchOf(world, 70));
  t.equal(answer!.headers()['content-encoding'], 'gzip');
  let weight = gzipSync(await answer!.body()).length;
  await page.locator('button[name=choice1]').first().click();
  await fillIn(page, 'light@example.com');
  await page.getByText(/^Minutes left/).waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const files = new Set(loaded.filter((url) => /\.(css|js|woff2)$/.test(url)));
  t.ok(files.size >= 3, 'style, script and font');
  for (const file of files) {
    const content = Buffer.from(await (await fetch(file)).arrayBuffer());
    weight += file.endsWith('.woff2') ? content.length : gzipSync(content).length;
  }
  t.ok(weight <= MAX_WEIGHT_BYTES, `${weight} bytes`);
}
