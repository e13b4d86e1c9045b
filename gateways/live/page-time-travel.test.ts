import { inflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import t from 'tap';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { worstContrast } from '../../src/testing/live/contrast.ts';
import {
  browserFor,
  checkWithAxe,
  type Look,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { bundlePage, type PageWorld, scriptedPage } from '../../src/testing/live/scripted-page.ts';
import { isNightly } from '../../test/loop/nightly.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const DAY_MS = 86_400_000;
const today = Math.floor(Date.now() / DAY_MS);
/** A night that has rooms left: the scripted hotel is full on Fridays and Saturdays. */
const night = [12, 13, 14].map((ahead) => today + ahead).find((day) => ![5, 6].includes((day + 4) % 7))!;
const READ = '.travel *, .connection *, .data-age, td[data-mood] .main, td[data-mood] .sub, .sheet *';

/** A property where Ada booked four days ago and Grace yesterday. */
async function propertyWithPast(): Promise<PageWorld> {
  const world = await scriptedPage(dir, today);
  const book = (guestName: string): void =>
    world.property.book({ roomType: 'STD', checkIn: night, nights: 1, guestName });
  book('Ada Lovelace');
  world.property.age(3 * DAY_MS);
  book('Grace Hopper');
  world.property.age(DAY_MS);
  return world;
}

const leftIn = (page: Page) => page.locator(`td:has([data-key="${formatDay(night)} STD"]) .sub`);

async function signedIn(page: Page): Promise<number> {
  await signInWithToken(page);
  await page.getByText('Grace Hopper').waitFor();
  return parseInt((await leftIn(page).textContent()) ?? '', 10);
}

t.test('time travel', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('by keyboard to before a booking: everything shows that instant, and does not move', async (t) => {
    await using world = await propertyWithPast();
    const { page, complaints } = await openPage(browser, world.url);
    const left = await signedIn(page);
    await page.keyboard.press('t');
    const slider = page.getByRole('slider', { name: 'Instant shown' });
    await slider.focus();
    for (const key of ['PageDown', 'PageDown', 'Shift+ArrowLeft', 'ArrowLeft', 'ArrowRight']) {
      await page.keyboard.press(key);
    }
    await page.getByText(/^Viewing .* – not live$/).waitFor();
    await page.getByText('Grace Hopper').waitFor({ state: 'detached' });
    await page.getByText('Ada Lovelace').waitFor();
    t.equal(await leftIn(page).textContent(), `${left + 1} left`);
    t.equal(await page.getByRole('status').textContent(), 'Viewing the past, not live');
    const value = Number(await slider.inputValue());
    t.ok(Math.abs(Date.now() - 2 * DAY_MS - 3_600_000 - value) < 120_000, 'two days and an hour back');
    t.equal(await page.getByRole('button', { name: /^Accept/ }).count(), 0, 'nothing of then can be taken over');
    t.ok(await page.getByRole('button', { name: 'Pause' }).isDisabled());
    t.equal(await page.locator('.days [aria-current=date]').count(), 0, 'today is not one of the nights');

    world.property.book({ roomType: 'STD', checkIn: night, nights: 1, guestName: 'Alan Turing' });
    world.dropSockets();
    await page
      .getByText(/^Reconnecting/)
      .first()
      .waitFor();
    await page.locator('.connection[data-state=past]').waitFor();
    t.equal(await page.getByText('Alan Turing').count(), 0, 'after a lost connection it is the same instant');
    t.equal(await leftIn(page).textContent(), `${left + 1} left`);

    await page.keyboard.press('l');
    await page.getByText('Alan Turing').waitFor();
    t.equal(await leftIn(page).textContent(), `${left - 1} left`);
    await page.getByText(/^Live/).first().waitFor();
    t.strictSame(
      complaints.filter((one) => !one.includes('WebSocket')),
      [],
    );
  });

  t.test('a drag sends one request at a time, and ends where the hand is', async (t) => {
    await using world = await propertyWithPast();
    const { page } = await openPage(browser, world.url);
    const frames: string[] = [];
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => frames.push(String(payload)));
      // Large frames are compressed.
      socket.on('framereceived', ({ payload }) =>
        frames.push(typeof payload === 'string' ? payload : inflateRawSync(payload).toString()),
      );
    });
    await signedIn(page);
    await page.keyboard.press('t');
    await page.getByRole('slider').focus();
    const goal = Date.now() - 2 * DAY_MS;
    await page.evaluate(`for (let n = 0; n <= 40; n++) {
      const slider = document.activeElement;
      slider.value = String(${goal} + (n - 40) * 60000);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await page.getByText('Grace Hopper').waitFor({ state: 'detached' });
    await page.waitForTimeout(500);
    const turns = frames.filter((frame) => /^{"t":"(seek|snapshot)"/.test(frame));
    const [, ...since] = turns.slice(turns.findIndex((frame) => frame.includes('"t":"seek"')) - 1);
    const kinds = since.map((frame) => frame.slice(6, 10));
    t.strictSame(kinds, ['seek', 'snap', 'seek', 'snap'], 'the first place, and then the newest');
    t.match(since[2], `"asOf":${goal}`);
  });

  for (const look of [{}, { reducedMotion: 'reduce' }] satisfies Look[]) {
    t.test(`plays to the present${'reducedMotion' in look ? ', in steps' : ''}`, async (t) => {
      await using world = await propertyWithPast();
      const { page } = await openPage(browser, world.url, look);
      let seeks = 0;
      page.on('websocket', (socket) =>
        socket.on('framesent', ({ payload }) => (seeks += String(payload).startsWith('{"t":"seek"') ? 1 : 0)),
      );
      const left = await signedIn(page);
      await page.keyboard.press('t');
      await page.getByRole('slider').focus();
      for (let day = 0; day < 2; day++) await page.keyboard.press('PageDown');
      await page.getByText('Grace Hopper').waitFor({ state: 'detached' });
      await page.getByRole('combobox', { name: 'Speed' }).selectOption({ label: '1 day a second' });
      seeks = 0;
      await page.getByRole('button', { name: 'Play' }).click();
      await page.getByText('Grace Hopper').waitFor();
      t.equal(await leftIn(page).textContent(), `${left} left`);
      await page.getByText(/^Live/).first().waitFor();
      t.equal(
        await page.getByRole('button', { name: 'Play' }).getAttribute('aria-pressed'),
        'false',
        'it ends there',
      );
      if ('reducedMotion' in look) t.ok(seeks <= 2, `${seeks} steps`);
      else t.ok(seeks >= 3, `${seeks} frames`);
    });
  }

  t.test('a refused look back is shown, and retried automatically', async (t) => {
    await using world = await propertyWithPast();
    const { page } = await openPage(browser, world.url);
    const left = await signedIn(page);
    const error = new DomainError('QUOTA_EXCEEDED', 'More than 5 looks back a second.', { retryAfterSeconds: 1 });
    const { refusedLooks } = world.property;
    refusedLooks.push(...Array.from({ length: 9 }, () => error));
    await page.keyboard.press('t');
    await page.getByRole('button', { name: /a day back$/ }).click();
    await page.getByRole('button', { name: /a day back$/ }).click();
    const said = page.getByRole('alert').getByText('More than 5 looks back a second. Again in 1 s.');
    await said.waitFor();
    refusedLooks.length = 0;
    await page.getByText(/^Viewing .* – not live$/).waitFor();
    await page.getByText('Grace Hopper').waitFor({ state: 'detached' });
    t.equal(await said.count(), 0, 'it is over');
    t.equal(await leftIn(page).textContent(), `${left + 1} left`, 'where the hand has gone meanwhile');
    // One that is refused for now leaves what was shown before, and the way back.
    refusedLooks.push(...Array.from({ length: 9 }, () => error));
    await page.getByRole('button', { name: /an hour back$/ }).click();
    await said.waitFor();
    t.equal(await leftIn(page).textContent(), `${left + 1} left`);
    await page.keyboard.press('l');
    await page.getByText('Grace Hopper').waitFor();
    await page.waitForTimeout(1_500);
    t.equal(await said.count(), 0);
    await page.getByText(/^Live/).first().waitFor();
  });

  t.test('before the journal nothing can be seen: it says so, and stays where it was', async (t) => {
    await using world = await propertyWithPast();
    const { page } = await openPage(browser, world.url);
    const left = await signedIn(page);
    await page.keyboard.press('t');
    const input = page.getByLabel('Date and time');
    await input.fill(localText(Date.now() - 20 * DAY_MS));
    await page.getByRole('alert').getByText('The journal of the property begins later.').waitFor();
    await page.getByText(/^Live/).first().waitFor();
    t.equal(await leftIn(page).textContent(), `${left} left`);
    await input.fill(localText(Date.now() - 2 * DAY_MS));
    await page.getByText(/^Viewing .* – not live$/).waitFor();
    await page.getByRole('button', { name: 'Later nights' }).click();
    await page
      .locator(`[data-key^="${formatDay(today + 89)}"]`)
      .first()
      .waitFor({ state: 'detached' });
    await page.getByText(/^Viewing .* – not live$/).waitFor();
    await page.getByRole('button', { name: 'Earlier nights' }).click();
    await leftIn(page)
      .getByText(`${left + 1} left`, { exact: true })
      .waitFor();
  });

  for (const look of [
    ...(isNightly() ? ([{ colorScheme: 'light' }] as const) : []),
    { colorScheme: 'dark' },
    { forcedColors: 'active' },
  ] satisfies Look[]) {
    t.test(`the past can be read by everybody: ${Object.values(look).join()}`, async (t) => {
      await using world = await propertyWithPast();
      const { page } = await openPage(browser, world.url, { ...look, viewport: { width: 1024, height: 900 } });
      await signedIn(page);
      await page.keyboard.press('t');
      await checkWithAxe(t, page);
      const dayBack = page.getByRole('button', { name: /a day back$/ });
      await dayBack.click();
      await page.getByText(/^Viewing .* – not live$/).waitFor();
      await dayBack.click();
      await page.getByText('Grace Hopper').waitFor({ state: 'detached' });
      await checkWithAxe(t, page);
      const worst = await worstContrast(page, READ);
      if (!('forcedColors' in look))
        t.ok(worst.ratio >= 4.5, `worst contrast ${worst.ratio.toFixed(2)} at ${worst.text}`);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
    });
  }
});

/** As the input for date and time takes it. */
function localText(at: number): string {
  return new Date(at).toISOString().slice(0, 16);
}
