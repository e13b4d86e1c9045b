import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';

import { lookName } from '../../../src/testing/live/looks.ts';
import {
  checkWithAxe,
  browserFor,
  type Look,
  openPage,
  pageTestOptions,
  signInWithToken,
} from '../../../src/testing/live/page-browser.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

/** Counts how often the page prints, which would open a window of the system. */
const PRINTS = 'globalThis.prints = 0; globalThis.print = () => { globalThis.prints += 1; };';
const WIDE: Look = { viewport: { width: 1440, height: 900 } };
const LOOKS: readonly Look[] = [
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
];

type Folio = {
  windows: {
    window: string;
    balance: number;
    postings: { description: string; amount: number; voidedBy?: string }[];
  }[];
};
const CITY_FEE = {
  code: 'CITY',
  name: 'City fee',
  kind: 'PER_PERSON_NIGHT',
  value: 2.5,
  included: false,
  on: 'ROOM',
};
type Mails = { items: { kind: string }[] };
type World = { service: Service; browser: Browser };

/** The money of a stay at the front desk, in a browser on the real services. */
export async function deskMoney(group: Test, service: Service): Promise<void> {
  await group.test('money at the front desk', pageTestOptions, async (t) => {
    const browser = await browserFor(t);
    const world = { service, browser };
    await t.test('a minibar is on the folio with four clicks, and voided with a reason', (t) => minibar(t, world));
    await t.test('a price that can be read in two ways is refused, and nothing typed is lost', (t) =>
      typed(t, world),
    );
    await t.test('the bill is split with a company in five clicks', (t) => splits(t, world));
    await t.test('a declined card says what to do, and cash takes a part', (t) => pays(t, world));
    await t.test('cash in another currency says what it comes to and what goes back', (t) => tenders(t, world));
    await t.test('a manager gives money back, a colleague sees why not', (t) => refunds(t, world));
    await t.test('a guest leaves and has a printed invoice after four clicks', (t) => prints(t, world));
    await t.test('a stay that is not confirmed is held until a time, and pays by the keyboard', (t) =>
      held(t, world),
    );
    for (const look of LOOKS) await t.test(`everybody can use it: ${lookName(look)}`, (t) => looks(t, world, look));
  });
}

/** Opens the panel of a stay, which is one click. */
async function opened(
  { service, browser }: World,
  property: BlackboxProperty,
  reservationId: string,
  { role = 'STAFF', look = WIDE }: { role?: 'STAFF' | 'MANAGER'; look?: Look } = {},
): Promise<{ page: Page; dialog: Locator; complaints: string[] }> {
  const { page, complaints } = await openPage(browser, `${service.dev.liveUrl}/desk`, look, [PRINTS]);
  page.setDefaultTimeout(60_000);
  await signInWithToken(page, service.token('demo', role));
  await page.getByRole('combobox', { name: 'Property' }).selectOption(property.propertyId);
  await page.locator(`.tape [data-stay="${reservationId}"]`).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Folio' }).waitFor();
  return { page, dialog, complaints };
}

