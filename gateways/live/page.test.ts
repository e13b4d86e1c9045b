import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import { worstContrast } from '../../src/testing/live/contrast.ts';
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

/** Of a workspace with all that they share; the revenue workspace can set rates, which took 4 KB. */
const MAX_GZIP_BYTES = 90_000;

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);
/** A night that has rooms left: the scripted hotel is full on Fridays and Saturdays. */
const night = [12, 13, 14].map((ahead) => today + ahead).find((day) => ![5, 6].includes((day + 4) % 7))!;

const READ = 'td[data-mood] .main, td[data-mood] .sub, .percent, .tiles *, .sheet *, .modes span, .feed li *';
/** Texts of the things to click that are too small (WCAG 2.2, 2.5.8). */
const TOO_SMALL = `[...document.querySelectorAll('button, select, label:has(input[type=radio]), a')]
  .filter((one) => one.checkVisibility())
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width < 24 || height < 24; })
  .map((one) => one.textContent + ' ' + one.className)`;

t.test('each workspace is small, with all that they share', async (t) => {
  const files = readdirSync(dir).filter((name) => /\.(js|css|html)$/.test(name));
  const parts = ['revenue-page', 'front-desk-page', 'operations-page', 'reports-page'].map((name) =>
    files.find((file) => file.startsWith(name)),
  );
  for (const part of parts) {
    t.ok(part, 'loaded on its own');
    const loaded = files.filter((name) => name === part || !parts.includes(name));
    const bytes = loaded.reduce((sum, name) => sum + gzipped(join(dir, name)), 0);
    t.comment(`${part}: ${bytes} bytes compressed`);
    t.ok(bytes < MAX_GZIP_BYTES, `${bytes} bytes compressed`);
  }
  const text = (one: string): string => readFileSync(join(dir, one), 'utf8');
  const holding = files.filter((file) => text(file).includes('Arrives, room not ready'));
  t.same(holding, [parts[1]], 'words of the front desk are loaded by the front desk alone');
  t.ok(statSync(join(dir, 'icon.svg')).size < 2_000);
});

t.test('a browser with the page', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('signs in with a token, shows every night, and a booking as it comes in', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    const cell = page.locator(`[data-key="${formatDay(night)} STD"]`);
    await cell.waitFor();
    t.equal(await page.locator('td[data-mood]').count(), 270, 'three room types, ninety nights');
    await page.getByText(/^Live/).first().waitFor();
    const left = async (): Promise<number> => parseInt((await cell.locator('.sub').textContent()) ?? '', 10);
    const before = await left();

    const stay = { roomType: 'STD', checkIn: night, nights: 2, guestName: 'Ada Lovelace', total: 30_150 };
    world.property.book(stay);
    await page.getByText('Ada Lovelace').waitFor();
    t.equal(await left(), before - 1);
    t.ok(await page.locator(`td[data-changed]:has([data-key="${formatDay(night)} STD"])`).count(), 'highlighted');
    t.match(await page.locator('.feed li').first().textContent(), /Booked.*2 nights.*301\.50/);
    await page.getByText(/Live, \d+ ms behind/).waitFor();
    t.equal(await page.getByRole('status').textContent(), 'Live', 'what a screen reader hears does not count');

    await cell.focus();
    await page.keyboard.press('ArrowDown');
    t.match(await page.locator('.cell-line').textContent(), /^DLX, .*booked.*EUR/);
    t.equal(await page.locator('td button[tabindex="0"]').count(), 1, 'the table is one stop of the Tab key');
    t.strictSame(complaints, [], 'no errors, and nothing that the policy forbids');
    await page.screenshot({ path: join(dir, 'desk.png') });
  });

  t.test('signs in at the issuer by one click, and no token is ever in the address', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page
      .getByRole('button', { name: /Vera Novak/ })
      .first()
      .click();
    await page.locator('td[data-mood]').first().waitFor();
    t.equal(page.url(), `${world.url}/`, 'the code has gone from the address');
    t.notMatch(addresses.filter((url) => !url.includes('hint=')).join('\n'), /demo(:|%3A)VIEWER/);
    world.property.book({ roomType: 'STD', checkIn: night, nights: 1, guestName: 'Grace Hopper' });
    await page.getByText('G*** H***').waitFor();
    t.equal(await page.locator('.feed').getByText('€').count(), 0, 'a viewer sees no amounts of bookings');
    await page.reload();
    await page.getByText('G*** H***').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page
      .getByRole('button', { name: /Vera Novak/ })
      .first()
      .waitFor();
    t.equal(await page.evaluate(`sessionStorage.getItem('innkeeper.signed-in')`), null);
    t.strictSame(complaints, []);
  });

  t.test('says what the connection is doing, and how old what it shows is', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    await page.getByText(/^Live/).first().waitFor();
    await page.context().setOffline(true);
    await page
      .getByText(/^Offline, showing data from \d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    world.property.book({ roomType: 'STD', checkIn: today + 3, nights: 1, guestName: 'Alan Turing' });
    await page.context().setOffline(false);
    await page.getByText('Alan Turing').waitFor();
    await page.getByText(/^Live/).first().waitFor();
    world.authenticator.roles.set('demo:MANAGER', undefined);
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page
      .getByText(/^Signed out, showing data from \d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    await page
      .getByRole('alert')
      .getByText(/do not belong to this tenant any more/)
      .waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).waitFor();
    t.ok(await page.locator('td[data-mood]').count(), 'what was known stays');
  });

  for (const [colorScheme, width, height] of [
    ['light', 1280, 800],
    ['dark', 1280, 800],
    ['light', 390, 844],
  ] as const) {
    t.test(`can be read by everybody: ${colorScheme}, ${width} x ${height}`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page } = await openPage(browser, world.url, { colorScheme, viewport: { width, height } });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await checkWithAxe(t, page);
      await signInWithToken(page);
      await page.locator('td[data-mood]').first().waitFor();
      world.property.book({ roomType: 'STD', checkIn: night, nights: 1, guestName: 'Ada Lovelace' });
      await page.getByText('Ada Lovelace').waitFor();
      await page.getByText(/^Live/).first().waitFor();
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => 0)',
      );
      await checkWithAxe(t, page);
      for (const mode of ['Rate', 'vs market', 'vs recommended', 'Occupancy']) {
        await page.getByRole('radio', { name: mode }).check();
        const worst = await worstContrast(page, READ);
        t.ok(worst.ratio >= 4.5, `worst contrast ${worst.ratio.toFixed(2)} at ${worst.text}, ${mode}`);
      }
      const small = await page.evaluate<string[]>(TOO_SMALL);
      t.strictSame(small, [], 'every target has 24 pixels each way');
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
      await page.screenshot({ path: join(dir, `${colorScheme}-${width}.png`) });
    });
  }
});

function gzipped(path: string): number {
  return gzipSync(readFileSync(path)).length;
}
