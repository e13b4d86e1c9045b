import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';

import { openPage, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { arrival, openWs } from './live-client.ts';
import type { Service } from './service.ts';
import { pause } from './waiting.ts';

const EYES = fileURLToPath(new URL('page-eyes.js', import.meta.url));
const NIGHTS = 90;
/** Key figures that follow every change; the market is polled. */
const LIVE_TILES = ['occupancy', 'adr', 'revpar', 'pickup', 'cancellations'];
/** Requests beside the stream are this late at most. */
const SETTLED_MS = 60_000;

/** What a page shows: `page-eyes.js`. */
export type View = {
  cells: Record<string, string>;
  nights: string[];
  tiles: Record<string, string>;
  feed: string[];
};

/** What the pages of a property are looked at through. */
export type Seen = { service: Service; propertyId: string };

/** The revenue workspace of a property in a browser, as MANAGER. */
export class WorkspacePage {
  readonly page: Page;
  /** What the browser complained about. */
  readonly complaints: readonly string[];

  private constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  /** @param scripts run in the page before its own */
  static async open(
    browser: Browser,
    { service, propertyId }: Seen,
    scripts: readonly string[] = [],
  ): Promise<WorkspacePage> {
    const { page, complaints } = await openPage(browser, 'about:blank');
    await page.addInitScript({ path: EYES });
    for (const content of scripts) await page.addInitScript({ content });
    await page.goto(service.dev.liveUrl);
    await signInWithToken(page, service.token('demo', 'MANAGER'));
    await page.getByRole('combobox', { name: 'Property' }).selectOption(propertyId);
    await page.locator('.connection[data-state="live"]').waitFor();
    await page.locator('[data-key]').first().waitFor();
    return new WorkspacePage(page, complaints);
  }

  /** Each state of the connection that the page has shown, in order. */
  states(): Promise<string[]> {
    return this.page.evaluate<string[]>('eyes.states()');
  }

  view(): Promise<View> {
    return this.page.evaluate<View>('eyes.view()');
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/**
 * Where a page differs from a page that has just been opened, which has had a snapshot and nothing else; and where that
 * one differs from the snapshot's own numbers. Nobody may change the property meanwhile.
 *
 * @returns the differences, none when all is right, and how many things were compared
 */
export async function differences(
  browser: Browser,
  looked: WorkspacePage,
  seen: Seen,
): Promise<{ compared: number; differing: string[] }> {
  const fresh = await WorkspacePage.open(browser, seen);
  const end = performance.now() + SETTLED_MS;
  try {
    for (;;) {
      const one = flat(await looked.view());
      const other = flat(await fresh.view());
      const wrong = [...differing(one, other), ...(await unlikeSnapshot(one, seen))];
      if (wrong.length === 0 || performance.now() > end) return { compared: other.size, differing: wrong };
      await pause(500);
    }
  } finally {
    await fresh.close();
  }
}

function flat({ cells, nights, tiles, feed }: View): Map<string, string> {
  return new Map([
    ...Object.entries(cells).map(([key, text]) => [`cell ${key}`, text] as const),
    ...nights.map((text, n) => [`night ${n}`, text] as const),
    ...LIVE_TILES.map((id) => [`tile ${id}`, tiles[id] ?? 'none'] as const),
    ...feed.map((text, n) => [`feed ${n}`, text] as const),
  ]);
}

function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((key) => one.get(key) !== other.get(key))
    .map((key) => `${key} is "${one.get(key)}" instead of "${other.get(key)}"`);
}

/** What the page says of rooms and prices, against the numbers of a snapshot over plain WebSocket. */
async function unlikeSnapshot(shown: ReadonlyMap<string, string>, seen: Seen): Promise<string[]> {
  const { service, propertyId } = seen;
  const start = [...shown.keys()].find((key) => key.startsWith('cell '))?.split(' ')[1];
  if (start === undefined) return ['the page shows no cell'];
  const client = await openWs(service.dev.liveUrl);
  client.send({ t: 'auth', token: service.token('demo', 'MANAGER'), tenantId: 'demo' });
  client.send({ t: 'subscribe', propertyId, topics: ['grid'], window: { start, days: NIGHTS } });
  const { grid = [] } = await arrival(client, 'a snapshot', (one) => one.t === 'snapshot');
  client.close();
  const wrong = grid.flatMap(({ date, roomType, availableRooms, totalRooms, rate }) => {
    const text = shown.get(`cell ${date} ${roomType}`)?.replaceAll(',', '') ?? 'none';
    const says = (part: string): boolean => new RegExp(`(?<![\\d.])${part}(?!\\d)`).test(text);
    const rooms = availableRooms === 0 || says(`${availableRooms} of ${totalRooms} left`);
    return rooms && (rate === null || says(rate.toFixed(2)))
      ? []
      : [`cell ${date} ${roomType} is "${text}", but ${availableRooms} of ${totalRooms} are left at ${rate}`];
  });
  return grid.length === 0 ? ['the snapshot is empty'] : wrong;
}
