import type { Page } from 'playwright-core';
import t from 'tap';

import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
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
import { fillRooms } from '../../src/testing/live/scripted-rooms.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today: Day = Math.floor(Date.now() / 86_400_000);
const day = (ahead: number): string => formatDay(today + ahead);

/** Two floors of three rooms. */
const ROOMS = ['101', '102', '103', '201', '202', '203'].map((roomNumber, index) => ({
  roomNumber,
  roomType: index % 3 === 2 ? 'DLX' : 'STD',
  floor: Number(roomNumber[0]),
}));

t.test('the tape chart', pageTestOptions, async (t) => {
  const browser = await browserFor(t);
  const desk = async (
    path: string,
    build: (world: PageWorld) => void,
    look: Look = { viewport: { width: 1440, height: 900 } },
  ) => {
    const world = await scriptedPage(dir, today);
    t.teardown(() => world[Symbol.asyncDispose]());
    build(world);
    const { page, complaints } = await openPage(browser, `${world.url}/desk${path}`, look);
    await signInWithToken(page, 'demo:STAFF');
    await page.getByRole('grid').waitFor();
    return { world, page, complaints };
  };
  const plain = ({ desk: one }: PageWorld): void => one.build(ROOMS);

  t.test('shows 1, 7, 14 or 30 days, by clicks and keys, and the address says which', async (t) => {
    const { page, complaints } = await desk('', plain);
    t.equal(await columns(page), 14);
    const zoom = page.getByRole('group', { name: 'Days shown' });
    for (const days of [1, 7, 30] as const) {
      await zoom.getByRole('radio', { name: `${days} day` }).check();
      await page.waitForURL(`**/desk?*view=${days}*`);
      t.equal(await columns(page), days);
    }
    await page.keyboard.press('2');
    await page.waitForURL('**/desk?*view=7*');
    t.equal(await columns(page), 7);
    await page.getByLabel('Go to date').fill(day(40));
    await page.waitForURL(`**/desk?*date=${day(40)}*`);
    await page
      .getByRole('columnheader')
      .nth(2)
      .getByText(String(Number(day(40).slice(8))))
      .waitFor();
    await page.reload();
    await page.getByRole('grid').waitFor();
    t.equal(await columns(page), 7, 'the address opens the same days');
    t.equal(await page.getByLabel('Go to date').inputValue(), day(40));
    await page.goBack();
    await page.locator('.tape-days [aria-current="date"]').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.press('3');
    await page.waitForURL((url) => !url.searchParams.has('view') && !url.searchParams.has('date'));
    t.strictSame(complaints, []);
  });

  t.test('is narrowed by floor, type, state and task together, and says what it hides', async (t) => {
    const { page, world } = await desk('', ({ desk: one }) => {
      one.build(ROOMS);
      one.stay({ name: 'Ada Lovelace', checkIn: today, checkOut: today + 2, roomNumber: '101' });
      one.stay({ name: 'Grace Hopper', checkIn: today + 3, checkOut: today + 4, roomNumber: '202' });
      one.stay({ name: 'Alan Turing', checkIn: today, checkOut: today + 1 });
    });
    await page.getByRole('group', { name: 'Filters of the chart' }).getByLabel('Floor').selectOption('Floor 2');
    await page.getByText('Hidden: 3 rooms, 2 stays').waitFor();
    t.same(await roomsShown(page), ['203', '201', '202']);
    await page.getByLabel('Room type').selectOption({ index: 2 });
    t.same(await roomsShown(page), ['201', '202']);
    world.desk.setStatus('202', 'DIRTY');
    await page.getByLabel('Room status').selectOption('Dirty');
    await page.getByText('Hidden: 5 rooms, 2 stays').waitFor();
    t.same(await roomsShown(page), ['202']);
    t.match(new URL(page.url()).search, 'floor=2&type=STD&status=DIRTY');
    await page.reload();
    await page.getByText('Hidden: 5 rooms, 2 stays').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    t.equal((await roomsShown(page)).length, 6);
    await page.getByLabel('Task today').selectOption('Arrives, no room');
    t.same(await roomsShown(page), []);
    await page.locator('.lane').getByText('Alan Turing').waitFor();
    t.match(new URL(page.url()).search, 'task=arrives-no-room');
  });

  t.test('finds the guest of last year by half a name in two clicks, and shows the stay', async (t) => {
    const { page } = await desk('', ({ desk: one }) => {
      one.build(ROOMS);
      const was = { checkIn: today - 360, checkOut: today - 357, status: 'CHECKED_OUT', roomNumber: '102' };
      one.stay({ name: 'Hedy Lamarr', ...was });
    });
    await page.getByRole('searchbox').click();
    await page.keyboard.type('lama');
    await page.getByText('1 stay found').waitFor();
    await page.getByRole('button', { name: /^Hedy Lamarr/ }).click();
    const bar = page.locator('.tape [data-stay][data-opened]');
    await bar.getByText('Hedy Lamarr').waitFor();
    await page.getByRole('dialog', { name: 'Hedy Lamarr' }).waitFor();
    t.match(new URL(page.url()).search, `date=${day(-360)}`);
    t.equal(await page.locator('[data-room="102"] [data-opened]').count(), 1);
    await page.reload();
    await page.getByRole('dialog', { name: 'Hedy Lamarr' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('stay'));
    await page.goBack();
    await page.getByRole('dialog', { name: 'Hedy Lamarr' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByRole('searchbox').fill('zz');
    await page.getByText('Nobody is found.').waitFor();
  });

  t.test('all arrivals get a room by the keyboard alone, after it says who gets which', async (t) => {
    const { page, world } = await desk('', ({ desk: one }) => {
      one.build(ROOMS);
      for (const name of ['Ada Lovelace', 'Grace Hopper', 'Alan Turing'])
        one.stay({ name, checkIn: today, checkOut: today + 2, roomType: name.startsWith('A') ? 'STD' : 'DLX' });
      one.stay({ name: 'Ida Rhodes', checkIn: today + 1, checkOut: today + 2 });
      for (const name of ['Mary Keller', 'Joan Clarke'])
        one.stay({ name, checkIn: today, checkOut: today + 1, roomType: 'DLX' });
    });
    await page.getByRole('button', { name: 'Assign all' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('4 stays get a room; 1 arrival gets none').waitFor();
    await page.getByText('No room is free on all its nights.').waitFor();
    t.strictSame(
      world.desk.writes.filter((one) => !one.includes('dryRun')),
      [],
      'nothing is done yet',
    );
    await checkWithAxe(t, page);
    await page.locator('button.primary:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('4 stays have a room now, 1 arrival still has none.').waitFor();
    await page.locator('[data-room="101"] .track').getByText('Ada Lovelace').waitFor();
    t.equal(world.desk.writes.filter((one) => one.endsWith('/room-assignments')).length, 1);
    await page.getByLabel('Arrivals until').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Assign 1 room' }).click();
    await page.getByRole('dialog').getByText('1 stay has a room now').waitFor();
    await page.keyboard.press('Escape');
    t.equal(await page.getByRole('dialog').count(), 0);
  });

  t.test('a room is out of order until a day in four clicks; the bar changes and ends it', async (t) => {
    const { page, world } = await desk('', ({ desk: one }) => {
      one.build(ROOMS);
      one.stay({ name: 'Ada Lovelace', checkIn: today + 1, checkOut: today + 2, roomNumber: '102' });
      one.oversold = [{ roomType: 'STD', date: day(1), shortfall: 1 }];
    });
    await page.locator('[data-room="102"] button.room').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Out of order' }).click();
    await dialog.getByRole('group', { name: 'Until' }).getByRole('radio').nth(2).click();
    await dialog.getByText('Room 102 is not sold for 3 nights').waitFor();
    await dialog.getByText('Ada Lovelace has the room from').waitFor();
    await checkWithAxe(t, page);
    await dialog.getByRole('button', { name: /^Out of order until/ }).click();
    await page.getByRole('alert').getByText('STD is short of rooms on 1 night').waitFor();
    const made = [...world.desk.maintenances.values()];
    t.match(made, [{ roomNumber: '102', from: day(0), to: day(2), kind: 'OUT_OF_ORDER' }]);

    await page.locator('[data-room="102"] .closure').click();
    await dialog.getByLabel('Last night').fill(day(5));
    await dialog.getByLabel('Reason').fill('A leak');
    world.desk.maintenances.get(made[0]!.maintenanceId)!.reason = 'Somebody else';
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.locator('[data-room="102"] .closure').getByText('A leak').waitFor();
    t.match([...world.desk.maintenances.values()], [{ to: day(5), reason: 'A leak' }]);
    await page.locator('[data-room="102"] .closure').focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'End out of order' }).click();
    await page.locator('.closure').waitFor({ state: 'detached' });

    const row = (await page.locator('[data-room="201"] .track').boundingBox())!;
    const at = (days: number): number => row.x + (row.width / 14) * (days + 0.5);
    await page.keyboard.down('Shift');
    await page.mouse.move(at(3), row.y + 12);
    await page.mouse.down();
    await page.mouse.move(at(5), row.y + 12, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await dialog.getByText('Room 201 is not sold for 2 nights').waitFor();
    t.equal(await dialog.getByLabel('First night').inputValue(), day(2));
    await page.keyboard.press('Escape');
    await page.locator('[data-room="202"] button.room').focus();
    await page.keyboard.press('o');
    await dialog.getByText('Room 202 is not sold for 1 night').waitFor();
  });

  t.test('a stay is moved by the mouse in three steps, and the room says first what follows', async (t) => {
    const { page, world } = await desk('', ({ desk: one }) => {
      one.build(ROOMS);
      one.stay({ name: 'Ada Lovelace', checkIn: today, checkOut: today + 2, roomNumber: '101' });
    });
    await page.locator('.tape [data-stay]').hover();
    await page.mouse.down();
    const over = await page.locator('[data-room="202"] .track').boundingBox();
    await page.mouse.move((over?.x ?? 0) + 60, (over?.y ?? 0) + 12, { steps: 5 });
    await page.mouse.up();
    await page.locator('.outcome').getByText('202, STD').waitFor();
    t.match(world.desk.writes, [/dryRun=true/]);
    await page.getByRole('button', { name: 'Give this room' }).click();
    await page.locator('[data-room="202"] [data-stay]').waitFor();
  });

  t.test('is usable with one room, and at 390 pixels', async (t) => {
    const small = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const one = ({ desk: it }: PageWorld): void => {
      it.build([{ roomNumber: '1', roomType: 'STD', floor: 0 }]);
      it.stay({ name: 'Ada Lovelace', checkIn: today, checkOut: today + 2 });
    };
    const { page } = await desk('?view=7', one, small);
    await checkWithAxe(t, page);
    t.ok(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'));
    await page.getByRole('button', { name: 'Assign all' }).click();
    await page.getByRole('button', { name: 'Assign 1 room' }).click();
    await page.getByRole('dialog').getByText('1 stay has a room now').waitFor();
  });

  t.test('shows 400 rooms: a scroll changes no element, an opened stay changes one bar', async (t) => {
    const { page } = await desk('', (world) => fillRooms(world, today, 400, ['DLX', 'STD', 'STD', 'STD', 'STD']));
    t.equal(await page.locator('.lane[data-kind="room"]').count(), 400);
    const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
    t.ok(elements < 16_000, `${elements} elements`);
    await page.evaluate(WATCH_CHART);
    await page.locator('.tape').hover();
    for (let step = 0; step < 5; step++) await page.mouse.wheel(0, 1_500);
    const scrolled = (): Promise<number> => page.evaluate('document.querySelector(".tape").scrollTop');
    while ((await scrolled()) < 4_000) await page.waitForTimeout(20);
    t.same(await page.evaluate('changed()'), [], 'nothing is drawn again while it scrolls');
    await page.locator('.tape [data-stay]').last().click();
    await page.locator('.tape [data-opened]').waitFor();
    const opened = await page.locator('.tape [data-opened]').getAttribute('data-stay');
    t.same(await page.evaluate('changed()'), [opened], 'nothing else is drawn again');
  });
});

/** Keeps which stays, or other elements, of the chart have changed; `changed()` says it and begins anew. */
const WATCH_CHART = `{
  const seen = new Set();
  const note = (records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      seen.add(element.closest('[data-stay]')?.dataset.stay ?? element.outerHTML.slice(0, 80));
    }
  };
  const observer = new MutationObserver(note);
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  observer.observe(document.querySelector('.tape'), all);
  window.changed = () => {
    note(observer.takeRecords());
    const all = [...seen];
    seen.clear();
    return all;
  };
}`;

const columns = async (page: Page): Promise<number> => (await page.getByRole('columnheader').count()) - 1;
const roomsShown = (page: Page): Promise<string[]> =>
  page.locator('.lane[data-kind="room"] .room strong').allTextContents();
