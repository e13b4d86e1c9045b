import type { Page } from 'playwright-core';
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

const cellAt = (page: Page, ahead: number, roomType = 'STD') =>
  page.locator(`td:has([data-key="${formatDay(today + ahead)} ${roomType}"])`);
const editorOf = (page: Page) => page.getByRole('region', { name: 'Rates and restrictions' });

t.test('rates and restrictions of chosen nights', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('a price of one night is set in three clicks, is on the page at once, and is undone', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    const rate = (ahead: number) => world.property.view.grid(today + ahead, today + ahead, 'STD')[0]!.rate;
    const before = rate(3)!;
    await cellAt(page, 3).getByRole('button').click();
    const editor = editorOf(page);
    await editor.getByText(/^STD: .*, 1 night$/).waitFor();
    await editor.getByLabel('Change, %').fill('10');
    await editor.getByText(/^1 night: €.* → €/).waitFor();
    await editor.getByText('Expected revenue: €1,000.00 → €1,100.00 (+10\u00a0%)').waitFor();
    t.equal(world.revenue.rates, 0, 'nothing is set before the click');
    await editor.getByRole('button', { name: 'Change by percent' }).click();
    await editor.getByText(/^Done\. 1 night/).waitFor();
    t.equal(rate(3), Math.round(before * 1.1));
    await page.getByRole('radio', { name: 'Rate', exact: true }).check();
    await cellAt(page, 3)
      .getByText(String(Math.round((before * 1.1) / 100)), { exact: true })
      .first()
      .waitFor();
    await page.locator('body').press('z');
    await editor.getByText('The change is undone.').waitFor();
    t.equal(rate(3), before);
    t.strictSame(complaints, []);
  });

  t.test('nights are chosen by drag and by keyboard, narrowed by weekdays, and set together', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = editorOf(page);
    await cellAt(page, 1).getByRole('button').hover();
    await page.mouse.down();
    await cellAt(page, 4, 'DLX').getByRole('button').hover();
    await page.mouse.up();
    await editor.getByText(/^STD, DLX: .*, 8 nights$/).waitFor();
    t.equal(await page.locator('td[data-chosen]').count(), 8);
    t.equal(await page.locator('td[aria-selected="true"]').count(), 8);

    await page.locator(`[data-key="${formatDay(today + 1)} STD"]`).focus();
    for (let n = 0; n < 6; n += 1) await page.keyboard.press('Shift+ArrowRight');
    await editor.getByText(/^STD: .*, 7 nights$/).waitFor();
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Sunday'])
      await editor.getByRole('checkbox', { name: day }).uncheck();
    await editor.getByText(/^STD: .*, 2 nights$/).waitFor();
    await editor.getByLabel('New rate, EUR').fill('199,50');
    await editor.getByRole('button', { name: 'Set rate' }).click();
    await editor.getByText(/^Done\. 2 nights: .* → €199\.50\./).waitFor();
    const set = world.property.view.grid(today + 1, today + 7, 'STD').filter(({ rate }) => rate === 19_950);
    t.same(new Set(set.map(({ day }) => new Date(day * 86_400_000).getUTCDay())), new Set([5, 6]));
  });

  t.test('what is no amount, and what somebody else has changed, is said and sets nothing', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = editorOf(page);
    await cellAt(page, 2).getByRole('button').click();
    await editor.getByLabel('New rate, EUR').fill('1,234');
    await editor.getByLabel('New rate, EUR').press('Enter');
    await editor.getByRole('alert').getByText('Write an amount such as 120 or 119.50.').waitFor();
    t.equal(await editor.getByLabel('New rate, EUR').inputValue(), '1,234', 'what was typed stays');
    await editor.getByLabel('New rate, EUR').fill('150');
    await page.route('**/api/v1/rates/nights', (route) =>
      route.fulfill({ status: 409, json: { code: 'RATES_MOVED', detail: '1 nights cost something else by now.' } }),
    );
    await editor.getByRole('button', { name: 'Set rate' }).click();
    await editor.getByRole('alert').getByText('1 nights cost something else by now.').waitFor();
    t.equal(world.revenue.rates, 0);
    t.equal(await editor.getByLabel('New rate, EUR').inputValue(), '150');
  });

  t.test('nights are closed, get a minimum stay, say so in their cells, and are opened again', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = editorOf(page);
    await cellAt(page, 2).getByRole('button').click();
    await cellAt(page, 4)
      .getByRole('button')
      .click({ modifiers: ['Shift'] });
    const close = editor.getByRole('button', { name: 'Close to arrival' });
    await close.click();
    await editor.getByText('Done. Close to arrival: on, 3 nights.').waitFor();
    t.equal(await close.getAttribute('aria-pressed'), 'true');
    t.match(await cellAt(page, 3).textContent(), /closed to arrival.*A/);
    await editor.getByLabel('Nights at least').fill('3');
    await editor.getByRole('button', { name: 'Minimum stay' }).click();
    await editor.getByText('Done. Minimum stay 3 nights, 3 nights.').waitFor();
    await cellAt(page, 4).getByText('A 3+').waitFor();
    t.match(await cellAt(page, 4).textContent(), /closed to arrival, minimum stay 3/);
    await editor.getByRole('button', { name: 'Undo' }).click();
    await editor.getByText('The change is undone.').waitFor();
    t.notMatch(await cellAt(page, 4).textContent(), /minimum stay/);
    await cellAt(page, 4).getByRole('button').click();
    await editor.getByRole('button', { name: 'Close to arrival' }).click();
    await editor.getByText('Done. Close to arrival: off, 1 night.').waitFor();
    t.same(
      [2, 3, 4].map((ahead) => world.revenue.restricted.get(`STD ${today + ahead}`)?.closedToArrival),
      [true, true, false],
    );
    await checkWithAxe(t, page);
  });

  t.test('a room type that fails leaves the others set, says so, and they can be undone', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = editorOf(page);
    await cellAt(page, 2).getByRole('button').click();
    await cellAt(page, 8, 'DLX')
      .getByRole('button')
      .click({ modifiers: ['Shift'] });
    await editor.getByRole('checkbox', { name: 'Monday' }).uncheck();
    await page.route('**/api/v1/rates/restrictions', async (route) => {
      const isSecond = route.request().postData()?.includes('"DLX"');
      await (isSecond ? route.abort() : route.continue());
    });
    await editor.getByRole('button', { name: 'Stop sell' }).click();
    await editor.getByText('Only for STD: Done. Stop sell: on, 6 nights. The rest failed.').waitFor();
    t.equal([...world.revenue.restricted.values()].filter(({ stopSell }) => stopSell).length, 6);
    await editor.getByRole('button', { name: 'Undo' }).click();
    await editor.getByText('The change is undone.').waitFor();
    t.equal([...world.revenue.restricted.values()].filter(({ stopSell }) => stopSell).length, 0);
  });

  t.test('who may not set prices has no editor, and the past has none', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page, 'demo:VIEWER');
    await cellAt(page, 1).waitFor();
    t.equal(await editorOf(page).count(), 0);
  });
});
