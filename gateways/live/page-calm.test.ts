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
const night = [12, 13, 14].map((ahead) => today + ahead).find((day) => ![5, 6].includes((day + 4) % 7))!;
const stay = (guestName: string) => ({ roomType: 'STD', checkIn: night, nights: 1, guestName, total: 10_000 });

/** Clocks of page and server that go on while the tab sleeps. */
const LATER = `{
  globalThis.slept = 0;
  const { now } = Date;
  Date.now = () => now() + slept;
  const { parse } = JSON;
  JSON.parse = (text) => {
    const frame = parse(text);
    if (typeof frame?.serverTime === 'number') frame.serverTime += slept;
    return frame;
  };
}`;

t.test('a page that stays calm', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('bookings wait while the pointer or the focus is in their list', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    await page.getByText(/^Live/).first().waitFor();
    world.property.book(stay('Ada First'));
    const feed = page.locator('.feed');
    await feed.getByText('Ada First').hover();
    world.property.book(stay('Grace Second'));
    await feed.getByRole('button', { name: '1 new' }).waitFor();
    world.property.book(stay('Grace Third'));
    await feed.getByRole('button', { name: '2 new' }).waitFor();
    t.equal(await feed.locator('li').count(), 1, 'nothing moves under the pointer');
    t.equal(await feed.locator('[aria-live]').textContent(), 'There are new entries.', 'said once');
    await checkWithAxe(t, page);
    await feed.getByRole('button', { name: '2 new' }).click();
    await feed.getByText('Grace Third').waitFor();
    t.equal(await feed.locator('li').count(), 3);
    world.property.book(stay('Ada Fourth'));
    await feed.getByRole('button', { name: '1 new' }).waitFor();
    await page.locator('h1').hover();
    await page.locator('h1').click();
    await feed.getByText('Ada Fourth').waitFor();
  });

  t.test('thirty, sixty or ninety nights, as the address says', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/revenue?days=30&from=${formatDay(today + 5)}`);
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    t.equal(await page.locator('td[data-mood]').count(), 90, 'three room types, thirty nights');
    t.equal(await page.locator(`[data-key="${formatDay(today + 5)} STD"]`).count(), 1);
    t.equal(await page.locator(`[data-key="${formatDay(today + 4)} STD"]`).count(), 0);
    await page.getByRole('combobox', { name: 'Nights shown' }).selectOption('60');
    await page.locator(`[data-key="${formatDay(today + 64)} STD"]`).waitFor();
    t.match(page.url(), /days=60/);
    await page.getByRole('combobox', { name: 'Nights shown' }).selectOption('90');
    await page.waitForURL((url) => !url.searchParams.has('days'));
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  });

  t.test('a guest who is late is a no-show in two clicks', async (t) => {
    await using world = await scriptedPage(dir, today);
    world.desk.build([{ roomNumber: '101', roomType: 'STD', floor: 1 }]);
    world.desk.stay({ name: 'Ada Missing', checkIn: today - 1, checkOut: today + 2, roomNumber: '101' });
    const { page } = await openPage(browser, `${world.url}/desk`);
    await signInWithToken(page);
    await page.getByRole('button', { name: 'Mark no-show: Ada Missing' }).click();
    const form = page.getByRole('dialog', { name: 'Ada Missing' }).getByRole('form', { name: 'Mark no-show' });
    await form.getByRole('button', { name: 'Mark no-show' }).waitFor();
    await checkWithAxe(t, page);
  });

  t.test('a tab that slept for a day comes back to today', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/desk`, {}, [LATER]);
    await signInWithToken(page);
    await page.getByText(/^Live/).first().waitFor();
    const shown = page.locator('.tape [role=columnheader][aria-current=date]');
    const dayOf = (day: number): RegExp => new RegExp(String(Number(formatDay(day).slice(8))));
    t.match(await shown.textContent(), dayOf(today));
    await page.evaluate('globalThis.slept = 86400000');
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await shown.filter({ hasText: dayOf(today + 1) }).waitFor();
    await page.getByText(/^Live/).first().waitFor();
  });
});
