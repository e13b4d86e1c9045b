import { SingleBar, Presets } from 'cli-progress';
import { randomUUID } from 'node:crypto';

import { startDatabase } from '../../src/testing/database.ts';
import { launchBrowser } from '../../src/testing/live/page-browser.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { differences, WorkspacePage } from '../../test/blackbox/workspace-page.ts';
import { type Answer, type Call, HttpClient } from '../client/http.ts';
import { madeUpBookings } from '../day-by-day/made-up.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { type RealBooking, readBookings } from '../replay/bookings.ts';
import { type Plan, planReplay } from '../replay/plan.ts';
import { playEvents } from '../replay/player.ts';
import { createHotel, type Target } from '../replay/property.ts';
import { RESORT_FILE, RESORT_FILE_IS_MISSING } from '../replay/resort-file.ts';
import { serviceDay } from '../replay/service-time.ts';
import type { Tally } from '../replay/tally.ts';

/** Bookings, changes and cancellations. */
const EVENTS_A_SECOND = 20;
const AT_A_TIME = 4;
/** Bookings of so many days arrive in the nights that the page shows. */
const DAYS = 80;
/** Far more than a restart takes. */
const ATTEMPTS = 1_000;

/**
 * The page in Chromium during a replay of real bookings, while the service dies in the middle (kill -9). In the end it
 * must equal a freshly opened page: every cell, every night of the property, key figures, the feed.
 */
export async function provePage(minutes: number): Promise<boolean> {
  await using database = await startDatabase();
  const service = await Service.start({ ...NO_LIMITS, DATABASE_URL: database.url });
  const browser = await launchBrowser();
  try {
    const headers = { authorization: `Bearer ${service.token('demo', 'ADMIN')}`, 'x-tenant-id': 'demo' };
    using client = new PacedClient({ sockets: AT_A_TIME, headers });
    const target = { ...service.dev, client, tenantId: 'demo', propertyId: 'replayed' };
    const plan = planReplay(await bookings(), await serviceDay(target));
    await createHotel(plan, target);
    const seen = { service, propertyId: target.propertyId };
    const looked = await WorkspacePage.open(browser, seen);
    client.everyMs = 1_000 / EVENTS_A_SECOND;
    const playing = play(plan, target, minutes * 60 * EVENTS_A_SECOND);
    await pause((minutes * 60_000) / 2);
    const before = (await looked.states()).length;
    await service.killHard();
    await service.up();
    const tally = await playing;
    const states = (await looked.states()).slice(before);
    return report(tally, states, await differences(browser, looked, seen));
  } finally {
    await browser.close();
    await service.remove();
  }
}

/** Those of the resort when its file exists, else generated ones; only those visible in the grid. */
async function bookings(): Promise<RealBooking[]> {
  if (RESORT_FILE_IS_MISSING) {
    console.log('bookings are made up: the file of the resort is not here');
    return madeUpBookings(20_000, DAYS);
  }
  const all = await readBookings(RESORT_FILE);
  const first = Math.min(...all.map(({ arrival }) => arrival));
  return all.filter(({ arrival }) => arrival < first + DAYS);
}

/** A client that begins one call after the other, at a fixed pace. */
class PacedClient extends HttpClient {
  everyMs = 0;
  #next = 0;

  override async call(call: Call): Promise<Answer> {
    const now = performance.now();
    this.#next = Math.max(now, this.#next + this.everyMs);
    await pause(this.#next - now);
    return super.call(call);
  }
}

async function play({ events }: Plan, target: Target, most: number): Promise<Tally> {
  const bar = new SingleBar({ format: 'replay {bar} {value}/{total}' }, Presets.shades_classic);
  const played = events.slice(0, most);
  if (process.stderr.isTTY) bar.start(played.length, 0);
  const progress = ({ answered, passedOver }: Tally): void => {
    if (process.stderr.isTTY) bar.update(answered + passedOver);
  };
  const stage = { ...target, concurrency: AT_A_TIME, runId: randomUUID(), attempts: ATTEMPTS, progress };
  return playEvents(played, stage).finally(() => bar.stop());
}

type Compared = { compared: number; differing: string[] };

function report({ done, surprises, surprised }: Tally, states: string[], { compared, differing }: Compared): boolean {
  const saidSo = states.indexOf('reconnecting') >= 0 && states.at(-1) === 'live' && states.includes('catching-up');
  const shortened = states.filter((state, n) => state !== states[n - 1]).join(', ');
  console.log(`${done.create} bookings, ${done.amend} changes, ${done.cancel} cancellations; 1 kill -9`);
  console.log(`what the page said of its connection meanwhile: ${shortened}`);
  console.log(`compared with a page just opened: ${compared} things, ${differing.length} differ`);
  for (const text of differing.slice(0, 10)) console.log(`strange: ${text}`);
  for (const { row, status, code, detail } of surprises.slice(0, 5))
    console.log(`strange: booking ${row}: ${status} ${code} ${detail}`);
  return saidSo && differing.length === 0 && surprised === 0 && done.create > 0;
}
