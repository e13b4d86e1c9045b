import type { Browser } from 'playwright-core';

import { launchBrowser } from '../../src/testing/live/page-browser.ts';
import { Service } from '../../test/blackbox/service.ts';
import { percentiles } from '../client/latencies.ts';
import { figuresText } from '../first/figures.ts';
import type { Goal } from './goals.ts';
import { onSlowLine } from './slow-line.ts';

const VIEWS = 5;
const MAX_MS = 1_500;
const WAIT_MS = 30_000;

/** Notes when a calendar is first on the screen: the frame after the one in which it is drawn. */
const METER = `new MutationObserver((_, observer) => {
  const drawn = document.querySelector('td[data-mood] .main, .tape [data-item]');
  if (!drawn) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => (window.firstCalendar = performance.now())));
}).observe(document, { childList: true, subtree: true, characterData: true });`;

type View = { calendarMs: number; firstPaintMs: number; bytes: number };

/** Time from opening an address to the first painted calendar, with a cold cache, for somebody who is signed in. */
export async function benchFirstView(): Promise<Goal[]> {
  const service = await Service.start({ DEMO: 'empty' });
  const browser = await launchBrowser();
  try {
    const views: View[] = [];
    for (let view = 0; view < VIEWS; view++) views.push(await firstView(browser, service));
    const calendar = percentiles(views.map(({ calendarMs }) => calendarMs));
    const [{ firstPaintMs, bytes }] = views as [View];
    figuresText([
      {
        what: 'navigation -> first calendar, cold, 1.6 Mbit/s, 150 ms',
        value: `p50 ${calendar.p50} ms, max ${calendar.max}`,
      },
      { what: 'navigation -> first paint', value: `${Math.round(firstPaintMs)} ms` },
      { what: 'sent by the network until then', value: `${Math.round(bytes / 1_000)} kB` },
    ]);
    return [{ what: 'first calendar p50 at 1.6 Mbit/s and 150 ms', value: calendar.p50, unit: 'ms', atMost: MAX_MS }];
  } finally {
    await browser.close();
    await service.remove();
  }
}

/** A new visitor: nothing is cached, and only the token is there. */
async function firstView(browser: Browser, service: Service): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    const token = service.token('demo', 'MANAGER');
    const session = JSON.stringify({ token, tenantId: 'demo', expiresAt: Date.now() + 3_600_000, role: 'MANAGER' });
    await page.addInitScript(`sessionStorage.setItem('innkeeper.signed-in', ${JSON.stringify(session)}); ${METER}`);
    const { bytes } = await onSlowLine(page);
    await page.goto(`${service.dev.liveUrl}/revenue?property=harbor-hotel`);
    await page.locator('td[data-mood]').first().waitFor({ timeout: WAIT_MS });
    await page.waitForTimeout(200);
    const [calendarMs, firstPaintMs] = await page.evaluate<[number, number]>(
      `[window.firstCalendar, performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN]`,
    );
    return { calendarMs: Math.round(calendarMs), firstPaintMs, bytes: bytes() };
  } finally {
    await context.close();
  }
}
