import t from 'tap';

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
const stay = (guestName: string) => ({ roomType: 'STD', checkIn: today + 12, nights: 2, guestName });

t.test('the bar tells what happens', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('a booking is counted, listed, and leads to its stay', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    await page.getByText(/^Live/).first().waitFor();
    const bell = page.getByRole('banner').getByRole('button', { name: 'Notices' });
    t.equal(await bell.getAttribute('aria-label'), 'Notices');
    const width = (await bell.boundingBox())?.width;
    world.property.book(stay('Ada Lovelace'));
    await page.getByRole('button', { name: 'Notices, 1 new' }).click();
    const list = page.getByRole('dialog', { name: 'Notices' });
    const line = list.getByRole('link', { name: /Booked Ada Lovelace, STD/ });
    await line.waitFor();
    await checkWithAxe(t, page);
    t.match(await line.getAttribute('href'), /^\/desk\?property=harbor-hotel&stay=/);
    t.equal((await bell.boundingBox())?.width, width, 'nothing in the bar moves');
    await page.setViewportSize({ width: 390, height: 844 });
    world.property.book(stay('W'.repeat(90)));
    const long = list.getByRole('link', { name: /Booked W{90}, STD/ });
    await long.waitFor();
    const isWhole = await long.evaluate((link) => link.scrollWidth <= link.clientWidth);
    t.ok(isWhole, 'a name without a space hides nothing');
    await page.keyboard.press('Escape');
    t.equal(await bell.getAttribute('aria-label'), 'Notices', 'what was seen does not count');
    t.strictSame(complaints, []);
  });

  t.test('what an import brings is no news, and no booking among those of guests', pageTestOptions, async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    await page.getByText(/^Live/).first().waitFor();
    for (const name of ['Old One', 'Old Two']) world.property.book({ ...stay(name), by: 'IMPORT_RESERVATIONS' });
    const feed = page.locator('.feed');
    await feed.getByText('2 imported bookings are not listed here.').waitFor();
    world.property.book(stay('Ada Lovelace'));
    await page.getByRole('button', { name: 'Notices, 1 new' }).waitFor();
    await feed.getByText('Ada Lovelace').waitFor();
    t.equal(await feed.locator('li').count(), 1);
  });

  t.test(
    'what waits is counted and leads to where it is solved, by keyboard, until it is solved',
    pageTestOptions,
    async (t) => {
      await using world = await scriptedPage(dir, today);
      world.waiting.push(
        { kind: 'ROOMS_MISSING', count: 3, name: null },
        { kind: 'RECOMMENDATIONS', count: 1, name: null },
      );
      const { page, complaints } = await openPage(browser, world.url);
      await page.clock.install();
      await signInWithToken(page);
      await page.locator('td[data-mood]').first().waitFor();
      await page.clock.fastForward(5_000);
      const bell = page.getByRole('banner').getByRole('button', { name: 'Notices, 2 new' });
      await bell.press('Enter');
      const list = page.getByRole('dialog', { name: 'Notices' });
      const rooms = list.getByRole('link', { name: '3 arrivals of today have no room' });
      t.match(await rooms.getAttribute('href'), '/desk?property=harbor-hotel&list=arrivals');
      await list.getByRole('link', { name: '1 new recommendation of prices' }).waitFor();
      await checkWithAxe(t, page);
      await page.keyboard.press('Escape');
      await page.getByRole('banner').getByRole('button', { name: 'Notices', exact: true }).waitFor();
      world.waiting.splice(0, 1);
      await page.clock.fastForward(60_000);
      await page.getByRole('banner').getByRole('button', { name: 'Notices', exact: true }).press('Enter');
      await list.getByRole('link', { name: '1 new recommendation of prices' }).waitFor();
      await rooms.waitFor({ state: 'detached' });
      await list.getByRole('link', { name: '1 new recommendation of prices' }).press('Enter');
      await page.waitForURL('**/revenue?property=harbor-hotel*');
      t.strictSame(complaints, []);
    },
  );

  t.test('who wants no bookings is told none', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, `${world.url}/me`);
    await signInWithToken(page);
    const bookings = page.getByRole('group', { name: 'Tell me of' }).getByRole('checkbox', { name: 'New bookings' });
    t.ok(await bookings.isChecked());
    await bookings.uncheck();
    await page.reload();
    t.notOk(await bookings.isChecked(), 'it is kept');
    await page.getByRole('link', { name: 'Revenue', exact: true }).click();
    await page.locator('td[data-mood]').first().waitFor();
    world.property.book(stay('Grace Hopper'));
    await page.locator('.feed').getByText('Grace Hopper').waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Notices', exact: true }).click();
    const list = page.getByRole('dialog', { name: 'Notices' });
    await list.getByText('Nothing has happened since you opened this page.').waitFor();
    await list.getByRole('link', { name: 'Choose what you are told' }).click();
    await page.getByRole('heading', { name: 'Your settings' }).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Notices', exact: true }).click();
    await list.getByText('No news reaches this page').waitFor();
    t.strictSame(complaints, []);
  });
});
