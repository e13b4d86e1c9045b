import t from 'tap';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import {
  browserFor,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';
import { until } from '../../test/blackbox/waiting.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);

/** What scrolls in the open workspace. */
const SCROLLER = `[...document.querySelectorAll('#page main, #page main *')].find((part) =>
  part.scrollHeight > part.clientHeight + 90 && /auto|scroll/.test(getComputedStyle(part).overflowY))`;

t.test('addresses of the page', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  for (const [role, path] of [
    ['MANAGER', '/revenue'],
    ['STAFF', '/desk'],
    ['VIEWER', '/revenue'],
  ] as const) {
    t.test(`the day of ${role} begins at ${path}`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page } = await openPage(browser, world.url);
      await signInWithToken(page, `demo:${role}`);
      await page.waitForURL((url) => url.pathname === path);
      const links = page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link');
      await links.getByText('Front desk').waitFor();
      t.equal(
        (await links.allTextContents()).includes('Reports'),
        role !== 'VIEWER',
        'offers what the role may open',
      );
    });
  }

  t.test('a link shows what it names, and the address follows what is shown', async (t) => {
    await using world = await scriptedPage(dir, today);
    const from = formatDay(today + 7);
    const night = `${formatDay(today + 9)} DLX`;
    const address = `/revenue?property=harbor-hotel&from=${from}&mode=rate&night=${night}`;
    const { page, complaints } = await openPage(browser, world.url + address);
    await signInWithToken(page);
    await page.locator(`td[aria-selected] [data-key="${night}"]`).waitFor();
    t.ok(await page.getByRole('radio', { name: 'Rate', exact: true }).isChecked());
    t.equal(await page.locator(`[data-key="${formatDay(today)} DLX"]`).count(), 0, 'the nights begin later');
    t.equal(new URL(page.url()).searchParams.get('night'), night, 'signing in has kept the exact address');

    await page.getByRole('radio', { name: 'Occupancy', exact: true }).check();
    await page.locator(`[data-key="${formatDay(today + 10)} STD"]`).click();
    await page.waitForURL(/night=[^&]+STD/);
    t.notMatch(page.url(), /mode=/, 'what is as usual is not in the address');
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await page.waitForURL((url) => !url.searchParams.has('from'));
    t.strictSame(complaints, []);
  });

  for (const wrong of ['from=2026-13-45', 'night=somewhere', 'night=2020-01-01%20DLX']) {
    t.test(`an address with ${wrong} shows the usual nights`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page, complaints } = await openPage(browser, `${world.url}/revenue?${wrong}`);
      await signInWithToken(page);
      await page.locator('td[aria-selected="true"]').first().waitFor();
      await page.getByRole('region', { name: 'Rates and restrictions' }).getByText('1 night').waitFor();
      t.strictSame(complaints, []);
    });
  }

  t.test('an address with a room type that is not there shows the first one', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, `${world.url}/revenue?night=${formatDay(today)} NONE`);
    await signInWithToken(page);
    await page.locator(`td[aria-selected="true"] [data-key^="${formatDay(today)}"]`).waitFor();
    await page.waitForURL((url) => !url.searchParams.has('night'));
    t.strictSame(complaints, []);
  });

  t.test('moving between workspaces keeps the document, and Back returns', async (t) => {
    await using world = await scriptedPage(dir, today);
    const look = { viewport: { width: 1280, height: 420 } };
    const { page, complaints } = await openPage(browser, `${world.url}/revenue?mode=rate`, look);
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    t.equal(await page.evaluate(`window.sameDocument = true; ${SCROLLER}.scrollTop = 80; ${SCROLLER}.scrollTop`), 80);
    const nav = page.getByRole('navigation', { name: 'Workspaces' });
    await nav.getByRole('link', { name: 'Front desk' }).click();
    await page.locator('main.front-desk').waitFor();
    t.equal(await page.title(), 'Front desk · Innkeeper');
    await page.locator('main:focus').waitFor();
    t.equal(await page.evaluate('window.sameDocument'), true);
    await page.goBack();
    await page.locator('td[data-mood]').first().waitFor();
    t.equal(await page.title(), 'Revenue · Innkeeper');
    t.ok(await page.getByRole('radio', { name: 'Rate', exact: true }).isChecked());
    t.equal(new URL(page.url()).pathname, '/revenue');
    await until('the page is where it was', 10_000, async () =>
      (await page.evaluate(`${SCROLLER}?.scrollTop`)) === 80 ? true : undefined,
    );
    // The scripted service has no reservations to list.
    t.strictSame(
      complaints.filter((one) => !one.startsWith('Failed to load resource')),
      [],
    );
  });

  t.test('an address without a page says so and leads on', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/ops`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText('There is no page at /nowhere.').waitFor();
    await page.getByRole('link', { name: 'Start page', exact: true }).click();
    await page.getByText('Use an access token').waitFor();
    t.equal(new URL(page.url()).pathname, '/');
  });

  t.test('a page of another role says so and leads on', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/reports`);
    await signInWithToken(page, 'demo:VIEWER');
    await page.getByRole('heading', { name: 'Reports needs another role' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.getByRole('navigation', { name: 'Go to' }).getByRole('link', { name: 'Revenue' }).click();
    await page.locator('td[data-mood]').first().waitFor();
    t.equal(new URL(page.url()).pathname, '/revenue');
  });
});
