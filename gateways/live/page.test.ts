import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import { LANGUAGES } from '../../src/kernel/rules/languages.ts';
import { PAGES } from '../../src/live/contracts/page-addresses.ts';
import { untilTime } from '../../src/testing/fake-clock.ts';
import { worstContrast } from '../../src/testing/live/contrast.ts';
import { lookName } from '../../src/testing/live/looks.ts';
import {
  browserFor,
  checkWithAxe,
  type Look,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';
import { isNightly } from '../../test/loop/nightly.ts';
import { bundledName, scriptsWith } from './transport/page-documents.ts';

t.setTimeout(PAGE_FILE_MS);

/** Of a workspace with all that they share; what formats texts in five languages took 10 KB of it. */
const MAX_GZIP_BYTES = 116_000;
/** Texts of a language that every workspace loads. */
const MAX_TEXTS_GZIP_BYTES = 37_000;

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);
/** A night that has rooms left: the scripted hotel is full on Fridays and Saturdays. */
const night = [12, 13, 14].map((ahead) => today + ahead).find((day) => ![5, 6].includes((day + 4) % 7))!;

const READ = 'td[data-mood] .main, td[data-mood] .sub, .percent, .tiles *, .sheet *, .modes span, .feed li *';
const PHONE: Look = { colorScheme: 'light', viewport: { width: 390, height: 844 } };
const DESK: Look = { colorScheme: 'dark', viewport: { width: 1280, height: 800 } };
/** A phone and a desk, each in a theme of its own; at night the desk in both. */
const LOOKS: readonly Look[] = isNightly() ? [PHONE, DESK, { ...DESK, colorScheme: 'light' }] : [PHONE, DESK];
/** Texts of the things to click that are too small (WCAG 2.2, 2.5.8). */
const TOO_SMALL = `[...document.querySelectorAll('button, select, label:has(input[type=radio]), a')]
  .filter((one) => one.checkVisibility())
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width < 24 || height < 24; })
  .map((one) => one.textContent + ' ' + one.className)`;

t.test('each workspace is small, with all that they share', async (t) => {
  const others = readdirSync(dir).filter((name) => /\.(css|html)$/.test(name) && !name.startsWith('guest-'));
  for (const { workspace, paths, script } of PAGES) {
    const entry = bundledName(dir, script);
    t.ok(entry, `${workspace} is loaded on its own`);
    const loaded = [...scriptsWith(dir, entry!, scriptsWith(dir, bundledName(dir, 'main.tsx')!)), ...others];
    const bytes = loaded.reduce((sum, name) => sum + gzipped(join(dir, name)), 0);
    t.comment(`${workspace}: ${bytes} bytes compressed`);
    t.ok(bytes < MAX_GZIP_BYTES, `${workspace}: ${bytes} bytes compressed`);
    const isDesk = paths[0].startsWith('/desk');
    const hasWords = loaded.some((one) => readFileSync(join(dir, one), 'utf8').includes('Arrives, room not ready'));
    t.ok(isDesk || !hasWords, 'words of the front desk are loaded by its pages alone');
    t.notOk(
      loaded.some((one) => one.startsWith('charts-view-')),
      'charts are loaded when they are seen',
    );
  }
  t.ok(statSync(join(dir, 'icon.svg')).size < 2_000);
  for (const language of LANGUAGES.slice(1)) {
    const bytes = gzipped(join(dir, bundledName(dir, `translations-${language}`)!));
    t.ok(bytes < MAX_TEXTS_GZIP_BYTES, `${language}: ${bytes} bytes compressed`);
    t.ok(bundledName(dir, `translations-admin-${language}`), 'texts of the administration are apart');
  }
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
  });

  t.test('what it needs is requested once, before its scripts have come', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    const seen: string[] = [];
    page.on('request', (one) => seen.push(new URL(one.url()).pathname));
    page.on('websocket', () => seen.push('socket'));
    await page.route('**/main-*.js', async (route) => {
      await untilTime(() => seen.includes('socket') && seen.includes('/api/v1/tenants/demo/properties'));
      await route.continue();
    });
    await page.reload();
    await page.locator('td[data-mood]').first().waitFor();
    for (const once of ['socket', '/api/v1/tenants/demo/properties'])
      t.equal(seen.filter((one) => one === once).length, 1, once);
    t.strictSame(complaints, []);
  });

  t.test('signs in at the issuer by one click, and no token is ever in the address', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.getByRole('button', { name: 'Viewer (Vera)', exact: true }).first().click();
    await page.locator('td[data-mood]').first().waitFor();
    t.equal(page.url(), `${world.url}/revenue?property=harbor-hotel`, 'the code has gone from the address');
    t.notMatch(addresses.filter((url) => !url.includes('hint=')).join('\n'), /demo(:|%3A)VIEWER/);
    world.property.book({ roomType: 'STD', checkIn: night, nights: 1, guestName: 'Grace Hopper' });
    await page.getByText('G*** H***').waitFor();
    t.equal(await page.locator('.feed').getByText('€').count(), 0, 'a viewer sees no amounts of bookings');
    await page.reload();
    await page.getByText('G*** H***').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Viewer (Vera)', exact: true }).first().waitFor();
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

  for (const look of LOOKS) {
    t.test(`can be read by everybody: ${lookName(look)}`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page } = await openPage(browser, world.url, look);
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
    });
  }
});

function gzipped(path: string): number {
  return gzipSync(readFileSync(path)).length;
}
