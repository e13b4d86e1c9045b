import { readFileSync } from 'node:fs';
import type { WebSocket } from 'playwright-core';
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
import { ScriptedProperty } from '../../src/testing/live/scripted-property.ts';

/** How visible the tooltip of a tile is, and its words, as a text that runs in the page. */
const VISIBLE_TIP = `(() => {
  const tip = document.querySelector('#tile-revpar');
  return getComputedStyle(tip).visibility + tip.textContent;
})()`;

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);
const MANY = 200;
/** What reaches beyond the window, unless it scrolls within the table. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
  .filter((one) => !one.closest('.fleet-table table') && one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.tagName + ' ' + one.className)`;
/** With 200 properties, from the sign-in to the figures of all of them, on a busy machine. */
const SOON_MS = 20_000;

t.test('the page over all properties', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('has a live line for each, says what revenue says, sorts, filters, saves and opens one', async (t) => {
    await using world = await scriptedPage(dir, today);
    const lake = new ScriptedProperty('lake-house', 90, { STD: 10 }, today);
    world.properties.set(lake.propertyId, lake);
    const { page, complaints } = await openPage(browser, `${world.url}/revenue`);
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    const tiles = await Promise.all(
      ['occupancy', 'adr', 'revpar', 'pickup'].map((id) => page.locator(`[data-tile="${id}"] strong`).textContent()),
    );
    await page.getByRole('link', { name: 'All properties' }).click();
    await page.waitForURL('**/fleet');
    const rows = page.locator('.fleet-table tbody tr');
    await rows.nth(1).getByText('0.0').first().waitFor();
    const harbor = (await rows.first().locator('td').allTextContents()).slice(0, 4);
    t.strictSame(harbor, [`${tiles[0]}\u00a0%`, ...tiles.slice(1)], 'one number for one thing');
    lake.book({ roomType: 'STD', checkIn: today, nights: 1 });
    await rows.nth(1).getByText('10.0').first().waitFor();
    lake.put(lake.view.grid(today + 2, today + 2).map((cell) => ({ ...cell, total: 0, blocked: 4, available: 0 })));
    await rows.nth(1).getByText('1 night overbooked').waitFor();

    const occupancy = page.getByRole('columnheader', { name: 'Occupancy' });
    await occupancy.getByRole('button').focus();
    await page.keyboard.press('Enter');
    t.equal(await occupancy.getAttribute('aria-sort'), 'descending');
    await page.keyboard.press('Enter');
    t.match(await rows.first().textContent(), /^Lake House/);
    t.match(page.url(), /sort=occupancy&order=ascending/);
    await checkWithAxe(t, page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    t.match(lines[0], /^Property,Rooms sold,Rooms,Occupancy,ADR,RevPAR,Currency,Pickup/);
    t.match(lines[1], /^Lake House,1,10,10,/);

    await page.getByLabel('Filter by name').fill('lake');
    await page.getByText('1 of 2 properties').waitFor();
    t.equal(await rows.count(), 1);
    await page.getByRole('link', { name: 'Lake House' }).click();
    await page.getByRole('heading', { level: 1, name: /^Lake House/ }).waitFor();
    await page.locator(`[data-key="${formatDay(today)} STD"]`).waitFor();
    t.match(page.url(), /\/revenue\?.*property=lake-house/);
    await page.goBack();
    await page.getByText('1 of 2 properties').waitFor();
    t.strictSame(
      complaints.filter((one) => !one.includes('404')),
      [],
    );
  });

  t.test('stays fast with two hundred, over ten connections', async (t) => {
    await using world = await scriptedPage(dir, today);
    for (let n = 1; n < MANY; n++) {
      const id = `house-${String(n).padStart(3, '0')}`;
      world.properties.set(id, new ScriptedProperty(id, 90, { STD: 10, DLX: 4, STE: 2 }, today));
    }
    const { page } = await openPage(browser, `${world.url}/fleet`, { viewport: { width: 390, height: 800 } });
    const sockets = new Set<WebSocket>();
    page.on('websocket', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    // On a busy machine one of them may be lost and made again, and the new one may be heard of first.
    let most = 0;
    const counting = setInterval(() => (most = Math.max(most, sockets.size)), 100);
    t.teardown(() => clearInterval(counting));
    await signInWithToken(page, 'demo:VIEWER');
    const began = performance.now();
    await page.locator(`.fleet-table tbody tr:nth-child(${MANY}) .spark`).waitFor();
    await page
      .locator('.fleet-table .spark')
      .nth(MANY - 1)
      .waitFor();
    const took = performance.now() - began;
    t.comment(`${Math.round(took)} ms`);
    t.ok(took < SOON_MS, `${Math.round(took)} ms`);
    t.equal(most, 10, 'at once');
    t.equal(await page.getByRole('columnheader', { name: 'ADR' }).count(), 0, 'no amounts for a viewer');
    await page.getByRole('button', { name: 'Pickup' }).click();
    t.match(await page.locator('.fleet-table tbody tr').first().textContent(), /^Harbor Hotel/);
    const wide = await page.evaluate<string[]>(TOO_WIDE);
    t.strictSame(wide, [], 'the table scrolls inside itself');
  });

  t.test('key figures lead to the list behind them', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/revenue`);
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    const link = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) });
    const charts = page.getByRole('region', { name: 'Charts' });
    await link('RevPAR').hover();
    t.match(await page.evaluate<string>(VISIBLE_TIP), /^visible.*room revenue over 120 rooms available/);
    await link('RevPAR').focus();
    await page.keyboard.press('Enter');
    await charts.getByRole('slider', { name: 'Read out: By night: RevPAR' }).waitFor();
    await link('Pickup').click();
    await charts.getByRole('slider', { name: 'Read out: Pickup by day' }).waitFor();
    const report = await link('Occupancy').getAttribute('href');
    t.equal(report, `/reports?property=harbor-hotel&view=in-house&date=${formatDay(today)}`);
    await link('Cancellations').click();
    await page.waitForURL('**/reports?**view=cancellations**');
  });
});
