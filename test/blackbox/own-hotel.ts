import type { Browser, Page } from 'playwright-core';

import { openPage } from '../../src/testing/live/page-browser.ts';
import type { Service } from './service.ts';

/** What happens at the moments of the walk, such as a picture. */
type AtMoment = (name: string, page: Page) => Promise<unknown>;

/** Clicks of the owner until the property is on sale and has its page, the guest's until the stay is paid, and seconds of both. */
type Walked = { ownerClicks: number; guestClicks: number; seconds: number; confirmation: string };

const OWNER = { name: 'Bay Inn', street: 'Rua da Praia 1', postalCode: '1100-001', city: 'Lisboa' };
export const GUEST = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

/**
 * From a tenant without a property to a guest's paid stay on the desk, with the mouse and the keyboard alone: set-up,
 * booking page, search, booking, payment (docs/guide/first-hotel.md#in-the-browser).
 */
export async function ownHotel(
  { service, browser }: { service: Service; browser: Browser },
  { tenantId, token }: { tenantId: string; token: string },
  moment: AtMoment = () => Promise.resolve(),
): Promise<Walked> {
  const began = performance.now();
  const { page } = await openPage(browser, service.dev.liveUrl, { viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(30_000);
  const owner = new Person(page);
  await page.getByText('Use an access token').click();
  await page.getByLabel('Tenant').fill(tenantId);
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Set up a property' }).waitFor();
  await setUp(owner, moment);
  const address = await openBookingPage(owner, moment);
  const { page: guestPage } = await openPage(browser, address, { viewport: { width: 390, height: 844 } });
  guestPage.setDefaultTimeout(30_000);
  const guest = new Person(guestPage);
  const confirmation = await bookAndPay(guest, moment);
  await page.goto(`${service.dev.liveUrl}/desk?property=bay-inn`);
  await page
    .getByRole('button', { name: /Ada Lovelace/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Ada Lovelace' }).getByText(confirmation).waitFor();
  await moment('desk', page);
  await Promise.all([page.context().close(), guestPage.context().close()]);
  const seconds = (performance.now() - began) / 1_000;
  return { ownerClicks: owner.clicks, guestClicks: guest.clicks, seconds, confirmation };
}

/** Somebody who clicks, and is counted. */
class Person {
  readonly page: Page;
  clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async press(name: string): Promise<void> {
    this.clicks += 1;
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  async pick(label: string, option: string): Promise<void> {
    this.clicks += 2;
    await this.page.getByLabel(label).selectOption(option);
  }

  heading(name: string): Promise<void> {
    return this.page.getByRole('heading', { name, exact: true }).waitFor();
  }
}

async function setUp(owner: Person, moment: AtMoment): Promise<void> {
  const { page } = owner;
  await page.getByLabel('Name').fill(OWNER.name);
  await owner.pick('Country', 'PT');
  await page.getByLabel('Street').fill(OWNER.street);
  await page.getByLabel('Postal code').fill(OWNER.postalCode);
  await page.getByLabel('City').fill(OWNER.city);
  await moment('property', page);
  await owner.press('Next');
  await owner.heading('Rooms');
  const type = page.getByRole('group', { name: 'Room type 1' });
  await type.getByLabel('Name').fill('Double room');
  await type.getByLabel('Room numbers').fill('101-106');
  await type.getByLabel('Guests at most').fill('2');
  await moment('rooms', page);
  await owner.press('Next');
  await owner.heading('Photos');
  await owner.press('Next');
  await owner.heading('Rate plans');
  await moment('rate-plans', page);
  await owner.press('Next');
  await owner.heading('Taxes');
  await page.getByText('Código do IVA, list I, item 2.17').waitFor();
  await page.getByLabel('Taxa municipal turística').fill('4');
  await moment('taxes', page);
  await owner.press('Next');
  await owner.heading('Prices');
  const prices = page.getByRole('group', { name: 'Double room', exact: true });
  await prices.getByLabel('Sunday to Thursday').fill('90');
  await prices.getByLabel('Friday and Saturday').fill('120,50');
  await moment('prices', page);
  await owner.press('Next');
  await owner.heading('Summary');
  await owner.press('Open for sale');
  await page.getByText(`${OWNER.name} is open for sale.`).waitFor();
  await moment('open', page);
}

/** @returns its address, as the page says it */
async function openBookingPage(owner: Person, moment: AtMoment): Promise<string> {
  const { page } = owner;
  owner.clicks += 4;
  await page.getByRole('link', { name: 'Let guests book it' }).click();
  await page.getByRole('heading', { name: 'Booking page' }).waitFor();
  await page.getByRole('button', { name: /^Edit/ }).first().click();
  await page.getByLabel('Guests can book').check();
  await page.getByRole('button', { name: 'Save' }).click();
  const link = page.getByRole('link', { name: /\/book\// });
  await link.waitFor();
  await moment('booking-page', page);
  return (await link.getAttribute('href'))!;
}

/** @returns the confirmation number */
async function bookAndPay(guest: Person, moment: AtMoment): Promise<string> {
  const { page } = guest;
  await guest.press('Search');
  const offer = page.locator('article li', { has: page.getByText('Best available rate', { exact: true }) });
  await offer.waitFor();
  await moment('search', page);
  guest.clicks += 1;
  await offer.getByRole('button', { name: 'Select' }).click();
  await page.getByLabel('First name').fill(GUEST.firstName);
  await page.getByLabel('Last name').fill(GUEST.lastName);
  await page.getByLabel('E-mail').fill(GUEST.email);
  await moment('guest', page);
  await guest.press('Book');
  await page.getByText(/^We keep this room for you until/).waitFor();
  await moment('pay', page);
  await guest.press('Pay');
  const text = (await page.getByText(/^Confirmation number/).textContent()) ?? '';
  await moment('confirmation', page);
  return /[0-9A-Z]{10}/.exec(text)![0];
}
