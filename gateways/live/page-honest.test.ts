import t from 'tap';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import {
  browserFor,
  checkWithAxe,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';
import { figuresOf } from '../dashboard/properties/fleet-figures.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);
/** A night that has rooms left: the scripted hotel is full on Fridays and Saturdays. */
const night = [12, 13, 14].map((ahead) => today + ahead).find((day) => ![5, 6].includes((day + 4) % 7))!;
const TEN_MINUTES_MS = 600_000;
const MAX_LAG_MS = 60_000;

/** In the page, before anything else: a clock that is wrong. */
const WRONG_CLOCK = (ms: number): string => `{
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...given) { given.length === 0 ? super(Right.now() + ${ms}) : super(...given); }
    static now() { return Right.now() + ${ms}; }
  };
}`;

t.test('the page says how things stand', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('a pause holds changes back and counts them, until it is over', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    const cell = page.locator(`td:has([data-key="${formatDay(night)} STD"])`);
    await cell.waitFor();
    await page.getByText(/^Live/).first().waitFor();
    const before = await cell.locator('.sub').textContent();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused, nothing held').waitFor();
    t.equal(await page.getByRole('status').textContent(), 'Paused: changes are held back');
    world.property.book({ roomType: 'STD', checkIn: night, nights: 1, guestName: 'Ada Lovelace' });
    world.property.nothing();
    world.property.book({ roomType: 'DLX', checkIn: night, nights: 1 });
    await page.getByText('Paused, 3 held').waitFor();
    t.equal(await cell.locator('.sub').textContent(), before);
    t.equal(await page.getByText('Ada Lovelace').count(), 0);
    await page.keyboard.press('p');
    await page.getByText('Ada Lovelace').waitFor();
    t.equal(await cell.locator('.sub').textContent(), `${parseInt(before ?? '', 10) - 1} left`);
    t.ok(await cell.getAttribute('data-changed'), 'what changed meanwhile is highlighted');
    t.equal(await page.locator('td[data-changed]').count(), 2, 'and nothing else');
    await page.getByText(/^Live/).first().waitFor();
    t.strictSame(complaints, []);
  });

  t.test('what is older than it should be is hatched, and says how old it is', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url, { forcedColors: 'active' });
    await page.clock.install();
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    await page.getByText(/^Live/).first().waitFor();
    t.equal(await page.locator('[data-aged]').count(), 0);
    await page.context().setOffline(true);
    await page
      .getByText(/^Offline, showing data from \d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    await page.clock.fastForward('05:00');
    await page.getByText(/^Data from \d\d:\d\d:\d\d, not live, 5 min old$/).waitFor();
    t.ok(await page.locator('.scroller[data-aged]').count(), 'the nights');
    for (const name of ['Bookings as they come in', 'The night in detail', 'Charts', 'Recommended'])
      await page.getByRole('region', { name }).getByText('5 min old').waitFor();
    t.equal(await page.locator('.tiles li[data-aged]').count(), 6);
    await checkWithAxe(t, page);
    await page.context().setOffline(false);
    await page.getByText(/^Live/).first().waitFor();
    await page.locator('[data-aged]').first().waitFor({ state: 'detached' });
  });

  for (const ms of [TEN_MINUTES_MS, -TEN_MINUTES_MS]) {
    t.test(`a browser whose clock is ${ms / 60_000} minutes off shows the same`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page, complaints } = await openPage(browser, 'about:blank');
      await page.addInitScript(WRONG_CLOCK(ms));
      await page.goto(world.url);
      await signInWithToken(page, 'demo:MANAGER:300');
      await page.locator('td[data-mood]').first().waitFor();
      world.property.book({ roomType: 'STD', checkIn: night, nights: 1, guestName: 'Ada Lovelace' });
      const status = page.getByText(/^Live, \d+ ms behind$/);
      // A single change may come with the snapshot of a new window, and has no lag then.
      let rate = 12_000;
      const moving = setInterval(() => world.property.setRate('STD', night, (rate += 1)), 200);
      await status.waitFor();
      clearInterval(moving);
      t.ok(parseInt((await status.textContent())!.slice(6), 10) < MAX_LAG_MS, 'the lag is on the server’s clock');
      t.equal(await page.locator('[data-aged]').count(), 0, 'nothing is old');
      await page.reload();
      await page.getByText('Ada Lovelace').waitFor();
      await page.context().setOffline(true);
      const old = page.getByText(/^Offline, showing data from/).first();
      await old.waitFor();
      const [hour, minute] = /(\d\d):(\d\d):\d\d$/
        .exec((await old.textContent())!)!
        .slice(1)
        .map(Number);
      const now = new Date();
      const off = Math.abs(hour! * 60 + minute! - now.getHours() * 60 - now.getMinutes());
      t.ok(Math.min(off, 1_440 - off) <= 3, 'data is from when the server said it was');
      t.strictSame(
        complaints.filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED')),
        [],
      );
    });
  }

  t.test('a token that is over, without a session to renew it, is shown, and the data stays', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    await page.locator('td[data-mood]').first().waitFor();
    world.authenticator.identify = () => Promise.reject(new DomainError('UNAUTHENTICATED', 'It has expired.'));
    world.dropSockets();
    await page
      .getByRole('alert')
      .getByText(/^Your sign-in has ended: the access token has expired/)
      .waitFor();
    await page
      .getByText(/^Signed out, showing data from \d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    t.equal(await page.locator('td[data-mood]').count(), 270);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText('Use an access token').waitFor();
  });

  t.test(
    'the list of keys opens by its key and its button, keeps the focus, and switches keys and theme',
    async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page } = await openPage(browser, world.url, { colorScheme: 'light' });
      await signInWithToken(page);
      const cell = page.locator(`[data-key="${formatDay(today)} STD"]`);
      await cell.focus();
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: 'Keys' });
      await dialog.getByText('From cell to cell').waitFor();
      t.ok(await dialog.evaluate('document.querySelector("dialog").contains(document.activeElement)'));
      await checkWithAxe(t, page);
      await page.keyboard.press('p');
      t.equal(await page.getByText(/^Paused/).count(), 0, 'behind a dialog keys do nothing');
      await page.keyboard.press('Escape');
      t.equal(
        await page.evaluate('document.activeElement.dataset.key'),
        `${formatDay(today)} STD`,
        'back where it was',
      );
      const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const light = await ground();
      await page.getByRole('button', { name: 'Keys and appearance' }).click();
      await dialog.getByRole('radio', { name: 'Dark' }).check();
      const dark = await ground();
      t.not(dark, light);
      await dialog.getByRole('radio', { name: 'As the system' }).check();
      t.equal(await ground(), light);
      await page.emulateMedia({ colorScheme: 'dark' });
      t.equal(await ground(), dark, 'follows the system');
      await dialog.getByRole('checkbox').uncheck();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.keyboard.press('p');
      await page.keyboard.press('?');
      t.equal(await page.getByText(/^Paused/).count(), 0, 'single keys can be turned off');
      t.notOk(await dialog.isVisible());
    },
  );
});

t.test('a property adds up over its nights', async (t) => {
  const item = { roomsSold: 5, roomsAvailable: 10, occupancyRate: 50, pickupToday: 2, cancellationsToday: 1 };
  const kpi = new Map(['2026-03-01', '2026-03-02'].map((date) => [date, { ...item, date }]));
  const cell = { roomType: 'STD', totalRooms: 10, heldRooms: 0, blockedRooms: 6, rate: 100, currency: 'EUR' };
  const grid = new Map(
    ['2026-03-01', '2026-03-02'].map((date, index) => [
      `${date} STD`,
      { ...cell, date, bookedRooms: 4 + index, availableRooms: 0 },
    ]),
  );
  t.match(figuresOf({ kpi, grid }, '2026-03-01'), {
    occupancy: 50,
    sold: 5,
    rooms: 10,
    pickup: 4,
    spark: [0.5, 0.5],
    over: 1,
    full: 2,
  });
});
