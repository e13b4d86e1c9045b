import type { Browser } from 'playwright-core';

import { launchBrowser } from '../../src/testing/live/page-browser.ts';
import { Service } from '../../test/blackbox/service.ts';
import { percentiles } from '../client/latencies.ts';
import { figuresText } from '../first/figures.ts';
import type { Goal } from './goals.ts';
import { onSlowLine } from './slow-line.ts';

const VIEWS = 5;
const WAIT_MS = 30_000;
/** A phone of the middle class, as page speed tools take it. */
const SLOWDOWN = 4;
const PHONE = { viewport: { width: 390, height: 844 } };

/** Good by Core Web Vitals: https://web.dev/articles/vitals. */
const LARGEST_PAINT_MS = 2_500;
const SHIFT = 0.1;
/** Compressed, with its styles and its font. */
const SENT_KB = 60;

const METER = `window.figures = { largest: 0, shift: 0, blocked: 0 };
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) figures.largest = startTime; })
  .observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) figures.shift += value; })
  .observe({ type: 'layout-shift', buffered: true });
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) figures.blocked += duration - 50; })
  .observe({ type: 'longtask', buffered: true });`;

type Figures = { first: number; largest: number; shift: number; blocked: number; bytes: number };

/** The guests' booking page with its offers, nothing cached, on a slow line and a slow phone. */
export async function benchBookingPage(): Promise<Goal[]> {
  const service = await Service.start({ DEMO: 'empty' });
  const browser = await launchBrowser();
  try {
    const views: Figures[] = [];
    for (let view = 0; view < VIEWS; view++) views.push(await viewed(browser, service));
    const p50 = (name: keyof Figures): number => percentiles(views.map((one) => one[name])).p50;
    const shift = Math.max(...views.map((one) => one.shift));
    figuresText([
      { what: 'navigation -> first paint, cold, 1.6 Mbit/s, 150 ms, processor / 4', value: `${p50('first')} ms` },
      { what: 'navigation -> largest paint', value: `${p50('largest')} ms` },
      { what: 'scripts that block, over 50 ms each', value: `${p50('blocked')} ms` },
      { what: 'layout shift, most of five', value: shift.toFixed(3) },
      { what: 'sent by the network', value: `${Math.round(p50('bytes') / 1_000)} kB` },
    ]);
    return [
      { what: 'booking page: largest paint p50', value: p50('largest'), unit: 'ms', atMost: LARGEST_PAINT_MS },
      { what: 'booking page: layout shift', value: shift, unit: '', atMost: SHIFT },
      { what: 'booking page: all that is sent', value: p50('bytes') / 1_000, unit: 'kB', atMost: SENT_KB },
    ];
  } finally {
    await browser.close();
    await service.remove();
  }
}

async function viewed(browser: Browser, service: Service): Promise<Figures> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await page.addInitScript(METER);
    const { line, bytes } = await onSlowLine(page);
    await line.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const query = `checkin=${day(20)}&checkout=${day(22)}&adults1=2`;
    await page.goto(`${service.dev.liveUrl}/book/demo/harbor-hotel?${query}`, { timeout: WAIT_MS });
    await page.getByRole('button', { name: 'Select' }).first().waitFor({ timeout: WAIT_MS });
    await page.waitForTimeout(1_000);
    const seen = await page.evaluate<Omit<Figures, 'bytes'>>(`({
      ...figures,
      first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    })`);
    const rounded = {
      first: Math.round(seen.first),
      largest: Math.round(seen.largest),
      blocked: Math.round(seen.blocked),
    };
    return { ...seen, ...rounded, bytes: bytes() };
  } finally {
    await context.close();
  }
}
