import type { Browser, Page } from 'playwright-core';
import t from 'tap';

import { worstContrast } from '../../src/testing/live/contrast.ts';
import {
  browserFor,
  checkWithAxe,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
} from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);

/** Pages that an administrator may open. */
const PAGES = ['/revenue', '/fleet', '/desk', '/groups', '/guests', '/reports', '/admin'];
const NAV = 'nav.workspaces';
/** Links and the button of the bar that are cut, or too small for a finger. */
const CUT = `[...document.querySelectorAll('${NAV} > :is(a, button)')].filter((one) =>
  one.checkVisibility({ visibilityProperty: true })).flatMap((one) => {
    const { left, right, height, width } = one.getBoundingClientRect();
    const nav = one.parentElement.getBoundingClientRect();
    const isWhole = left >= Math.max(0, nav.left) - 1 && right <= Math.min(innerWidth, nav.right) + 1;
    return isWhole && one.scrollWidth <= one.clientWidth && height >= 24 && width >= 24 ? [] : [one.textContent];
  })`;

/** Signs in as an administrator in any language. */
async function administrator(browser: Browser, url: string, look: Parameters<typeof openPage>[2]): Promise<Page> {
  const { page } = await openPage(browser, `${url}/revenue`, look);
  const form = page.locator('details');
  await form.locator('summary').click();
  await form.locator('input').first().fill('demo');
  await form.locator('input').last().fill('demo:ADMIN');
  await form.getByRole('button').click();
  await page.locator(`${NAV} a[aria-current]`).first().waitFor({ state: 'attached' });
  await page.locator('td[data-mood]').first().waitFor();
  return page;
}

/** Paths of the links that can be seen, in the bar or in the open menu. */
const shownPaths = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('${NAV} a')].filter((one) =>
    one.checkVisibility({ visibilityProperty: true })).map((one) => one.getAttribute('href'))`);

t.test('the navigation', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  for (const locale of ['en-US', 'de-DE', 'fr-FR', 'es-ES', 'pt-PT'])
    t.test(`no page is cut off at any width: ${locale}`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const page = await administrator(browser, world.url, { locale, viewport: { width: 1920, height: 800 } });
      for (const width of [1920, 1801, 1800, 1600, 1440, 1439, 1400, 1280, 1024, 821, 820, 600, 481, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const menu = page.locator(`${NAV} > button`);
        // The links are measured once the bar has its new width.
        await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
        t.strictSame(await page.evaluate<string[]>(CUT), [], `${width} pixels`);
        const inBar = await shownPaths(page);
        t.equal(await menu.isVisible(), inBar.length < PAGES.length, `a menu only where it is needed: ${width}`);
        if (width > 820) t.strictSame(inBar, PAGES, `all are in the bar at ${width} pixels`);
        if (!(await menu.isVisible())) continue;
        await menu.click();
        t.strictSame((await shownPaths(page)).toSorted(), PAGES.toSorted(), `all can be reached at ${width} pixels`);
        await page.keyboard.press('Escape');
      }
    });

  t.test('the menu is used by keyboard', async (t) => {
    await using world = await scriptedPage(dir, today);
    const page = await administrator(browser, world.url, { viewport: { width: 481, height: 800 } });
    const nav = page.getByRole('navigation', { name: 'Workspaces' });
    const menu = nav.getByRole('button', { name: 'More', exact: true });
    const last = nav.getByRole('link', { name: 'Administration' });
    await menu.focus();
    t.notOk(await last.isVisible());
    await page.keyboard.press('Enter');
    await last.waitFor();
    await page.keyboard.press('Tab');
    t.equal(await page.evaluate(`document.activeElement.closest('.more-pages') !== null`), true);
    await page.keyboard.press('Escape');
    await last.waitFor({ state: 'hidden' });
    t.equal(await page.evaluate(`document.activeElement.className`), 'more-pages-button', 'the focus is back');
    await page.keyboard.press('Enter');
    await last.press('Enter');
    await page.waitForURL((url) => url.pathname === '/admin');
    await nav.getByRole('link', { name: 'Administration' }).and(page.locator('[aria-current]')).waitFor();
    t.equal(await nav.getByRole('link', { name: 'Reports' }).isVisible(), false, 'the menu has closed');
  });

  for (const colorScheme of ['light', 'dark'] as const)
    t.test(`everybody can read the open menu: ${colorScheme}`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const page = await administrator(browser, world.url, { colorScheme, viewport: { width: 390, height: 844 } });
      await page.getByRole('button', { name: 'Pages', exact: true }).click();
      await page.getByRole('link', { name: 'Reports' }).waitFor();
      await checkWithAxe(t, page);
      const { ratio, text } = await worstContrast(page, '.more-pages a, .more-pages-button');
      t.ok(ratio >= 4.5, `${text}: ${ratio.toFixed(2)}`);
      const heights = await page
        .locator('.more-pages a')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      t.ok(heights.every((height) => height >= 24));
    });
});
