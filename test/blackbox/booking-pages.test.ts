import type { Browser, Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';

import { EVERY_LOOK, lookName } from '../../src/testing/live/looks.ts';
import {
  checkWithAxe,
  closeWindows,
  type Look,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import { sharedPages } from './shared-pages.ts';

t.setTimeout(PAGE_FILE_MS);

const ROOMS = ['101', '102', '103', '104'];
const WIDE: Look = { viewport: { width: 1440, height: 900 } };
/** What somebody has typed and a tab keeps. */
const STORED = 'JSON.stringify({ ...sessionStorage })';

/** New reservations in the browser, on the real services. */
void t.test('a desk agent books', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const world: World = { service, browser };
  await t.test('by a drag over free nights, for a guest found by half a name, once', (t) => byDrag(t, world));
  await t.test('a walk-in by card within ten clicks, and one in cash', (t) => walksIn(t, world));
  await t.test('two rooms on the phone within fourteen clicks', (t) => twoRooms(t, world));
  await t.test('what somebody else took meanwhile: the reason, and what else there is', (t) => refused(t, world));
  await t.test('no other price than the one that was shown', (t) => priceMoves(t, world));
  await t.test('a form that a session left half filled, without its card', (t) => sessionEnds(t, world));
  await t.test('a room that is sold out goes to the waitlist, and a viewer books nothing', (t) => waits(t, world));
  for (const look of EVERY_LOOK)
    await t.test(`everybody can use it: ${lookName(look)}`, (t) => everybody(t, world, look));
});

type World = { service: Service; browser: Browser };

/** Counts what a person clicks; typing is not counted. */
class Clicks {
  count = 0;

  async on(what: Locator): Promise<void> {
    this.count += 1;
    await what.click();
  }

  /** Opens a list and picks from it. */
  async pick(list: Locator, option: string): Promise<void> {
    this.count += 2;
    await list.selectOption(option);
  }
}

async function byDrag(t: Test, world: World): Promise<void> {
  const property = await hotel(world.service);
  const guest = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  await property.booked({ from: 6, guest, stay: { roomType: 'STD' } });
  const { page } = await open(world, property);
  const track = (await page.locator('[data-room="103"] .track').boundingBox())!;
  const middle = (day: number): number => track.x + (track.width / 14) * (day + 0.5);
  // The chart begins yesterday.
  await page.mouse.move(middle(3), track.y + 12);
  await page.mouse.down();
  await page.mouse.move(middle(5), track.y + 12, { steps: 4 });
  await page.mouse.up();
  const panel = page.getByRole('region', { name: 'New reservation' });
  t.equal(await panel.getByLabel('Arrival').inputValue(), property.day(2));
  t.equal(await panel.getByLabel('Departure').inputValue(), property.day(4));
  await panel.getByText('€200.00 is charged to the card now').waitFor();
  t.equal(await panel.getByRole('radio', { name: /Type DLX/ }).isChecked(), true);
  t.equal(await panel.getByLabel('Room number').inputValue(), '103');
  const book = panel.getByRole('button', { name: 'Book', exact: true });
  await panel.getByLabel('Departure').fill(property.day(1));
  await panel.getByRole('alert').getByText('The departure is before the arrival.').waitFor();
  t.equal(await book.isDisabled(), true);
  await panel.getByLabel('Departure').fill(property.day(4));
  await panel.getByText('€200.00 is charged to the card now').waitFor();
  await panel.getByLabel('Find a guest').fill('lovel');
  await panel.getByRole('button', { name: /Ada Lovelace.*Known, no past stay/ }).click();
  t.equal(await panel.getByLabel('E-mail').inputValue(), guest.email);
  await panel.getByText('Declined').click();
  await book.click();
  await panel.getByText('The card was declined, and nothing is booked.').waitFor();
  t.equal(await panel.getByLabel('Last name').inputValue(), 'Lovelace', 'all that was typed is there');
  await panel.getByText('Slow').click();
  const sent: string[] = [];
  page.on('request', (one) => one.method() === 'POST' && sent.push(new URL(one.url()).pathname));
  await book.dblclick();
  const drawer = page.getByRole('dialog', { name: 'Ada Lovelace' });
  await drawer.getByText(/Ada Lovelace is booked, confirmation [0-9A-Z]{10}\./).waitFor();
  t.same(sent, ['/api/v1/reservations'], 'a double click books once');
  await page.locator('[data-room="103"] [data-stay][data-opened]').waitFor();
  t.equal(await panel.count(), 0);
  t.same(await property.left(2, 2, 'DLX'), [3, 3]);
}

async function walksIn(t: Test, world: World): Promise<void> {
  const property = await hotel(world.service);
  await world.service.tenants('PUT', `/properties/${property.propertyId}/rooms/101/status`, {
    body: { status: 'DIRTY' },
  });
  const { page } = await open(world, property);
  const clicks = new Clicks();
  await clicks.on(page.getByRole('button', { name: 'Walk-in' }));
  const panel = page.getByRole('region', { name: 'Walk-in' });
  await clicks.on(panel.getByLabel('First name'));
  await page.keyboard.type('Sam');
  await clicks.on(panel.getByLabel('Last name'));
  await page.keyboard.type('Street');
  await panel.getByText('€100.00 is charged to the card now. Then the guest is checked in to room 102.').waitFor();
  await clicks.on(panel.getByLabel('ID checked'));
  await clicks.on(panel.getByRole('button', { name: 'Book and check in' }));
  await page.getByRole('dialog', { name: 'Sam Street' }).getByText('Checked in, room 102.').waitFor();
  await page.locator('[data-room="102"] [data-stay][data-opened]').waitFor();
  t.ok(clicks.count <= 10, `${clicks.count} clicks`);

  await page.keyboard.press('Escape');
  await page.keyboard.press('w');
  await panel.getByLabel('First name').fill('Kim');
  await panel.getByLabel('Last name').fill('Cash');
  await panel.getByText('Cash, now').click();
  await panel.getByText('€100.00 is taken in cash now').waitFor();
  await panel.getByLabel('ID checked').check();
  await panel.getByRole('button', { name: 'Book and check in' }).click();
  const drawer = page.getByRole('dialog', { name: 'Kim Cash' });
  await drawer.getByText('Checked in, room 103.').waitFor();
  t.match(await drawer.locator('.facts').textContent(), /Total€100\.00Paid€100\.00/);

  await page.keyboard.press('Escape');
  await page.keyboard.press('w');
  await panel.getByLabel('First name').fill('Ted');
  await panel.getByLabel('Last name').fill('Terminal');
  await panel.getByText('Card terminal').click();
  await panel.getByText('€100.00 is recorded as taken by the card terminal').waitFor();
  await panel.getByLabel('ID checked').check();
  t.ok(await panel.getByRole('button', { name: 'Book and check in' }).isDisabled(), 'without a slip');
  await panel.getByLabel('Number of the slip').fill('SLIP 17');
  await panel.getByRole('button', { name: 'Book and check in' }).click();
  const ted = page.getByRole('dialog', { name: 'Ted Terminal' });
  await ted.getByText('Checked in, room').waitFor();
  t.match(await ted.locator('.facts').textContent(), /Total€100\.00Paid€100\.00/);
}

async function twoRooms(t: Test, world: World): Promise<void> {
  const property = await hotel(world.service);
  const { page } = await open(world, property);
  const clicks = new Clicks();
  await page.keyboard.press('n');
  const panel = page.getByRole('region', { name: 'New reservation' });
  await panel.getByLabel('Arrival').fill(property.day(20));
  await panel.getByLabel('Departure').fill(property.day(22));
  await clicks.pick(panel.getByLabel('Rooms'), '2');
  await clicks.on(panel.getByLabel('The rooms differ'));
  const second = panel.getByRole('group', { name: 'Room 2' });
  await clicks.pick(second.getByLabel('Children'), '1');
  await panel.getByText('Say how old each child is').waitFor();
  t.equal(await panel.getByRole('button', { name: 'Book', exact: true }).isEnabled(), false);
  await clicks.pick(second.getByLabel('Age of child 1'), '7');
  await clicks.on(panel.getByLabel('First name'));
  for (const [index, text] of ['Grace', 'Hopper', 'grace@example.com'].entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await panel.getByText('2 × Type DLX').waitFor();
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().endsWith('/api/v1/bookings')),
    clicks.on(panel.getByRole('button', { name: 'Book', exact: true })),
  ]);
  t.match(request.postDataJSON(), {
    stayDetails: { maxTotal: Number },
    rooms: [{ adults: 2 }, { adults: 2, childAges: [7] }],
    source: { channel: 'PHONE' },
  });
  await page
    .getByText(/Grace Hopper is booked, confirmation [0-9A-Z]{10}, [0-9A-Z]{10}\./)
    .first()
    .waitFor();
  await page.locator('[data-stay][data-opened]').waitFor();
  t.same(await property.left(20, 2, 'DLX'), [2, 2], 'the chart shows the day, though it is weeks ahead');
  t.ok(clicks.count <= 14, `${clicks.count} clicks`);
}

