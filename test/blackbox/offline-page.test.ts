import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';

import { walkOffline, type WalkedPanel } from '../../src/testing/live/offline-walk.ts';
import { openPage, PAGE_FILE_MS, pageTestOptions, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { barOf, hotel } from './groups/front-desk.ts';
import { type BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import { sharedPages } from './shared-pages.ts';

t.setTimeout(PAGE_FILE_MS);

/** All pages without a connection, on the real services: a panel is a line of `panelsOf`. */
void t.test('pages without a connection', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  const property = await hotel(service);
  const { page } = await openPage(browser, `${service.dev.liveUrl}/revenue?property=${property.propertyId}`, {
    viewport: { width: 1440, height: 900 },
  });
  page.setDefaultTimeout(30_000);
  await signInWithToken(page, service.token('demo', 'MANAGER'));
  await t.test('what is opened meanwhile comes with the connection', (t) => meanwhile(t, page, service, property));
  for (const panel of await panelsOf(service, property)) {
    const path = service.dev.liveUrl + panel.path;
    await t.test(panel.name, (t) => walkOffline(t, page, { ...panel, path }));
  }
});

async function meanwhile(t: Test, page: Page, service: Service, property: BlackboxProperty): Promise<void> {
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Mary', lastName: 'Keller' } });
  const shift = `/properties/${property.propertyId}/shift-notes`;
  must(await service.tenants('POST', shift, { body: { text: 'The boiler' } }), 201);
  await page.goto(`${service.dev.liveUrl}/desk?property=${property.propertyId}`);
  await barOf(page, reservationId).waitFor();
  const done = page.getByRole('checkbox', { name: /The boiler/ });
  await done.waitFor();
  await page.context().setOffline(true);
  await page
    .getByText(/^Offline, showing/)
    .first()
    .waitFor();
  t.equal(await done.isDisabled(), true);
  t.match(await done.getAttribute('title'), /^Offline\. Changes/);
  t.match(await page.getByRole('button', { name: /later/i }).first().getAttribute('title'), 'Not while offline.');
  await page.keyboard.press(']');
  await barOf(page, reservationId).click();
  await page.getByText('Offline. It is shown once the connection is back.').waitFor();
  await page.getByRole('link', { name: 'Housekeeping' }).click();
  await page.getByRole('banner').getByText('Not while offline.').waitFor();
  t.match(page.url(), /\/desk\?/, 'no page is left for an empty one');
  await page.context().setOffline(false);
  await button(page, 'Check in').waitFor();
  t.equal(await page.getByText('Not while offline.').count(), 0);
  t.equal(await done.isEnabled(), true);
}

async function panelsOf(service: Service, property: BlackboxProperty): Promise<WalkedPanel[]> {
  const { reservationId, guestInfo } = await property.booked({
    from: 0,
    guest: { firstName: 'Ada', lastName: 'Lovelace' },
  });
  const blocks = [{ roomType: 'DLX', date: property.day(10), rooms: 1, rate: 80 }];
  const contact = { firstName: 'Mary', lastName: 'Shelley', email: 'mary@example.com' };
  const group = { propertyId: property.propertyId, name: 'Choir', cutoffDate: property.day(5), blocks, contact };
  const { groupId } = must(
    await service.reservations<{ groupId: string }>('POST', '/groups', { role: 'MANAGER', body: group }),
    201,
  ).json;
  const room = `/properties/${property.propertyId}/rooms/101/status`;
  must(await service.tenants('PUT', room, { body: { status: 'DIRTY' } }), 200);
  const text = { body: { text: 'Late' } };
  must(await service.reservations('POST', `/${reservationId}/notes`, text), 201);
  const shift = `/properties/${property.propertyId}/shift-notes`;
  must(await service.tenants('POST', shift, { body: { text: 'The lift' } }), 201);
  const of = `?property=${property.propertyId}`;
  const desk = `/desk${of}`;
  const openStay = async (page: Page): Promise<void> => {
    await barOf(page, reservationId).click();
    await page.getByText('Late', { exact: true }).waitFor();
  };
  const inStay =
    (...names: string[]) =>
    async (page: Page): Promise<void> => {
      await openStay(page);
      for (const name of names) await button(page, name).click();
      await page.locator('.drawer form, .folio').first().waitFor();
    };
  const { guestId } = guestInfo as unknown as { guestId: string };
  const guest = `/guests/${guestId}`;
  return [
    { name: 'revenue', path: `/revenue${of}`, open: (page) => page.locator('[data-key]').first().waitFor() },
    { name: 'time travel', path: `/revenue${of}`, open: (page) => button(page, 'Time travel').click() },
    {
      name: 'a night',
      path: `/revenue${of}&night=${property.day(12)}`,
      open: async (page) => {
        await page.locator('[data-key]').first().click();
        await page.locator('.steps').waitFor();
      },
    },
    { name: 'own settings', path: '/me', open: (page) => page.getByText('You used an access token').waitFor() },
    { name: 'fleet', path: '/fleet', open: (page) => page.locator('tbody tr').first().waitFor() },
    { name: 'the desk', path: desk, open: (page) => page.getByText('The lift').waitFor() },
    { name: 'a stay', path: desk, open: openStay },
    ...['Folio', 'Take payment', 'Post charge', 'Mark no-show', 'Print invoice'].map((name) => ({
      name,
      path: desk,
      open: name === 'Print invoice' ? printed(openStay) : inStay(name),
    })),
    { name: 'split', path: desk, open: inStay('Folio', 'Split the bill with a company') },
    { name: 'a room', path: desk, open: (page) => page.locator('.room').first().click() },
    {
      name: 'closing',
      path: desk,
      open: async (page) => {
        await page.locator('.room').first().click();
        await button(page, 'Out of order').click();
        await page.locator('.closing-form').waitFor();
      },
    },
    ...['New reservation', 'Walk-in', 'Assign all'].map((name) => ({ name, path: desk, open: formBy(name) })),
    {
      name: 'housekeeping',
      path: `/desk/housekeeping${of}`,
      open: async (page: Page) => {
        await page.locator('[data-status=DIRTY]').getByRole('button', { name: 'Clean', exact: true }).click();
        await page.locator('.last-tap button').waitFor();
      },
    },
    { name: 'groups', path: `/groups${of}`, open: (page) => page.locator('tbody tr').first().waitFor() },
    { name: 'new group', path: `/groups${of}`, open: formBy('New group') },
    ...['Rooming list', 'Release'].map((name) => ({ name, path: `/groups/${groupId}${of}`, open: formBy(name) })),
    { name: 'guests', path: '/guests', open: (page) => page.locator('tbody tr').first().waitFor() },
    { name: 'a guest', path: guest, open: (page) => page.locator('.guest-stays').first().waitFor() },
    ...['Edit', 'Merge', 'Export'].map((name) => ({ name, path: guest, open: formBy(name) })),
    { name: 'experiments', path: `/revenue/experiments${of}`, open: formBy('New experiment') },
    { name: 'reports', path: `/reports${of}`, open: (page) => page.locator('.report-table').waitFor() },
    {
      name: 'ops',
      path: '/ops',
      open: async (page) => {
        await page.getByLabel('Operator token').fill(service.dev.operatorToken);
        await button(page, 'Show the nodes').click();
        await page.locator('.node').first().waitFor();
      },
    },
  ];
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

const formBy =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await button(page, name).click();
    await page.locator('main form:not([role=search]), aside form, .groups-panel').first().waitFor();
  };

/** The browser's own window for printing would wait for somebody. */
const printed =
  (openStay: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await page.evaluate('globalThis.print = () => undefined');
    await openStay(page);
    await button(page, 'Print invoice').click();
    await page.locator('.invoice-sheet').waitFor();
  };
