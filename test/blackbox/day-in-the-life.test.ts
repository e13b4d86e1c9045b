import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';

import { openPage, PAGE_FILE_MS, pageTestOptions, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { isNightly } from '../loop/nightly.ts';
import { agentTasks } from './day/agent.ts';
import { type Hands, keyboard, mouse, NEXT_KEY } from './day/hands.ts';
import { dayHotel } from './day/hotel.ts';
import { managerTasks } from './day/manager.ts';
import type { Day, Task } from './day/task.ts';
import type { Role } from './service.ts';
import { sharedPages } from './shared-pages.ts';

t.setTimeout(2 * PAGE_FILE_MS);

/** A person points, presses and decides in about this time, and types a character (docs/measurements/browser.md#tasks). */
const PRESS_S = 2.5;
const CHARACTER_S = 0.2;
/** Counts how often the page prints, which would open a window of the system. */
const PRINTS = 'globalThis.prints = 0; globalThis.print = () => { globalThis.prints += 1; };';

void t.test('a day of a revenue manager and of a desk agent', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);

  // Each task has a limit of clicks; that all of them can be done by keys too is of the night.
  for (const [how, handsOn] of [
    ['with the mouse', mouse],
    ...(isNightly() ? ([['by the keyboard alone', keyboard]] as const) : []),
  ] as const) {
    await t.test(how, async (t) => {
      const hotel = await dayHotel(service);
      const all: string[][] = [];
      const open = async (role: Role, path: string): Promise<Page> => {
        const { page, complaints } = await openPage(
          browser,
          service.dev.liveUrl + path,
          { viewport: { width: 1440, height: 900 } },
          [PRINTS, readFileSync(NEXT_KEY, 'utf8')],
        );
        await signInWithToken(page, service.token('demo', role));
        all.push(complaints);
        return page;
      };
      const property = `property=${hotel.property.propertyId}`;
      const day: Day = { service, hotel };
      const limited = how === 'with the mouse';
      const revenue = handsOn(await open('MANAGER', `/revenue?${property}`));
      for (const task of managerTasks) await carriedOut(t, task, revenue, day, limited);
      await revenue.page.context().close();
      const desk = handsOn(await open('MANAGER', `/desk?${property}`));
      for (const task of agentTasks) await carriedOut(t, task, desk, day, limited);
      await desk.page.context().close();
      t.strictSame(all, [[], []], 'the browser complains of nothing');
    });
  }
});

async function carriedOut(t: Test, task: Task, hands: Hands, day: Day, isLimited: boolean): Promise<void> {
  await t.test(task.name, async (t) => {
    await task.before?.(hands, day);
    hands.effort();
    await task.run(hands, day, t);
    const { presses, characters, seconds } = hands.effort();
    const person = Math.round(seconds + presses * PRESS_S + characters * CHARACTER_S);
    t.comment(`| ${task.name} | ${presses} | ${task.most} | ${characters} | ${seconds.toFixed(1)} | ${person} |`);
    if (isLimited) t.ok(presses <= task.most, `${presses} clicks of at most ${task.most}`);
  });
}
