import type { Page } from 'playwright-core';
import t from 'tap';

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
import { ownHotel } from './own-hotel.ts';
import { must } from './property.ts';
import { sharedPages } from './shared-pages.ts';
import { makeTenants } from './tenants.ts';

t.setTimeout(PAGE_FILE_MS);

/** Clicks that a person needs at most until the own property can be booked. */
const MAX_CLICKS = 20;

type Quotes = { rates: { total: number; taxLines: { code: string }[] }[] };
type Rooms = { items: { roomNumber: string; roomType: string; floor: number }[] };

/** A property is set up in a browser, on the real services (docs/guide/first-hotel.md#in-the-browser). */
void t.test('the first hotel, step by step', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const open = async (path: string, look: Look = {}) => {
    const opened = await openPage(browser, `${service.dev.liveUrl}${path}`, look);
    await signInWithToken(opened.page, service.token('demo', 'OWNER'));
    await opened.page.getByRole('heading', { name: 'Set up a property' }).waitFor();
    return opened;
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);

  await t.test('a property sells after six steps, and not before somebody opens it', async (t) => {
    const { page, complaints } = await open('/admin/first-hotel');
    let clicks = 0;
    const click = (name: string) => {
      clicks += 1;
      return page.getByRole('button', { name, exact: true }).click();
    };
    await page.getByLabel('Name').fill('Bay Inn');
    await page.getByLabel('Country').selectOption('PT');
    t.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Lisbon', 'the country says so');
    t.equal(await page.getByLabel('Currency').inputValue(), 'EUR');
    await click('Next');
    await page.getByText('Please check the marked fields.').waitFor();
    await page.getByLabel('Street').fill('Rua da Praia 1');
    await page.getByLabel('Postal code').fill('1100-001');
    await page.getByLabel('City').fill('Lisboa');
    await click('Next');

    await heading(page, 'Rooms');
    t.match(page.url(), 'property=bay-inn');
    await click('Add room type');
    const type = (index: number) => page.getByRole('group', { name: `Room type ${index}` });
    await type(1).getByLabel('Name').fill('Double room');
    await type(1).getByLabel('Room numbers').fill('101-103');
    await type(1).getByLabel('Guests at most').fill('2');
    await type(2).getByLabel('Name').fill('Double with terrace');
    await type(2).getByLabel('Room numbers').fill('201');
    await type(2).getByText('1 room: 201').waitFor();
    await type(2).getByLabel('Guests at most').fill('3');
    await click('Next');

    await heading(page, 'Photos');
    await page.getByText('There is no photo yet.').waitFor();
    await click('Next');

    await heading(page, 'Rate plans');
    await page.getByText('A card is kept, and charged when something is owed.').waitFor();
    await page.getByRole('checkbox', { name: 'Non-refundable rate' }).uncheck();
    await click('Next');

    await heading(page, 'Taxes');
    await page.reload();
    await heading(page, 'Taxes');
    await page.getByText('Código do IVA, list I, item 2.17').waitFor();
    await page.getByLabel('Taxa municipal turística').fill('4');
    await click('Next');

    await heading(page, 'Prices');
    await click('Back');
    await page.getByText('Set up: VAT on lodging, VAT on extras, Taxa municipal turística.').waitFor();
    await click('Next');
    await heading(page, 'Prices');
    const prices = (name: string) => page.getByRole('group', { name, exact: true });
    await prices('Double room').getByLabel('Sunday to Thursday').fill('90');
    await prices('Double room').getByLabel('Friday and Saturday').fill('120,50');
    await prices('Double with terrace').getByLabel('Sunday to Thursday').fill('110');
    await click('Next');

    await heading(page, 'Summary');
    await page.getByText('4 rooms: 3 Double room, 1 Double with terrace.').waitFor();
    const quote = `/current?propertyId=bay-inn&checkIn=${day(30)}&checkOut=${day(31)}`;
    const before = await service.rates<Partial<Quotes>>('GET', quote);
    t.equal(before.json.rates?.length ?? 0, 0, 'nothing is sold yet');
    await click('Open for sale');
    await page.getByText('Bay Inn is open for sale.').waitFor();
    const { rates } = must(await service.rates<Quotes>('GET', quote), 200).json;
    t.equal(rates.length, 2, 'both types are sold');
    t.ok(rates[0]?.taxLines.some(({ code }) => code === 'CITY'));
    const rooms = must(await service.tenants<Rooms>('GET', '/properties/bay-inn/rooms'), 200).json.items;
    t.same(rooms.map(({ roomNumber, floor }) => `${roomNumber} ${floor}`).sort(), [
      '101 1',
      '102 1',
      '103 1',
      '201 2',
    ]);
    type Plans = { items: { code: string; status: string; inherits: string[] }[] };
    const plans = must(await service.rates<Plans>('GET', '/plans?propertyId=bay-inn'), 200).json.items;
    t.match(
      plans.find(({ code }) => code === 'NRF'),
      { status: 'INACTIVE' },
    );
    t.ok(clicks + 1 <= MAX_CLICKS, `${clicks + 1} clicks`);
    t.strictSame(complaints, [], 'no errors, and nothing that the policy forbids');
  });

  await t.test('from nothing to a paid stay of a guest on the desk', async (t) => {
    await makeTenants(service, [{ tenantId: 'bay-hotels' }]);
    const token = service.token('demo', 'OWNER');
    const walked = await ownHotel({ service, browser }, { tenantId: 'bay-hotels', token });
    t.comment(JSON.stringify(walked));
    t.ok(walked.ownerClicks <= MAX_CLICKS, `${walked.ownerClicks} clicks of the owner`);
    t.ok(walked.guestClicks <= 5, `${walked.guestClicks} clicks of the guest`);
  });

  await t.test('who may set up a tenant without a property begins with it', async (t) => {
    await makeTenants(service, [{ tenantId: 'new-hotels' }]);
    const { page } = await openPage(browser, service.dev.liveUrl);
    await page.getByText('Use an access token').click();
    await page.getByLabel('Tenant').fill('new-hotels');
    await page.getByLabel('Access token').fill(service.token('demo', 'OWNER'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Set up a property' }).waitFor();
    t.match(page.url(), '/admin/first-hotel');
  });

  for (const look of EVERY_LOOK)
    await t.test(`everybody can use it: ${lookName(look)}`, async (t) => {
      const { page } = await open('/admin/first-hotel?property=bay-inn&step=plans', look);
      await heading(page, 'Rate plans');
      await checkWithAxe(t, page);
      await page.getByRole('link', { name: 'Prices' }).click();
      await heading(page, 'Prices');
      await checkWithAxe(t, page);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
    });
});
