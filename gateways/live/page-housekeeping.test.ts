import type { Route } from 'playwright-core';
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

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today: Day = Math.floor(Date.now() / 86_400_000);

const LOOKS: readonly Look[] = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
];
/** Buttons of rooms that a thumb may miss, as a text that runs in the page. */
const TOO_SMALL = `[...document.querySelectorAll('.room-verbs button')]
  .map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width < 44 || height < 44).length`;

t.test('the housekeeping board', pageTestOptions, async (t) => {
  const browser = await browserFor(t);
  const open = async (path: string, build: (world: PageWorld) => void, look?: Look) => {
    const world = await scriptedPage(dir, today);
    t.teardown(() => world[Symbol.asyncDispose]());
    build(world);
    const { page, complaints } = await openPage(browser, `${world.url}/desk/housekeeping${path}`, look);
    await signInWithToken(page, 'demo:STAFF');
    await page.getByRole('heading', { name: 'Floor 1' }).waitFor();
    return { world, page, complaints, room: (number: string) => page.locator(`[data-card="${number}"]`) };
  };
  const build = ({ desk }: PageWorld): void => {
    desk.build(
      ['101', '102', '201'].map((roomNumber) => ({ roomNumber, roomType: 'STD', floor: Number(roomNumber[0]) })),
    );
    desk.setStatus('101', 'DIRTY');
    desk.task('101', { attendant: 'Ana', priority: 1, nextArrival: formatDay(today) });
    desk.setStatus('201', 'DIRTY');
    desk.stay({ name: 'Ada Lovelace', checkIn: today, checkOut: today + 2, roomNumber: '101' });
  };

  for (const look of LOOKS)
    t.test(`one tap cleans, inspects and closes a room, at ${look.viewport?.width} pixels`, async (t) => {
      const { page, world, room, complaints } = await open('', build, look);
      await room('101').getByText('Arrival today').waitFor();
      await room('101').getByText('Ana', { exact: true }).waitFor();
      await page.getByText('2 to clean · 1 to inspect').waitFor();
      await checkWithAxe(t, page);
      t.equal(await page.evaluate<number>(TOO_SMALL), 0, 'each button is as large as a thumb');
      t.ok(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'));
      await page.emulateMedia({ media: 'print' });
      t.notOk(await page.locator('.bar').isVisible());
      t.equal(await page.getByRole('button', { name: 'Clean' }).count(), 0, 'nothing to press on paper');
      t.ok(await room('101').getByText('Arrival today').isVisible());
      await page.emulateMedia({ media: 'screen' });
      await room('101').getByRole('button', { name: 'Clean' }).click();
      await room('101').getByText('Clean for the next guest: done').waitFor();
      await room('101').locator('.room-state').getByText('Clean').waitFor();
      await room('101').getByRole('button', { name: 'Inspect' }).click();
      await room('101').locator('.room-state').getByText('Inspected').waitFor();
      await room('102').getByRole('button', { name: 'Out of order' }).click();
      await room('102').locator('.room-state').getByText('Out of order').waitFor();
      t.match(world.desk.writes, [/task-\d+\/complete$/, /task-\d+\/inspect$/, /rooms\/102\/status$/]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await room('102').locator('.room-state').getByText('Clean').waitFor();
      t.strictSame(complaints, []);
    });

  t.test('follows other people, and the keyboard takes the last tap back', async () => {
    const { page, world, room } = await open('', build);
    await room('201').locator('.room-state').getByText('Dirty').waitFor();
    world.desk.setStatus('201', 'CLEAN');
    await room('201').locator('.room-state').getByText('Clean').waitFor();
    const isShown = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      await room('201').locator('.room-state').getByText('Inspected').waitFor();
      await page.waitForTimeout(300);
      await route.fulfill({ response });
    };
    await page.route(/inspect$|rooms\/201\/status$/, isShown, { times: 1 });
    await room('201').getByRole('button', { name: 'Inspect' }).focus();
    await page.keyboard.press('Enter');
    // The room is shown inspected before its tap is answered, and so is "u" pressed.
    await room('201').locator('.room-state').getByText('Inspected').waitFor();
    await page.keyboard.press('u');
    await room('201').locator('.room-state').getByText('Clean').waitFor();
  });

  t.test('is narrowed by floor, attendant and state, and the address says so', async (t) => {
    const { page, room } = await open('?state=TO_DO', build);
    await page.getByText('1 room hidden').waitFor();
    await page.getByRole('group', { name: 'Filters of the board' }).getByLabel('Attendant').selectOption('Ana');
    await room('201').waitFor({ state: 'detached' });
    t.match(new URL(page.url()).search, 'attendant=Ana');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Floor' }).selectOption('Floor 2');
    await room('101').waitFor({ state: 'detached' });
    t.equal(await room('201').count(), 1);
  });

  t.test('a task is given to somebody', async (t) => {
    const { page, world, room } = await open('', build);
    await room('101').getByText('Ana', { exact: true }).click();
    await room('101').getByLabel('Attendant of room 101').fill('Bea');
    await page.keyboard.press('Enter');
    await room('101').getByText('Bea', { exact: true }).waitFor();
    t.match([...world.desk.tasks.values()], [{ attendant: 'Bea' }]);
  });
});
