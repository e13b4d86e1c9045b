import type { Page } from 'playwright-core';
import t from 'tap';

import {
  browserFor,
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
/** A4 without its margins, at 96 pixels an inch. */
const PAPER = { width: 720, height: 1_000 };

const rowHeight = (page: Page): Promise<number> =>
  page.evaluate(`document.querySelector('td[data-mood]').getBoundingClientRect().height`);

t.test('the look of the page', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('shows more at once when that is chosen, also after it is opened again', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/revenue`);
    await signInWithToken(page);
    await page.locator('td[data-mood] .main').first().waitFor();
    const comfortable = await rowHeight(page);
    await page.getByRole('button', { name: 'Keys and appearance' }).click();
    await page.getByRole('group', { name: 'Density' }).getByRole('radio', { name: 'Compact' }).check();
    t.ok((await rowHeight(page)) < comfortable);
    await page.reload();
    await page.locator('td[data-mood] .main').first().waitFor();
    t.ok((await rowHeight(page)) < comfortable);
  });

  t.test('speaks the language of the browser, and another when that is chosen', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, `${world.url}/revenue`, { locale: 'de-AT' });
    await page.getByText('Zugriffstoken verwenden').click();
    await page.getByLabel('Mandant').fill('demo');
    await page.getByLabel('Zugriffstoken').fill('demo:MANAGER');
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByText('Auslastung').first().waitFor();
    t.equal(await page.locator('html').getAttribute('lang'), 'de');
    await page.getByRole('button', { name: 'Tasten und Aussehen' }).click();
    await Promise.all([
      page.waitForEvent('load'),
      page
        .getByRole('group', { name: 'Sprache' })
        .getByRole('radio', { name: 'Français' })
        .click({ noWaitAfter: true }),
    ]);
    await page.getByText('Taux d’occupation').first().waitFor();
    t.equal(await page.locator('html').getAttribute('lang'), 'fr');
    t.strictSame(complaints, []);
  });

  t.test('prints the calendar one page wide', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/revenue`);
    await signInWithToken(page);
    await page.locator('td[data-mood] .main').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(PAPER);
    t.equal(await page.locator('.bar').isVisible(), false);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), PAPER.width);
  });
});
