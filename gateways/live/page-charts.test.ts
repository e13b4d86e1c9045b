import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import t from 'tap';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import {
  browserFor,
  checkWithAxe,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);

const chartsOf = (page: Page): Locator => page.getByRole('region', { name: 'Charts' });
const readOutOf = (page: Page): Promise<string | null> =>
  chartsOf(page).getByRole('slider').getAttribute('aria-valuetext');

t.test('the charts of the revenue workspace', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('are loaded on demand, follow the address, and read out by key and by pointer', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url, { viewport: { width: 1280, height: 500 } });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    t.notOk(
      loaded.some((path) => path.includes('charts-view')),
      'not with the workspace',
    );
    await chartsOf(page).scrollIntoViewIfNeeded();
    const plot = chartsOf(page).getByRole('slider', { name: 'Read out: By night: Rooms sold' });
    await plot.waitFor();
    t.ok(loaded.some((path) => path.includes('charts-view')));
    const top = await chartsOf(page).evaluate((region) => region.getBoundingClientRect().height);

    await chartsOf(page).getByRole('button', { name: 'Booking curve' }).click();
    await page.getByText('114 sold now; 48 at the same time last year', { exact: false }).waitFor();
    t.match(page.url(), /chart=curve/);
    t.equal(await chartsOf(page).evaluate((region) => region.getBoundingClientRect().height), top, 'no shift');
    const curve = chartsOf(page).getByRole('slider', { name: 'Read out: Booking curve' });
    await curve.focus();
    await page.keyboard.press('End');
    t.match(await readOutOf(page), /^day of arrival, .*, This year 114, Last year, same weekday 48$/);
    await page.keyboard.press('ArrowLeft');
    t.match(await readOutOf(page), /^1 day before, .*, This year 113/);
    await curve.hover({ position: { x: 60, y: 100 } });
    t.match(await readOutOf(page), /^5\d days before/, 'the pointer reads out too');

    await page.goBack();
    await plot.waitFor();
    await page.goForward();
    await curve.waitFor();
    t.strictSame(complaints, []);
  });

  t.test('have a table one key away, zoom, and lead to the night', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, `${world.url}/?chart=nights&figure=occupancy`);
    await signInWithToken(page);
    const plot = chartsOf(page).getByRole('slider', { name: 'Read out: By night: Occupancy' });
    await plot.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('PageUp');
    const night = formatDay(today + 7);
    await page.keyboard.press('Enter');
    await page.locator(`td[aria-selected="true"] [data-key="${night} STD"]`).waitFor();

    await page.keyboard.press('+');
    await chartsOf(page).getByRole('button', { name: 'Reset zoom' }).and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('End');
    t.equal(await plot.getAttribute('aria-valuenow'), '44', 'half of the nights');
    await chartsOf(page).getByRole('button', { name: 'Reset zoom' }).click();
    await plot.focus();
    await page.keyboard.press('End');
    t.equal(await plot.getAttribute('aria-valuenow'), '89');

    await page.keyboard.press('t');
    const table = chartsOf(page).getByRole('region', { name: 'By night: Occupancy' });
    await table.waitFor();
    t.equal(await table.locator('tbody tr').count(), 90);
    t.equal(await page.getByRole('slider', { name: /Read out/ }).count(), 0, 'the table takes its place');
    t.equal(await page.getByRole('region', { name: 'Time travel' }).count(), 0, 'and t means nothing else here');
    await checkWithAxe(t, page);
    await chartsOf(page).getByRole('button', { name: 'Table' }).click();
    await plot.waitFor();
    await checkWithAxe(t, page);
    t.strictSame(complaints, []);
  });

  t.test('are saved as a file and as a picture', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/?chart=competitors`, { colorScheme: 'dark' });
    await signInWithToken(page);
    await chartsOf(page).getByText('Our average', { exact: false }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      chartsOf(page).getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    t.equal(lines[0], 'Night,Our price,grand,plaza,Median of competitors');
    t.match(lines[1], new RegExp(`^${formatDay(today)},[\\d.]+,120,140,130$`));
    t.equal(lines.length, 92, 'a line for each night');
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      chartsOf(page).getByRole('button', { name: 'Export PNG' }).click(),
    ]);
    t.equal(picture.suggestedFilename(), `competitors-harbor-hotel-STD-${formatDay(today)}.png`);
    t.equal(
      readFileSync(await picture.path())
        .subarray(1, 4)
        .toString(),
      'PNG',
    );
    await checkWithAxe(t, page);
    await chartsOf(page).getByLabel('Room type').selectOption('Suite');
    await chartsOf(page).getByText('No rates of competitors', { exact: false }).waitFor();
    await chartsOf(page).getByRole('button', { name: 'Channels and plans' }).click();
    await chartsOf(page).getByText('100 room nights', { exact: false }).waitFor();
    await chartsOf(page).getByLabel('Share by').selectOption('Nights of the stay');
    const slider = chartsOf(page).getByRole('slider', { name: 'Read out: Channels and plans: Nights of the stay' });
    const share = chartsOf(page).getByText('60.0\u00a0%').first();
    // Its figures may come after the key, and begin to be read out anew.
    for (let tries = 0; tries < 50 && !(await share.isVisible()); tries++) {
      await slider.press('End');
      await page.waitForTimeout(200);
    }
    await share.waitFor();
    await chartsOf(page).getByRole('button', { name: 'Pickup by day' }).click();
    await chartsOf(page)
      .getByText(/Today [+±\d]/)
      .waitFor();
    const tile = (): Promise<string | null> => page.locator('[data-tile="pickup"] strong').textContent();
    const before = await tile();
    t.ok(await chartsOf(page).getByText(`Today ${before};`, { exact: false }).count(), 'as the key figure says');
    world.property.book({ roomType: 'STD', checkIn: today + 2, nights: 2 });
    await page.locator('[data-tile="pickup"] strong').filter({ hasNotText: before! }).waitFor();
    await chartsOf(page)
      .getByText(`Today ${await tile()};`, { exact: false })
      .waitFor();
  });

  t.test('show somebody without access to revenue the sold rooms only', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/?chart=mix`, { viewport: { width: 390, height: 800 } });
    await signInWithToken(page, 'demo:VIEWER');
    await chartsOf(page).getByRole('slider', { name: 'Read out: By night: Rooms sold' }).waitFor();
    t.strictSame(await chartsOf(page).locator('h2 button').allTextContents(), ['By night']);
    t.strictSame(await chartsOf(page).getByLabel('Figure').locator('option').allTextContents(), [
      'Rooms sold',
      'Occupancy',
    ]);
    await checkWithAxe(t, page);
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    t.notOk(wide, 'nothing is cut at 390 pixels');
  });
});
