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
    await editor.getByRole('alert').getByText('1,234 can be read in two ways.').waitFor();
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

  t.test('what somebody else sets meanwhile is in the line before it is overwritten', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = editorOf(page);
    await cellAt(page, 2).getByRole('button').click();
    await editor.getByLabel('New rate, EUR').fill('150');
    await editor.getByText(/^1 night: €.* → €150\.00/).waitFor();
    world.property.setRate('STD', today + 2, 17_500);
    await editor.getByText('1 night: €175.00 → €150.00').waitFor();
    await page.keyboard.press('Escape');
    await editor.getByRole('button', { name: 'Set rate' }).click();
    await editor.getByText(/^Done\. 1 night: €175\.00 → €150\.00/).waitFor();
    t.equal(world.property.view.grid(today + 2, today + 2, 'STD')[0]!.rate, 15_000);
  });

  t.test('weekdays that are not seen narrow nothing', async () => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = editorOf(page);
    await cellAt(page, 1).getByRole('button').click();
    for (let n = 0; n < 6; n += 1) await page.keyboard.press('Shift+ArrowRight');
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])
      await editor.getByRole('checkbox', { name: day }).uncheck();
    await editor.getByText(/^STD: .*, 1 night$/).waitFor();
    for (const ahead of [1, 2]) {
      await cellAt(page, ahead).getByRole('button').click();
      await editor.getByText(/^STD: .*, 1 night$/).waitFor();
    }
  });

  t.test('a price many times the old one is said in words, and set only after a yes', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    const rate = () => world.property.view.grid(today + 2, today + 2, 'STD')[0]!.rate!;
    const before = rate();
    const [was, wrong] = [before / 100, before / 10].map((amount) => amount.toFixed(2));
    await cellAt(page, 2).getByRole('button').click();
    const editor = editorOf(page);
    const field = editor.getByLabel('New rate, EUR');
    const set = editor.getByRole('button', { name: 'Set rate' });
    await field.fill(wrong!);
    const jump = editor.getByRole('alert').filter({ hasText: ' is 10 times the price of now, ' });
    await jump.getByText(`€${was}.`).waitFor();
    t.equal(await set.isDisabled(), true);
    await field.press('Enter');
    t.equal(rate(), before, 'the key, too, sets nothing');
    await editor.getByRole('checkbox', { name: 'Yes, 10 times' }).check();
    t.equal(await set.isDisabled(), false);
    await field.fill((before / 1_000).toFixed(2));
    await editor.getByText(/ is only 10\s% of the price of now, /).waitFor();
    t.equal(await set.isDisabled(), true, 'a yes is for one price');
    await checkWithAxe(t, page);
    await field.fill('');
    await editor.getByLabel('Change, %').fill('900');
    await editor.getByRole('checkbox', { name: 'Yes, 10 times' }).check();
    await editor.getByRole('button', { name: 'Change by percent' }).click();
    await editor.getByText(/^Done\. 1 night/).waitFor();
    t.equal(rate(), before * 10);
    t.equal(world.revenue.rates, 1);
    await editor.getByRole('button', { name: 'Undo' }).click();
    await editor.getByText('The change is undone.').waitFor();
    t.equal(rate(), before, 'the way back asks nothing');
    t.strictSame(complaints, []);
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
    await close.hover();
    await editor.getByText('Sets Close to arrival on 3 nights, at once.').waitFor();
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

  t.test('room types are restricted together, all or none', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = editorOf(page);
    await cellAt(page, 2).getByRole('button').click();
    await cellAt(page, 8, 'DLX')
      .getByRole('button')
      .click({ modifiers: ['Shift'] });
    await editor.getByRole('checkbox', { name: 'Monday' }).uncheck();
    const stopped = () => [...world.revenue.restricted.values()].filter(({ stopSell }) => stopSell).length;
    const sent: string[] = [];
    page.on('request', (one) => void (one.method() === 'PUT' && sent.push(one.url())));
    await page.route('**/api/v1/rates/restrictions', (route) => route.abort(), { times: 1 });
    await editor.getByRole('button', { name: 'Stop sell' }).click();
    await editor.getByRole('alert').waitFor();
    t.equal(stopped(), 0);
    await editor.getByRole('button', { name: 'Stop sell' }).click();
    await editor.getByText('Done. Stop sell: on, 12 nights.').waitFor();
    t.equal(stopped(), 12);
    t.equal(sent.length, 2, 'one request for both, each time');
    await editor.getByRole('button', { name: 'Undo' }).click();
    await editor.getByText('The change is undone.').waitFor();
    t.equal(stopped(), 0);
  });

  t.test('a restriction that somebody else has set meanwhile is shown before it is overwritten', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = editorOf(page);
    await cellAt(page, 2).getByRole('button').click();
    await editor.getByLabel('Nights at least').fill('3');
    const none = { closedToArrival: false, closedToDeparture: false, stopSell: false, rateLocked: false };
    const night = { roomType: 'STD', date: formatDay(today + 2) };
    world.revenue.restricted.set(`STD ${today + 2}`, { ...none, ...night, minStayArrival: 5 });
    await editor.getByRole('button', { name: 'Minimum stay' }).click();
    await editor.getByText(/^Somebody has changed this restriction on 1 night meanwhile, from STD, /).waitFor();
    await cellAt(page, 2).getByText('5+').waitFor();
    t.equal(await editor.getByLabel('Nights at least').inputValue(), '3', 'what was typed stays');
    await editor.getByRole('button', { name: 'Minimum stay' }).click();
    await editor.getByText('Done. Minimum stay 3 nights, 1 night.').waitFor();
  });

  t.test('who may not set prices has no editor, and the past has none', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page, 'demo:VIEWER');
    await cellAt(page, 1).waitFor();
    t.equal(await editorOf(page).count(), 0);
  });
});