async function minibar(t: Test, world: World): Promise<void> {
  const { property, reservationId } = await inHouse(world.service);
  await extra(world.service, property, 'MINIBAR', { name: 'Minibar, water', price: 4.5 });
  const { dialog, page, complaints } = await opened(world, property, reservationId);
  await dialog.getByRole('button', { name: 'Post charge' }).click();
  await dialog.getByRole('radio', { name: /^Minibar, water/ }).check();
  await dialog.getByText('1 × Minibar, water at €4.50: €4.50 on the bill of').waitFor();
  t.same(descriptions(await folioOf(world.service, reservationId), 'GUEST').includes('Minibar, water'), false);
  await dialog.getByRole('button', { name: 'Post €4.50' }).dblclick();
  const row = dialog.getByRole('row', { name: /Minibar, water/ });
  await row.waitFor();
  t.equal(await row.count(), 1, 'a double click posts once');
  t.equal(await row.locator('td').last().textContent(), '€4.50');
  const aligned = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('.folio td.amount')).textAlign`,
  );
  t.equal(aligned, 'right');
  t.equal(await dialog.getByRole('button', { name: /^Void/ }).count(), 0, 'a manager does that');
  t.strictSame(complaints, []);

  const manager = await opened(world, property, reservationId, { role: 'MANAGER' });
  await manager.dialog.getByRole('button', { name: 'Folio' }).click();
  await manager.dialog.getByRole('button', { name: 'Void Minibar, water, €4.50' }).click();
  await manager.dialog.getByText('Takes €4.50 for Minibar, water off the bill of').waitFor();
  const send = manager.dialog.getByRole('button', { name: 'Void the charge' });
  t.equal(await send.isDisabled(), true, 'not without a reason');
  await manager.dialog.getByLabel('Reason').fill('Was not taken');
  await manager.page.keyboard.press('Enter');
  await manager.dialog.locator('[data-voided]').getByText('Voided').waitFor();
  const lines = (await folioOf(world.service, reservationId)).windows[0]!.postings;
  t.match(
    lines.find(({ description }) => description === 'Minibar, water'),
    { voidedBy: String },
  );
}

async function typed(t: Test, world: World): Promise<void> {
  const { property, reservationId } = await inHouse(world.service);
  const { dialog, page } = await opened(world, property, reservationId);
  await dialog.getByLabel('Note for staff').fill('Broke a lamp');
  await dialog.getByRole('button', { name: 'Post charge' }).click();
  await dialog.getByRole('radio', { name: 'Something else' }).check();
  await dialog.getByLabel('Description').fill('Broken lamp');
  const amount = dialog.getByLabel('Amount');
  await amount.fill('1,250');
  await dialog.getByText('1,250 can be read in two ways.').waitFor();
  t.equal(await dialog.getByRole('button', { name: 'Post to the folio' }).isDisabled(), true);
  await dialog.getByRole('button', { name: 'Print invoice' }).click();
  await dialog.getByRole('button', { name: 'Post charge' }).click();
  t.equal(await dialog.getByLabel('Description').inputValue(), 'Broken lamp', 'still there');
  await page.reload();
  await dialog.getByRole('button', { name: 'Post charge' }).click();
  await dialog.getByText('1,250 can be read in two ways.').waitFor();
  t.equal(await dialog.getByLabel('Description').inputValue(), 'Broken lamp', 'after a reload too');
  t.equal(await dialog.getByLabel('Note for staff').inputValue(), 'Broke a lamp');
  await amount.fill('1.250,50');
  await dialog.getByRole('button', { name: 'Post €1,250.50' }).click();
  await dialog.getByRole('row', { name: /Broken lamp/ }).waitFor();
  await dialog.getByRole('row', { name: /^Balance so far/ }).waitFor();
  t.match(await folioOf(world.service, reservationId), { windows: [{ window: 'GUEST' }] });
  const { json } = await property.read(reservationId);
  t.equal(json.financial.totalAmount, 200 + 1250.5);
}

async function splits(t: Test, world: World): Promise<void> {
  const { service } = world;
  const { property, reservationId } = await inHouse(service);
  const name = `Analytical Engines ${randomUUID().slice(0, 6)}`;
  const path = `${service.dev.reservationUrl}/api/v1/companies`;
  must(await service.call('POST', path, { role: 'MANAGER', body: { name } }), 201);
  const { dialog } = await opened(world, property, reservationId);
  await dialog.getByRole('button', { name: 'Folio' }).click();
  await dialog.getByRole('button', { name: 'Split the bill with a company' }).click();
  await dialog.getByRole('radio', { name }).check();
  await dialog.getByText(`${name} pays €200.00 with the nights to come.`).waitFor();
  await dialog.getByRole('button', { name: 'Split the bill', exact: true }).click();
  await dialog.getByRole('region', { name, exact: true }).getByText('€200.00').first().waitFor();
  const { json } = await service.reservations<{ companyId: string }>('GET', `/${reservationId}`);
  t.type(json.companyId, 'string');
  const folio = await folioOf(service, reservationId);
  t.same(folio.windows.map(({ window }) => window).sort(), ['COMPANY', 'GUEST']);
}

async function pays(t: Test, world: World): Promise<void> {
  const { property, reservationId } = await inHouse(world.service);
  const { dialog } = await opened(world, property, reservationId);
  await dialog.getByRole('button', { name: 'Take payment' }).click();
  const amount = dialog.getByLabel('Amount');
  await dialog.getByRole('button', { name: 'Take €200.00' }).waitFor();
  t.equal(await amount.inputValue(), '200.00', 'the balance');
  await amount.fill('300');
  await dialog.getByText('Only €200.00 is open for this payer.').waitFor();
  await amount.fill('120,5');
  await dialog.getByRole('radio', { name: 'Declined' }).check();
  await dialog.getByText('Takes €120.50 by card from').waitFor();
  await dialog.getByRole('button', { name: 'Take €120.50' }).click();
  await dialog.getByRole('alert').getByText('The card was declined and nothing was charged.').waitFor();
  t.equal(await amount.inputValue(), '120,5', 'still there');
  await dialog.getByRole('radio', { name: 'Cash' }).check();
  await dialog.getByRole('button', { name: 'Take €120.50' }).dblclick();
  await dialog.getByText('€120.50 is taken in cash. €79.50 is open.').waitFor();
  const { json } = await property.read(reservationId);
  t.match(json.financial, { paidAmount: 120.5, balanceDue: 79.5 });
  await dialog.getByRole('button', { name: 'Take payment' }).click();
  await dialog.getByRole('radio', { name: 'Card terminal' }).check();
  await amount.fill('29.50');
  await dialog.getByText('Type the number of the slip').waitFor();
  await dialog.getByLabel('Number of the slip').fill('4242 4242 4242 4242');
  t.ok(await dialog.getByRole('button', { name: 'Take €29.50' }).isDisabled(), 'a card number is no slip');
  await dialog.getByLabel('Number of the slip').fill(`SLIP ${reservationId}`);
  await dialog.getByLabel('Last 4 digits of the card').fill('0005');
  await dialog.getByText('Takes €29.50 by card at the terminal from').waitFor();
  await dialog.getByRole('button', { name: 'Take €29.50' }).click();
  await dialog.getByText('€29.50 is taken by card at the terminal. €50.00 is open.').waitFor();
  await dialog.getByRole('button', { name: 'Take payment' }).click();
  await dialog.getByRole('radio', { name: 'Answer lost' }).check();
  await dialog.getByRole('button', { name: 'Take €50.00' }).click();
  await dialog.getByText('€50.00 is taken by card. Nothing is open.').waitFor();
  t.match((await property.read(reservationId)).json.financial, { paidAmount: 200, balanceDue: 0 }, 'charged once');
}

async function tenders(t: Test, world: World): Promise<void> {
  const { service } = world;
  const { property, reservationId } = await inHouse(service);
  const path = `/properties/${property.propertyId}/exchange-rates`;
  must(await service.tenants('PUT', path, { body: { rates: [{ currency: 'USD', rate: 0.8 }] } }), 200);
  const { dialog } = await opened(world, property, reservationId);
  await dialog.getByRole('button', { name: 'Take payment' }).click();
  await dialog.getByRole('radio', { name: 'Cash' }).check();
  await dialog.getByLabel('Currency').selectOption('USD');
  t.equal(await dialog.getByLabel('Amount').inputValue(), '250.00');
  await dialog.getByLabel('Amount').fill('260');
  await dialog.getByText('$260.00 at 0.8 is €208.00. Takes €200.00 in cash').waitFor();
  await dialog.getByText('Give back €8.00.').waitFor();
  await dialog.getByRole('button', { name: 'Take $260.00' }).click();
  await dialog.locator('.done').getByText('Nothing is open. Give back €8.00.').waitFor();
  t.match((await property.read(reservationId)).json.financial, { paidAmount: 200 });
}

async function refunds(t: Test, world: World): Promise<void> {
  const { service } = world;
  const { property, reservationId } = await inHouse(service, 'tok_visa');
  const staff = await opened(world, property, reservationId);
  t.equal(await staff.dialog.getByRole('button', { name: 'Refund' }).isDisabled(), true);
  await staff.dialog.getByText('Only a manager gives money back.').waitFor();
  const { dialog, page } = await opened(world, property, reservationId, { role: 'MANAGER' });
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByLabel('Amount').fill('129,20');
  await dialog.getByText('Refund €129.20 to card ending 4242').waitFor();
  await dialog.getByText('the guest then owes €129.20').waitFor();
  await dialog.getByRole('checkbox', { name: /^Good will/ }).check();
  await dialog.getByText('the stay costs €129.20 less; nothing is open then.').waitFor();
  await dialog.getByLabel('Reason').fill('The heating was off');
  await page.keyboard.press('Enter');
  await dialog.locator('.done').getByText('€129.20 is refunded to card').waitFor();
  t.match((await property.read(reservationId)).json.financial, { paidAmount: 70.8, totalAmount: 70.8 });
}

async function prints(t: Test, world: World): Promise<void> {
  const { property, reservationId } = await inHouse(world.service, 'tok_visa', { taxes: [CITY_FEE] });
  const { dialog, page } = await opened(world, property, reservationId);
  await dialog.getByRole('button', { name: 'Check out' }).click();
  await dialog.getByRole('button', { name: 'Check out now' }).click();
  await dialog.getByText('is checked out.').waitFor();
  await dialog.getByRole('button', { name: 'Print invoice' }).click();
  const sheet = dialog.getByRole('article', { name: /^Invoice INV-/ });
  await sheet.waitFor();
  await page.waitForFunction('globalThis.prints === 1');
  const text = await sheet.textContent();
  t.match(text, /Subtotal€\d+\.00City fee€\d+\.00Total€\d+\.00/);
  t.notMatch(text, 'Fees', 'the fee once');
  await dialog.getByRole('button', { name: 'Mail invoice' }).click();
  const address = dialog.getByLabel('E-mail address');
  await dialog.getByText(/^Mails INV-\d{4}-\d{6} with its lines and the link to the receipt to ada\./).waitFor();
  await address.fill('books@example.com');
  await dialog.getByText(/ to books@example\.com\.$/).waitFor();
  await dialog.getByRole('button', { name: 'Send to books@example.com' }).dblclick();
  await dialog.getByText('It is on its way to books@example.com.').waitFor();
  const { items } = must(await world.service.reservations<Mails>('GET', `/${reservationId}/messages`), 200).json;
  t.equal(items.filter(({ kind }) => kind === 'INVOICE').length <= 1, true, 'a double click mails once');
  await page.emulateMedia({ media: 'print' });
  t.equal(await page.getByRole('grid').isVisible(), false, 'on paper there is the sheet alone');
  t.equal(await sheet.isVisible(), true);
  t.equal(await dialog.getByRole('button', { name: 'Print invoice' }).isVisible(), false);
}

async function held(t: Test, world: World): Promise<void> {
  const property = await BlackboxProperty.open(world.service, { rooms: { DLX: 2 }, pricedNights: 10 });
  const { reservationId } = await property.booked({ from: 0, card: null });
  const { dialog, page } = await opened(world, property, reservationId);
  await dialog.getByText(/^Held until \d\d:\d\d.* \(1?\d min left\)/).waitFor();
  t.match(
    await page.locator(`.tape [data-stay="${reservationId}"]`).getAttribute('aria-label'),
    /Held until .*balance €200/,
  );
  await dialog.getByRole('button', { name: 'Take payment' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Take €200.00' }).waitFor();
  await dialog.getByLabel('Amount').focus();
  await page.keyboard.press('Enter');
  await dialog.locator('.done').getByText('Nothing is open.').waitFor();
  t.equal(await page.evaluate<boolean>(`document.activeElement.matches('.done')`), true, 'the focus is there');
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
  await page.keyboard.press('Escape');
  await dialog.waitFor();
  t.equal(await dialog.locator('.folio').count(), 0, 'Escape closes the folio first');
}

async function looks(t: Test, world: World, look: Look): Promise<void> {
  const { service } = world;
  const { property, reservationId } = await inHouse(service, 'tok_visa');
  await extra(service, property, 'MINIBAR', { name: 'Minibar, water', price: 4.5 });
  const body = { extraCode: 'MINIBAR', quantity: 2 };
  must(await service.reservations('POST', `/${reservationId}/folio/postings`, { body }), 201);
  const { dialog, page } = await opened(world, property, reservationId, { role: 'MANAGER', look });
  for (const name of ['Folio', 'Take payment', 'Post charge', 'Refund', 'Print invoice']) {
    await dialog.getByRole('button', { name }).click();
    await dialog.locator('.folio, .money-form, .invoice-sheet').first().waitFor();
    await checkWithAxe(t, page);
  }
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  t.ok(overflow <= 0, 'the page itself never scrolls sideways');
}

/** A guest in house for two nights, 200.00 with nothing paid unless a card is given. */
async function inHouse(
  service: Service,
  card: string | null = null,
  more: object = {},
): Promise<{ property: BlackboxProperty; reservationId: string }> {
  const policies = { paymentRequired: false, autoAssign: false, ...more };
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 }, pricedNights: 10, policies });
  const path = `/properties/${property.propertyId}/rooms`;
  for (const roomNumber of ['101', '102'])
    must(await service.tenants('POST', path, { body: { roomNumber, roomType: 'DLX', floor: 1 } }), 201);
  const { reservationId } = await property.booked({ from: 0, card });
  must(
    await service.reservations('POST', `/${reservationId}/checkin`, { body: { identificationVerified: true } }),
    200,
  );
  return { property, reservationId };
}

async function extra(service: Service, { propertyId }: BlackboxProperty, code: string, body: object): Promise<void> {
  must(await service.tenants('PUT', `/properties/${propertyId}/services/${code}`, { body }), 200);
}

const folioOf = async (service: Service, id: string): Promise<Folio> =>
  must(await service.reservations<Folio>('GET', `/${id}/folio`), 200).json;

const descriptions = ({ windows }: Folio, of: string): string[] =>
  windows.find(({ window }) => window === of)?.postings.map(({ description }) => description) ?? [];
