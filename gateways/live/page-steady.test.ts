import type { Page } from 'playwright-core';
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

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);
const HOUR_MS = 3_600_000;
/** What Chrome calls good. */
const MAX_SHIFT = 0.1;
/** In the page, before anything else: how much of it has moved by itself. */
const SHIFTS = `globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;
/** The sizes of all texts that are drawn on canvases. */
const CANVAS_FONTS = `globalThis.fonts = new Set();
const { fillText } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.fillText = function (...given) {
  fonts.add(this.font);
  return fillText.apply(this, given);
};`;
/** Pairs of things in the bar at the top that lie over each other. */
const OVERLAPS = `(() => {
  // On a phone the bar is one row that a thumb moves; the state of the connection is in sight all the same.
  const isSwiped = getComputedStyle(document.querySelector('.bar')).overflowX === 'auto';
  const parts = [...document.querySelectorAll('.bar > *')].filter((one) => one.checkVisibility());
  const boxes = parts.map((one) => [one.className, one.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], n) => boxes.slice(n + 1).flatMap(([other, b]) =>
    a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1
      ? [name + ' over ' + other] : []))
    .concat(boxes.filter(([name, box]) => box.right > innerWidth + 1 && (!isSwiped || name === 'connection'))
      .map(([name]) => name + ' leaves the page'));
})()`;

const live = (page: Page): Promise<void> => page.getByText(/^Live/).first().waitFor();

t.test('the page holds still', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  for (const [width, height] of [
    [1440, 900],
    [1024, 800],
    [390, 844],
  ] as const) {
    t.test(`nothing moves by itself at ${width} pixels, whatever comes in a burst`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page } = await openPage(browser, world.url, { viewport: { width, height } }, [SHIFTS]);
      await signInWithToken(page);
      await live(page);
      for (let n = 0; n < 60; n++)
        world.property.book({ roomType: 'STD', checkIn: today + 20 + (n % 30), nights: 2, guestName: `Guest ${n}` });
      await page.getByText('Guest 59').waitFor();
      for (let n = 60; n < 70; n++) {
        world.property.book({ roomType: 'DLX', checkIn: today + 20 + (n % 30), nights: 1, guestName: `Guest ${n}` });
        await page.getByText(`Guest ${n}`).waitFor();
      }
      const shifted = await page.evaluate<number>('shifted');
      t.ok(shifted < MAX_SHIFT, `moved by ${shifted.toFixed(3)}`);
    });
  }

  t.test('nothing in the bar lies over its neighbour, whatever the connection says', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    await live(page);
    for (const width of [1600, 1440, 1280, 1241, 1240, 1100, 1024, 900, 821, 820, 600, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const offline of [false, true]) {
        await page.context().setOffline(offline);
        await page.locator(`.connection[data-state="${offline ? 'offline' : 'live'}"]`).waitFor();
        t.strictSame(await page.evaluate<string[]>(OVERLAPS), [], `${width} pixels, ${offline ? 'offline' : 'live'}`);
      }
    }
  });

  t.test('what cannot be done without a connection cannot be pressed, and says why', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const names = [/^Accept 3 nights/, 'Refresh', 'Lock the rate'];
    const buttons = names.map((name) => page.getByRole('button', { name, exact: true }));
    for (const button of buttons) await button.waitFor();
    await live(page);
    await page.context().setOffline(true);
    await page.getByText('Offline. Changes are possible once the connection is back.').first().waitFor();
    for (const button of buttons) {
      t.ok(await button.isDisabled());
      t.match(await button.getAttribute('title'), /Offline\. Changes are possible/);
    }
    await page.context().setOffline(false);
    await live(page);
    for (const button of buttons) t.ok(await button.isEnabled());
  });
});

t.test('the page says what is so', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('figures that come before the currency is known are not known yet', async (t) => {
    await using world = await scriptedPage(dir, today);
    // The night's figures come first, and the cells that name the currency much later.
    const { page, complaints } = await openPage(browser, world.url, {}, [
      `const parse = JSON.parse;
       JSON.parse = (text, ...more) => {
         const told = parse(text, ...more);
         if (told?.t === 'snapshot' && !globalThis.complete) told.grid = [];
         return told;
       };`,
    ]);
    await signInWithToken(page);
    await live(page);
    t.equal(await page.locator('[data-tile="adr"] strong').textContent(), '–');
    t.strictSame(complaints, []);
  });

  t.test('labels of the chart are as large on sharp screens as on others', async (t) => {
    await using world = await scriptedPage(dir, today);
    for (const deviceScaleFactor of [1, 2]) {
      const { page } = await openPage(browser, world.url, { deviceScaleFactor }, [CANVAS_FONTS]);
      await signInWithToken(page);
      await live(page);
      await page.getByRole('region', { name: 'Charts' }).scrollIntoViewIfNeeded();
      await page.locator('.chart-plot canvas').waitFor();
      const fonts = await page.evaluate<string[]>('[...fonts]');
      const sizes = fonts.map((font) => Number(/([\d.]+)px/.exec(font)?.[1]) / deviceScaleFactor);
      t.strictSame([...new Set(sizes)], [12], `${deviceScaleFactor} device pixels a pixel: ${fonts.join()}`);
    }
  });

  t.test('the property row agrees with the rows below it, and held rooms are beside what is sold', async (t) => {
    await using world = await scriptedPage(dir, today);
    const day = today + 5;
    const types = { STD: [60, 54], DLX: [40, 30], STE: [20, 10] } as const;
    world.property.put(
      Object.entries(types).map(([roomType, [total, booked]]) => ({
        roomType,
        day,
        total,
        booked,
        held: total / 10,
        blocked: 0,
        available: total - booked - total / 10,
        rate: 10_000,
      })),
    );
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const main = (roomType: string): Promise<string | null> =>
      page.locator(`[data-key="${formatDay(day)} ${roomType}"] .main`).textContent();
    await page.locator(`[data-key="${formatDay(day)} STD"]`).waitFor();
    t.strictSame(await Promise.all(Object.keys(types).map(main)), ['90', '75', '50']);
    const row = page.locator('tr.occupancy');
    t.match(await row.locator('th').textContent(), /^Property/);
    t.equal(await row.locator('.percent').nth(5).textContent(), '78', '94 of 120 rooms');
    t.equal(
      (await page.locator('td[data-held]').filter({ hasText: 'left' }).count()) > 0,
      true,
      'held rooms are hatched',
    );
    t.match(await row.locator('.bar-box').nth(5).getAttribute('style'), /--held-share:\s*0\.1/);
  });

  t.test('each mode has the legend of its colours', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    await live(page);
    for (const [mode, words] of [
      ['Occupancy', /0 % sold.*100 %.*held.*few left.*closed/],
      ['Rate', /0 % sold.*100 %.*Prices in EUR/],
      ['vs recommended', /Below recommended.*above/],
      ['vs market', /Below market.*above/],
    ] as const) {
      await page.getByRole('radio', { name: mode }).check();
      t.match(await page.locator('.legend').textContent(), words, mode);
      for (const [tint, isPart] of [
        ['fill', !mode.startsWith('vs')],
        ['below', mode.startsWith('vs')],
        ['above', mode.startsWith('vs')],
      ] as const)
        t.equal((await page.locator(`.legend .scale [data-tint="${tint}"]`).count()) > 0, isPart, `${mode}: ${tint}`);
    }
  });

  t.test('the market is as old as its source lets it be', async (t) => {
    await using world = await scriptedPage(dir, today);
    const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const tile = async (nextMs: number) => {
      world.revenue.sync = { lastSync: at(-3 * HOUR_MS), nextSync: at(nextMs) };
      const { page } = await openPage(browser, world.url);
      await signInWithToken(page);
      const market = page.locator('[data-tile="market"]');
      await market.getByText(/^107\.\d\s%$/).waitFor();
      const seen = { aged: await market.getAttribute('data-aged'), text: await market.textContent() };
      return seen;
    };
    t.match(
      await tile(3 * HOUR_MS),
      { aged: null, text: /3 h old.*The next rates are due at/ },
      'asked every six hours',
    );
    t.match(await tile(-HOUR_MS), { aged: 'true', text: /The next rates were due at/ }, 'the source is overdue');
  });

  t.test('what nobody has confirmed is held, not booked, and keeps its name when it expires', async (t) => {
    await using world = await scriptedPage(dir, today);
    // Times are those of the property, and named where the reader's clock says something else.
    const { page } = await openPage(browser, world.url, { timezoneId: 'Asia/Tokyo' });
    await signInWithToken(page);
    await live(page);
    const heldUntil = new Date().setUTCHours(18, 20, 0, 0);
    const stay = { roomType: 'STD', checkIn: today + 20, nights: 2, status: 'PENDING' };
    world.property.book({ ...stay, heldUntil, guestName: 'Ada Lovelace' });
    const entry = page.locator('.feed li').filter({ hasText: 'Ada Lovelace' });
    await entry.getByText('Held until 18:20 UTC').waitFor();
    t.equal(await entry.getAttribute('data-kind'), 'waiting', 'no tick');
    t.equal(await page.locator('.feed').getByText('Booked').count(), 0);
    world.property.expireNewest();
    await entry.getByText('Expired').waitFor();
    await page.reload();
    await entry.getByText('Expired').waitFor();
  });

  for (const path of ['/', '/desk']) {
    t.test(`a token that is refused ends at a way to sign in again, at ${path}`, async () => {
      await using world = await scriptedPage(dir, today);
      const { page } = await openPage(browser, world.url + path);
      await signInWithToken(page, 'nobody-knows-this');
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByText('Use an access token').waitFor();
    });
  }
});

t.test('nothing moves when the font comes late', pageTestOptions, async (t) => {
  const browser = await browserFor(t);
  await using world = await scriptedPage(dir, today);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(SHIFTS);
  const { promise: late, resolve: send } = Promise.withResolvers<void>();
  await page.route(/\.woff2$/, async (route) => {
    await late;
    await route.continue();
  });
  await page.goto(`${world.url}/revenue`, { waitUntil: 'commit' });
  await signInWithToken(page);
  await live(page);
  const loaded = `[...document.fonts].filter((one) => one.status === 'loaded' && one.family.includes('IBM Plex Sans'))
    .map((one) => one.weight).sort().join()`;
  t.equal(await page.evaluate(loaded), '', 'the calendar is there before the font');
  send();
  await page.evaluate('document.fonts.ready');
  t.equal(await page.evaluate(loaded), '400,600');
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const moved = await page.evaluate<number>('shifted');
  t.comment(`layout shift ${moved}`);
  t.ok(moved < MAX_SHIFT, `layout shift ${moved}`);
  await context.close();
});

t.test('the first paint', pageTestOptions, async (t) => {
  const browser = await browserFor(t);
  await using world = await scriptedPage(dir, today);
  const context = await browser.newContext();
  const page = await context.newPage();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(/\/main-\w+\.(js|css)$/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(world.url, { waitUntil: 'commit' });
  await page.evaluate(`new Promise((resolve) => new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) resolve(0);
  }).observe({ type: 'paint', buffered: true }))`);
  t.match(await page.locator('body').innerText(), /Innkeeper\s+Loading/, 'before script and style have come');
  arrive();
  await page.getByText('Use an access token').waitFor();
  await context.close();
});
