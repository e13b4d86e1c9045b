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
import type { ScriptedRevenue } from '../../src/testing/live/scripted-revenue.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);
/** A night that has rooms left: the scripted hotel is full on Fridays and Saturdays. */
const night = [12, 13, 14].map((ahead) => today + ahead).find((day) => ![5, 6].includes((day + 4) % 7))!;

/** Nights whose rate is locked. */
const lockedIn = ({ restricted }: ScriptedRevenue): number =>
  [...restricted.values()].filter(({ rateLocked }) => rateLocked).length;

t.test('the revenue workspace', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('key figures follow bookings and say what they are made of', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    const tile = (id: string) => page.locator(`[data-tile="${id}"]`);
    const sum = (): number =>
      world.property.view.grid(today, today + 89).reduce((rooms, { booked }) => rooms + booked, 0);
    const signed = (rooms: number): string => `+${new Intl.NumberFormat('en-US').format(rooms)}`;
    await tile('pickup').getByText(signed(sum()), { exact: true }).waitFor();
    world.property.book({ roomType: 'STD', checkIn: night, nights: 2, guestName: 'Ada Lovelace' });
    await tile('pickup').getByText(signed(sum()), { exact: true }).waitFor();
    world.revenue.cancelled = 3;
    world.property.book({ roomType: 'STD', checkIn: night, nights: 1, event: 'CANCELLED' });
    await tile('cancellations').getByText('3', { exact: true }).waitFor();

    t.match(await tile('adr').textContent(), /ADR€150.*\+50\.0\s% yesterday.*\+50\.0\s% last year/);
    t.match(await tile('market').textContent(), /Market position107\.\d\s% of market, above market/);
    await page.getByRole('link', { name: /^Occupancy/ }).focus();
    // A focus that shows is one that the keyboard brought.
    for (const key of ['Tab', 'Shift+Tab']) await page.keyboard.press(key);
    const tip = tile('occupancy').locator('[role=tooltip]');
    t.match(await tip.textContent(), /^\d+ rooms sold of 120/);
    t.ok(await tip.isVisible(), 'shown to the keyboard');
    await page.keyboard.press('Escape');
    t.notOk(await tip.isVisible(), 'and put away by it');
    t.strictSame(complaints, []);
  });

  t.test('cells show occupancy, rates, and rates against recommended ones', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const cell = page.locator(`td:has([data-key="${formatDay(today + 1)} DLX"])`);
    await cell.waitFor();
    await page.getByRole('radio', { name: 'Rate', exact: true }).check();
    t.match(await cell.locator('.main').textContent(), /^\d{3}$/);
    await page.getByRole('radio', { name: 'vs recommended' }).check();
    await cell.getByText('−17%').waitFor();
    t.equal(await cell.getAttribute('data-tint'), 'below');
    t.match(await cell.locator('.visually-hidden').textContent(), /17 % below the recommended rate$/);
    await page.getByRole('radio', { name: 'vs market' }).check();
    t.equal(await cell.locator('.main').textContent(), '–', 'no market is known, and nothing is made up');
  });

  t.test('the grid is one stop of the Tab key, and Enter shows a night in detail', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const first = page.locator(`[data-key="${formatDay(today)} STD"]`);
    await first.focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'PageDown', 'Enter']) await page.keyboard.press(key);
    t.equal(await page.locator('td button[tabindex="0"]').count(), 1);
    const panel = page.getByRole('region', { name: 'The night in detail' });
    await panel.getByRole('heading', { level: 2, name: /^DLX, / }).waitFor();
    await panel.getByText('Season').waitFor();
    t.match(await panel.locator('.steps').textContent(), /Base rate€120\.00Season\+€12\.50Price€132\.50/);
    await panel.getByText('+14').waitFor();
    t.match(await panel.locator('.pickup tbody').textContent(), /^\+1\+3\+7\+14$/);
    const lefts = (cells: string): Promise<number[]> =>
      panel.locator(`.pickup ${cells}`).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    t.strictSame(await lefts('td'), await lefts('th'), 'each figure stands below its days');
    const frame = `getComputedStyle(document.querySelector('.night .outcome')).borderTopWidth`;
    t.equal(await page.evaluate(frame), '0px', 'no empty frame');
    await panel.getByText('Booked', { exact: true }).waitFor();
    t.match(await panel.locator('.happened li').first().textContent(), /booked 3 → 4$/);
    t.match(await panel.locator('.happened li').nth(1).textContent(), /Held, unpaid held 0 → 1$/);
    t.equal(await page.locator('td[aria-selected="true"]').count(), 1);
  });

  t.test('recommended rates are taken over after a question, or rejected', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const advice = page.getByRole('region', { name: 'Recommended' });
    await advice.getByRole('button', { name: 'Reject all' }).click();
    await advice.getByText('3 nights rejected, on this screen only.').waitFor();
    await advice.getByRole('button', { name: 'Show again' }).click();
    await advice.getByRole('button', { name: 'Accept 3 nights' }).click();
    t.strictSame(world.revenue.implemented, [], 'nothing is set before the answer');
    await advice.getByRole('button', { name: 'Yes, set these rates' }).click();
    await advice
      .getByText(/applied/i)
      .first()
      .waitFor();
    t.strictSame(world.revenue.implemented, [3]);
    await page.getByRole('status').getByText('3 nights have the recommended rate.').waitFor();
    t.equal(await advice.getByRole('button', { name: /^Accept/ }).count(), 0);
  });

  t.test('a rate is locked, stays so for everybody, and is unlocked', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const advice = page.getByRole('region', { name: 'Recommended' });
    const button = (name: RegExp) => advice.getByRole('button', { name });
    await button(/^Lock the rate of DLX/)
      .first()
      .click();
    await advice.getByText('rate locked').waitFor();
    const locked = lockedIn(world.revenue);
    t.ok(locked > 0);
    await button(new RegExp(`^Accept ${3 - locked} night`)).waitFor();
    await page.reload();
    await button(/^Unlock the rate of DLX/).click();
    await button(/^Accept 3 nights/).waitFor();
    t.equal(lockedIn(world.revenue), 0);

    const cell = page.locator(`td:has([data-key="${formatDay(today + 1)} DLX"])`);
    await cell.getByRole('button').click();
    const panel = page.getByRole('region', { name: 'The night in detail' });
    const lock = panel.getByRole('button', { name: 'Lock the rate' });
    t.equal(await lock.getAttribute('aria-pressed'), 'false');
    await lock.click();
    await page.locator('td[data-locked]').waitFor();
    t.match(await cell.locator('.visually-hidden').textContent(), /, rate locked$/);
    t.equal(await lock.getAttribute('aria-pressed'), 'true');
    t.equal(lockedIn(world.revenue), 1);
  });

  t.test('one recommended rate is taken over, another is rejected, the rest stays open', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const advice = page.getByRole('region', { name: 'Recommended' });
    await advice
      .getByRole('button', { name: /^Accept DLX/ })
      .first()
      .click();
    await advice.getByRole('button', { name: 'Accept 2 nights' }).waitFor();
    t.strictSame(world.revenue.implemented, [1]);
    await advice
      .getByRole('button', { name: /^Reject DLX/ })
      .first()
      .click();
    await advice.getByText('1 night rejected, on this screen only.').waitFor();
    await page.reload();
    await advice.getByText('1 night rejected, on this screen only.').waitFor();
    await advice.getByRole('button', { name: 'Accept 1 night', exact: true }).waitFor();
  });

  t.test('a role without amounts sees no revenue, no recommendations', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/revenue`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signInWithToken(page, 'demo:STAFF');
    await page.locator('[data-tile="pickup"]').waitFor();
    t.equal(await page.locator('.tiles li').count(), 3);
    t.equal(await page.getByRole('region', { name: 'Recommended' }).count(), 0);
    t.equal(await page.getByRole('radio', { name: 'vs recommended' }).count(), 0);
    t.notMatch(asked.join('\n'), /analysis|analytics|optimizations/, 'and does not request what would be refused');
  });

  t.test('forced colours take the tints, and leave everything that they said', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url, { forcedColors: 'active' });
    await signInWithToken(page);
    await page.getByText('Full', { exact: true }).first().waitFor();
    await checkWithAxe(t, page);
  });
});