async function refused(t: Test, world: World): Promise<void> {
  const property = await hotel(world.service);
  const { page } = await open(world, property);
  const panel = await filled(page, property, { from: 3, roomType: 'STD' });
  for (let n = 0; n < 2; n++) await property.booked({ from: 3, nights: 1, roomType: 'STD' });
  await panel.getByRole('button', { name: 'Book', exact: true }).click();
  await panel.getByText('Somebody else has just taken the last room').waitFor();
  const alternatives = panel.getByRole('list', { name: 'These stays can be had' });
  t.ok((await alternatives.getByRole('button').count()) > 0);
  await alternatives.getByRole('button', { name: /Type DLX/ }).click();
  await panel.getByText(/Type DLX.*for Ada King: €100\.00/).waitFor();
  await panel.getByRole('button', { name: 'Book', exact: true }).click();
  await page
    .getByText(/Ada King is booked/)
    .first()
    .waitFor();
}

async function priceMoves(t: Test, world: World): Promise<void> {
  const property = await hotel(world.service);
  const { page } = await open(world, property);
  const panel = await filled(page, property, { from: 3, roomType: 'DLX' });
  must(await property.price('DLX', 3, 1, 140), 200);
  const sent = page.waitForResponse((one) => one.url().endsWith('/api/v1/reservations') && one.status() === 201);
  await panel.getByRole('button', { name: 'Book', exact: true }).click();
  t.match(await (await sent).json(), { financial: { totalAmount: 100 } }, 'one room: the price was promised');
  await panel.waitFor({ state: 'detached' });
  await page
    .getByRole('dialog', { name: 'Ada King' })
    .getByText(/is booked/)
    .waitFor();
  await page.keyboard.press('Escape');

  const lost = await filled(page, property, { from: 9, roomType: 'DLX' });
  await lost.getByText('Answer lost').click();
  await lost.getByRole('button', { name: 'Book', exact: true }).click();
  // The form is there until the answer is known; the announcement of the booking before is still on the page.
  await lost.waitFor({ state: 'detached' });
  t.same(await property.left(9, 1, 'DLX'), [3], 'a lost answer books once');
  await page
    .getByRole('dialog', { name: 'Ada King' })
    .getByText(/is booked/)
    .waitFor();
  await page.keyboard.press('Escape');

  const again = await filled(page, property, { from: 5, roomType: 'DLX', rooms: '2' });
  must(await property.price('DLX', 5, 1, 140), 200);
  await again.getByRole('button', { name: 'Book', exact: true }).click();
  await again.getByRole('alert').getByText('The price').waitFor();
  await again.locator('.offers[aria-busy=false]').waitFor();
  t.match(
    await again.getByRole('alert').textContent(),
    /The price is now €280\.00; it was €200\.00\. Nothing is booked/,
  );
  t.same(await property.left(5, 1, 'DLX'), [4]);
  await again.getByRole('button', { name: 'Book', exact: true }).click();
  await page
    .getByText(/Ada King is booked/)
    .first()
    .waitFor();
  t.same(await property.left(5, 1, 'DLX'), [2]);
}

