import t from 'tap';

import { emptyTally, keepBooking } from '../../load-tests/proof/clients.ts';
import { launchBrowser, PAGE_FILE_MS, pageTestOptions } from '../../src/testing/live/page-browser.ts';
import { isNightly } from '../loop/nightly.ts';
import { advanceClock, BlackboxProperty, must, serviceClock } from './property.ts';
import { Service } from './service.ts';
import { pause, until } from './waiting.ts';
import { differences, WorkspacePage } from './workspace-page.ts';

t.setTimeout(PAGE_FILE_MS);

/** Without a pause the bookings, and not the page, would take the processor. */
const BOOKS_EVERY_MS = 50;
/** Minutes that the clock of a browser is wrong by. */
const OFF = 10;
const PATIENCE_MS = 120_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** When the business date of a property in UTC rolls. */
const ROLL_MS = 3 * 3_600_000;

void t.test('the page on a service that dies under it', pageTestOptions, async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());
  const browser = await launchBrowser();
  t.teardown(() => browser.close());

  await t.test('it recovers by itself, misses nothing, and has said that it was behind', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 5_000, STD: 50 } });
    const seen = { service, propertyId: property.propertyId };
    const looked = await WorkspacePage.open(browser, seen);
    const tally = emptyTally();
    const stop = { now: false };
    let from = 0;
    const others = () => ({ from: (from += 7) % 85, nights: 1 + (from % 3) });
    const booking = keepBooking(service, () => property, tally, stop, others, BOOKS_EVERY_MS);
    for (const end of ['kill -9', 'SIGTERM'] as const) {
      const booked = tally.acknowledged.length;
      await until('bookings go on', PATIENCE_MS, () => tally.acknowledged.length > booked + 5 || undefined);
      const before = (await looked.states()).length;
      if (end === 'kill -9') await service.killHard();
      else await service.terminate();
      await looked.page.locator('.connection[data-state="reconnecting"]').waitFor();
      await service.up();
      await looked.page.locator('.connection[data-state="live"]').waitFor();
      const states = (await looked.states()).slice(before);
      t.same(
        new Set(states.slice(0, -2)),
        new Set(['reconnecting']),
        `${end}: behind, and says so: ${states.join(', ')}`,
      );
      t.same(states.slice(-2), ['catching-up', 'live'], end);
    }
    await pause(500);
    stop.now = true;
    await booking;
    t.same(tally.strange, []);
    const { compared, differing } = await differences(browser, looked, seen);
    t.ok(compared > 2 * 90 + 90 + 5, `${compared} things were compared`);
    t.same(differing.slice(0, 10), []);
    await looked.close();
  });

  for (const minutes of isNightly() ? [OFF, -OFF] : [OFF]) {
    await t.test(`a clock that is ${minutes} minutes off changes neither the date nor the lag`, async (t) => {
      // The business date rolls between what the browser believes and what is so.
      await moveClock(service, ROLL_MS - (minutes / 2) * MINUTE_MS);
      const property = await BlackboxProperty.open(service);
      const seen = { service, propertyId: property.propertyId };
      const offMs = (await serviceNow(service)) - Date.now() + minutes * MINUTE_MS;
      const wrong = await WorkspacePage.open(browser, seen, [clockOffBy(offMs)]);
      const believed = (await wrong.page.evaluate<number>('Date.now()')) - (await serviceNow(service));
      t.ok(Math.abs(believed - minutes * MINUTE_MS) < MINUTE_MS, 'the clock of the browser is wrong');
      for (let from = 0; from < 3; from++) await property.booked({ from: 10 + from });
      const lag = await until('the lag is shown', PATIENCE_MS, async () => {
        const said = (await wrong.page.locator('.connection').textContent()) ?? '';
        return /^Live, (.+) behind/.exec(said)?.[1];
      });
      t.match(lag, /^\d+ ms$/);
      t.equal(
        Object.keys((await wrong.view()).cells)[0]?.slice(0, 10),
        property.day(0),
        'the first night is tonight',
      );
      const { differing } = await differences(browser, wrong, seen);
      t.same(differing.slice(0, 5), []);
      t.equal((await wrong.view()).feed.length, 3);
      await wrong.close();
    });
  }
});

async function serviceNow(service: Service): Promise<number> {
  return Date.parse((await serviceClock(service)).now);
}

/** Puts the development clock forward to the next time of day, in UTC. */
async function moveClock(service: Service, timeOfDayMs: number): Promise<void> {
  const ahead = timeOfDayMs - ((await serviceNow(service)) % DAY_MS);
  const advanceSeconds = Math.round((ahead < 0 ? ahead + DAY_MS : ahead) / 1_000);
  must(await advanceClock(service, advanceSeconds), 200);
}

/** Shifts every clock of the page; durations stay as they are. */
function clockOffBy(offMs: number): string {
  return `{
    const Native = Date, offMs = ${offMs};
    globalThis.Date = class extends Native {
      constructor(...given) {
        if (given.length === 0) super(Native.now() + offMs);
        else super(...given);
      }
      static now() { return Native.now() + offMs; }
    };
  }`;
}
