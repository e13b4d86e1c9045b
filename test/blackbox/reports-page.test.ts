import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import t from 'tap';

import { worstContrast } from '../../src/testing/live/contrast.ts';
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

const READ = '.bar a, .report-names button, .report-head :is(h1, p, button:enabled), .report-table *';
const LISTS = ['Arrivals', 'Departures', 'In house', 'No-shows', 'Cancellations', 'Open balances', 'Deposits held'];

/** The lists of a day in a browser, on the real services (docs/concepts/night-audit.md#reports-of-a-day). */
void t.test('the reports of a day', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const property = await BlackboxProperty.open(service, { policies: { taxPercent: 10 } });
  const book = (lastName: string, from: number, more = {}) =>
    property.booked({ from, nights: 2, guest: { firstName: 'Ada', lastName }, more });
  await book('Lovelace', 0, { specialRequests: ['A quiet room'] });
  await book('Byron', 0);
  const { reservationId } = await book('Tomorrow', 1);
  must(await service.reservations('DELETE', `/${reservationId}`), 200);
  const open = (role: 'MANAGER' | 'STAFF' = 'MANAGER', query = '', look: Look = {}) =>
    openReports(service, browser, { role, look, query: `?property=${property.propertyId}${query}` });
  const rows = (page: Page) => page.locator('.report-table tbody tr');

  await t.test('a list is shown with its totals, day by day, and the address names it', async (t) => {
    const { page, complaints } = await open();
    await page.getByRole('heading', { name: 'Arrivals' }).waitFor();
    await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor();
    t.same(await rows(page).locator('td:nth-child(3)').allTextContents(), ['Ada Byron', 'Ada Lovelace']);
    t.equal(await page.getByRole('cell', { name: 'A quiet room' }).count(), 1);
    t.match(await page.locator('tfoot').textContent(), 'Total, 2 stays€0.00');
    await page.getByRole('button', { name: 'Cancellations' }).click();
    await page.getByRole('cell', { name: 'Ada Tomorrow' }).waitFor();
    t.match(await page.locator('tfoot').textContent(), 'Total, 1 stay€110.00');
    await page.getByRole('button', { name: 'Departures' }).click();
    await page.getByText('Nobody on this list.').waitFor();
    // The list of the first day comes after the second press.
    await page.route('**/reports/departures*', async (route) => {
      await page.waitForTimeout(500);
      await route.continue();
    });
    const later = page.getByRole('button', { name: 'Day after' });
    await later.click();
    await later.click();
    await page.waitForURL(new RegExp(`view=departures&date=${property.day(2)}`));
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('cell', { name: 'Ada Byron' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Departures' }).waitFor();
    await page.getByRole('cell', { name: 'Ada Byron' }).waitFor();
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByText('Nobody on this list.').waitFor();
    t.strictSame(complaints, [], 'no errors, and nothing that the policy forbids');
  });

  await t.test('it is saved as a file and printed without what is to be pressed', async (t) => {
    const { page, complaints } = await open('MANAGER', `&view=arrivals`);
    await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    t.equal(download.suggestedFilename(), `arrivals-${property.propertyId}-${property.day(0)}.csv`);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    t.equal(lines.length, 3);
    t.match(lines[2], 'Ada Lovelace');
    await page.evaluate('globalThis.print = () => { document.title = "printed"; }');
    await page.getByRole('button', { name: 'Print' }).click();
    t.equal(await page.title(), 'printed');
    await page.emulateMedia({ media: 'print' });
    t.notOk(await page.getByRole('button', { name: 'Print' }).isVisible());
    t.notOk(await page.getByRole('navigation', { name: 'Lists' }).isVisible());
    t.ok(await page.getByRole('cell', { name: 'Ada Lovelace' }).isVisible());
    t.ok(await page.getByRole('heading', { name: 'Arrivals' }).isVisible());
    t.strictSame(complaints, []);
  });

  await t.test('what a role may not see is said', async (t) => {
    const { page } = await open('STAFF', '&view=revenue');
    await page.getByRole('alert').getByText('MANAGER').waitFor();
    t.notOk(await page.getByRole('button', { name: 'Print' }).isEnabled());
    t.equal(await page.getByRole('button', { name: 'Revenue' }).count(), 0, 'and is not offered');
    await page.getByRole('button', { name: 'Arrivals' }).click();
    await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor();
    t.equal(await page.getByRole('alert').textContent(), '');
  });

  await t.test('minutes per room are shown by attendant, with their total', async (t) => {
    const at = `/properties/${property.propertyId}`;
    must(await service.tenants('POST', `${at}/rooms`, { body: { roomNumber: '101', roomType: 'DLX' } }), 201);
    must(await service.tenants('PUT', `${at}/rooms/101/status`, { body: { status: 'DIRTY' } }), 200);
    const tasks = must(
      await service.tenants<{ items: { taskId: string }[] }>('GET', `${at}/housekeeping-tasks`),
      200,
    );
    const task = `${at}/housekeeping-tasks/${tasks.json.items[0]!.taskId}`;
    must(await service.tenants('PUT', task, { body: { attendant: 'Ana' } }), 200);
    for (const step of ['start', 'complete']) must(await service.tenants('POST', `${task}/${step}`), 200);
    const { page, complaints } = await open('STAFF', '&view=housekeeping');
    await page.getByRole('heading', { name: 'Minutes per room' }).waitFor();
    await page.getByRole('cell', { name: 'Ana' }).waitFor();
    t.same(await rows(page).locator('td').allTextContents(), ['Ana', 'Departure', '1', '1', '0', '0']);
    t.equal(await page.locator('tfoot').textContent(), 'Total1100');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    t.match(readFileSync(await download.path(), 'utf8'), 'Ana,DEPARTURE,1,1,0,0');
    await page.getByRole('button', { name: 'Day before' }).click();
    await page.getByText('No room was completed.').waitFor();
    t.strictSame(complaints, []);
  });

  for (const look of EVERY_LOOK)
    await t.test(`everybody can use it: ${lookName(look)}`, async (t) => {
      const { page } = await open('MANAGER', '', look);
      await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor();
      await checkWithAxe(t, page);
      const worst = await worstContrast(page, READ);
      t.ok(worst.ratio >= 4.5, `worst contrast ${worst.ratio.toFixed(2)} at ${worst.text}`);
      await page.getByRole('button', { name: 'Revenue' }).click();
      await page.getByRole('cell', { name: 'Penalties' }).waitFor();
      await page.getByText('Counts what was earned on the day').waitFor();
      await page.getByRole('button', { name: 'Keys and appearance' }).waitFor();
      await checkWithAxe(t, page);
      t.same(await page.getByRole('navigation', { name: 'Lists' }).getByRole('button').allTextContents(), [
        ...LISTS,
        'Revenue',
        'Minutes per room',
      ]);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
    });
});

async function openReports(
  service: Service,
  browser: Browser,
  { role, look, query }: { role: 'MANAGER' | 'STAFF'; look: Look; query: string },
): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser, `${service.dev.liveUrl}/reports${query}`, look);
  opened.page.setDefaultTimeout(60_000);
  await signInWithToken(opened.page, service.token('demo', role));
  return opened;
}