async function sessionEnds(t: Test, world: World): Promise<void> {
  const property = await hotel(world.service);
  const { page } = await open(world, property);
  const panel = await filled(page, property, { from: 3, roomType: 'DLX' });
  await panel.getByText('Slow').click();
  await panel.getByLabel('Requests').fill('No news at noon');
  t.equal(await panel.count(), 1, 'letters in a field open nothing');
  t.notMatch(await page.evaluate<string>(STORED), 'tok_slow');
  await page.evaluate(`sessionStorage.removeItem('innkeeper.signed-in')`);
  await page.reload();
  await signInWithToken(page, world.service.token('demo', 'STAFF'));
  await page.getByRole('combobox', { name: 'Property' }).selectOption(property.propertyId);
  t.equal(await panel.getByLabel('Last name').inputValue(), 'King');
  t.equal(await panel.getByLabel('Requests').inputValue(), 'No news at noon');
  t.equal(await panel.getByLabel('Arrival').inputValue(), property.day(3));
  await panel.getByRole('button', { name: 'Start over' }).click();
  t.equal(await panel.getByLabel('Last name').inputValue(), '');
  await panel.getByLabel('Last name').fill('Kay');
  await panel.getByRole('button', { name: 'Close' }).click();
  t.notMatch(page.url(), 'new=');
  await page.goBack();
  t.equal(await panel.getByLabel('Last name').inputValue(), 'Kay', 'Back opens it again');
  await page.keyboard.press('Escape');
  t.equal(await panel.count(), 0);
}

