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
const CHRISTMAS = `${new Date().getUTCFullYear() + 1}-12-24`;

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Search or run a command' });
const optionsOf = (page: Page) => paletteOf(page).getByRole('option');

/** A zone in which it is another day than at the property, whatever the time is. */
const otherDay = (): string => (new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati');

/** Opens the palette by its key and types. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Page, property, date/ }).waitFor();
  await page.keyboard.type(text);
}

t.test('the command palette', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('by keyboard alone: the chosen line is announced, Enter runs it, Escape gives the focus back', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    const first = page.locator(`[data-key="${formatDay(today)} STD"]`);
    await first.focus();
    await search(page, '');
    const field = page.getByRole('combobox', { name: /^Page, property, date/ });
    const chosen = async (): Promise<string | null> => {
      const id = await field.getAttribute('aria-activedescendant');
      return page.locator(`#${id}[aria-selected=true] > span`).textContent();
    };
    t.equal(await chosen(), 'Set rate', 'what the workspace offers comes first');
    await page.keyboard.press('ArrowDown');
    t.equal(await chosen(), 'Add event');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    t.equal(await chosen(), 'Harbor Hotel', 'from the first to the last');
    await checkWithAxe(t, page);
    await page.keyboard.press('Escape');
    await paletteOf(page).waitFor({ state: 'detached' });
    t.equal(
      await page.evaluate('document.activeElement.dataset.key'),
      `${formatDay(today)} STD`,
      'back where it was',
    );

    await search(page, 'set ra');
    await page.keyboard.press('Enter');
    t.ok(await page.evaluate('document.activeElement.matches(".rate-editor .field input")'));
    await search(page, 'add ev');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add event' }).waitFor({ state: 'detached' });
    await search(page, 'chart pick');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pickup by day', pressed: true }).waitFor();
    await search(page, 'dark');
    await page.keyboard.press('Enter');
    t.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.keyboard.press('Control+k');
    await paletteOf(page).waitFor();
    await checkWithAxe(t, page);
    // Both keys before the page is drawn again, and before the closed dialog says so.
    for (const key of ['Enter', 'Escape']) {
      await page.keyboard.type('light');
      await page.evaluate(`{
        const press = (target, init) =>
          target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
        press(document.activeElement, { key: '${key}' });
        press(document.body, { key: 'k', ctrlKey: true });
      }`);
      await page.waitForTimeout(100);
      await paletteOf(page).waitFor();
      t.equal(await page.getByRole('combobox', { name: /^Page, property, date/ }).inputValue(), '', 'a new one');
    }
    t.equal(await page.locator('html').getAttribute('data-theme'), 'light');
    t.strictSame(complaints, []);
  });

  t.test('goes to pages, dates and stays, and only where the role may', async (t) => {
    await using world = await scriptedPage(dir, today);
    world.desk.build([{ roomNumber: '101', roomType: 'STD', floor: 1 }]);
    world.desk.stay({ name: 'Grace Hopper', checkIn: today - 400, checkOut: today - 398, status: 'CHECKED_OUT' });
    const { page } = await openPage(browser, `${world.url}/reports`, { timezoneId: otherDay() });
    await signInWithToken(page);
    await page.getByRole('button', { name: 'Search or run a command' }).click();
    await optionsOf(page).filter({ hasText: 'Front desk' }).click();
    await page.getByRole('button', { name: 'Assign all' }).waitFor();

    // Both lines are there as soon as the properties are known.
    const dated = optionsOf(page).filter({ hasText: CHRISTMAS });
    await search(page, CHRISTMAS);
    await dated.nth(1).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('date') === CHRISTMAS);
    await search(page, CHRISTMAS);
    await dated.nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/revenue' && url.searchParams.get('from') === CHRISTMAS);
    await page.getByRole('button', { name: 'Set rate' }).waitFor();

    await search(page, 'tomorrow');
    await optionsOf(page)
      .filter({ hasText: formatDay(today + 1) })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');

    await search(page, 'hopp');
    await optionsOf(page).filter({ hasText: 'Grace Hopper' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Grace Hopper' }).waitFor();
    t.match(page.url(), /\/desk\?.*stay=stay-1/);

    await search(page, 'walk');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Walk-in' }).waitFor();
    await search(page, 'assign');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Assign all' }).waitFor();
  });

  t.test('a viewer finds no people and no verbs; on a phone nothing is pushed out', async (t) => {
    await using world = await scriptedPage(dir, today);
    world.desk.stay({ name: 'Grace Hopper', checkIn: today, checkOut: today + 2 });
    const { page } = await openPage(browser, world.url, { viewport: { width: 390, height: 844 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signInWithToken(page, 'demo:VIEWER');
    await page.getByRole('button', { name: 'Search or run a command' }).click();
    await page.getByRole('combobox', { name: /^Page, property/ }).fill('hopp');
    await paletteOf(page).getByText('Nothing is found.').waitFor();
    await page.getByRole('combobox', { name: /^Page, property/ }).fill('re');
    t.strictSame(
      await optionsOf(page)
        .filter({ hasText: /reservation|Reports/ })
        .allTextContents(),
      [],
    );
    t.notOk(
      asked.some((path) => path.endsWith('/guests')),
      'and asks for none',
    );
    t.ok(
      await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
      'the page is as wide as the phone',
    );
    await checkWithAxe(t, page);
  });
});