async function waits(t: Test, world: World): Promise<void> {
  const property = await hotel(world.service);
  for (let n = 0; n < 2; n++) await property.booked({ from: 3, nights: 1, roomType: 'STD' });
  const { page } = await open(world, property);
  const panel = await filled(page, property, { from: 3, roomType: 'DLX' });
  await panel.getByText('Type STD Sold out on').waitFor();
  const wait = panel.getByRole('button', { name: 'Put on the waitlist' });
  const keys: (string | undefined)[] = [];
  page.on('request', (one) => {
    if (one.url().endsWith('/waitlist')) keys.push(one.headers()['idempotency-key']);
  });
  await page.route('**/waitlist', (route) => route.abort(), { times: 3 });
  await wait.click();
  await panel.locator('.form-error').first().waitFor();
  await wait.click();
  await panel.getByText('Ada King waits for a room, number 1 on the list.').waitFor();
  t.equal(new Set(keys).size, 1, 'every press of one form is one request');
  const viewer = await open(world, property, 'VIEWER');
  t.equal(await viewer.page.getByRole('button', { name: 'New reservation' }).count(), 0);
  await viewer.page.keyboard.press('n');
  t.equal(await viewer.page.getByRole('region', { name: 'New reservation' }).count(), 0);
}

async function everybody(t: Test, world: World, look: Look): Promise<void> {
  const property = await hotel(world.service);
  const { page, complaints } = await open(world, property, 'STAFF', look);
  const panel = await filled(page, property, { from: 3, roomType: 'DLX', rooms: '2' });
  await checkWithAxe(t, page);
  await panel.getByLabel('The rooms differ').check();
  await panel.getByLabel('Find a guest').fill('a');
  await panel.getByRole('group', { name: 'Room 2' }).getByLabel('Children').selectOption('1');
  await checkWithAxe(t, page);
  await panel.getByRole('button', { name: 'Book', exact: true }).scrollIntoViewIfNeeded();
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  t.ok(overflow <= 0, 'the page itself never scrolls sideways');
  t.strictSame(complaints, []);
}

/** A property with four rooms of type DLX and two of type STD; prices are € 100 a night. */
async function hotel(service: Service): Promise<BlackboxProperty> {
  const rooms = { DLX: ROOMS.length, STD: 2 };
  const property = await BlackboxProperty.open(service, { rooms, pricedNights: 40, policies: { autoAssign: false } });
  for (const roomNumber of [...ROOMS, '201', '202']) {
    const body = { roomNumber, roomType: roomNumber < '200' ? 'DLX' : 'STD', floor: 1 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
  }
  return property;
}

async function open(
  { service, browser }: World,
  property: BlackboxProperty,
  role: 'STAFF' | 'VIEWER' = 'STAFF',
  look: Look = WIDE,
): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser, `${service.dev.liveUrl}/desk`, look);
  opened.page.setDefaultTimeout(30_000);
  await signInWithToken(opened.page, service.token('demo', role));
  await opened.page.getByRole('combobox', { name: 'Property' }).selectOption(property.propertyId);
  await opened.page.locator('[data-room="101"]').waitFor();
  return opened;
}

type Wish = { from: number; roomType: string; rooms?: string };

/** The form for a night of Ada King. */
async function filled(page: Page, property: BlackboxProperty, { from, roomType, rooms }: Wish): Promise<Locator> {
  await page.getByRole('button', { name: 'New reservation' }).click();
  const panel = page.getByRole('region', { name: 'New reservation' });
  await panel.getByLabel('Arrival').fill(property.day(from));
  await panel.getByLabel('Departure').fill(property.day(from + 1));
  if (rooms !== undefined) await panel.getByLabel('Rooms').selectOption(rooms);
  await panel.getByRole('radio', { name: new RegExp(`Type ${roomType}`) }).click();
  await panel.getByLabel('First name').fill('Ada');
  await panel.getByLabel('Last name').fill('King');
  await panel.getByLabel('E-mail').fill('ada.king@example.com');
  await panel.getByText('for Ada King').waitFor();
  await panel.locator('.offers[aria-busy=false]').waitFor();
  return panel;
}
