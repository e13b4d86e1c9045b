import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';

import type { Day } from '../../src/kernel/rules/dates.ts';
import { launchBrowser, openPage, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';
import { fillRooms } from '../../src/testing/live/scripted-rooms.ts';
import { percentiles } from '../client/latencies.ts';
import { figuresText } from '../first/figures.ts';
import type { Goal } from './goals.ts';

const TYPES = ['STD', 'DLX', 'STE', ...Array.from({ length: 27 }, (_, n) => `T${String(n + 4).padStart(2, '0')}`)];
const SIZES = [
  { name: '400 rooms', rooms: 400, types: TYPES },
  { name: 'one room', rooms: 1, types: ['DLX'] },
] as const;
const PAGES = [
  { name: 'desk', path: '/desk', scroller: '.tape', item: '.tape [data-item][tabindex="0"]' },
  { name: 'revenue', path: '/revenue', scroller: '.scroller', item: '.scroller [tabindex="0"]' },
] as const;
const LOOK = { viewport: { width: 1440, height: 900 } };
const SCROLL_MS = 2_000;
/** A step of the wheel in each frame; keys as fast as a keyboard repeats them. */
const WHEEL = { deltaY: 120, everyMs: 16 };
const KEY_EVERY_MS = 33;
/** A frame of a screen with 60 of them a second, and half of one more: what is above it was late. */
const LATE_MS = 25;
/** Of a scroll, the share of frames in time, in percent; and what a page has to compute for one, in milliseconds. */
const IN_TIME_PERCENT = 95;
const WORK_MS = 8;

/** Begins to note when frames are shown; `shownFrames()` ends it. */
const FRAMES = `{
  const shown = [];
  let ends = false;
  const note = (now) => (shown.push(now), ends || requestAnimationFrame(note));
  requestAnimationFrame(note);
  window.shownFrames = () => ((ends = true), shown.slice(1).map((now, index) => now - shown[index]));
}`;
/** Opens the last stay of the chart, and waits until it is marked. */
const OPEN_LAST = `new Promise((resolve) => {
  [...document.querySelectorAll('.tape [data-stay]')].at(-1).click();
  const look = () => (document.querySelector('[data-opened]') ? resolve() : requestAnimationFrame(look));
  look();
})`;

type Scroll = { what: string; frames: number[]; workMs: number; moved: number };

/**
 * Frames while the tape chart and the calendar of a property of 400 rooms, and of one, are scrolled by wheel and by
 * keys. The same scroll of a page with nothing to compute says what the machine can show.
 */
export async function benchScrolling(): Promise<Goal[]> {
  const dir = mkdtempSync(join(tmpdir(), 'innkeeper-bench-'));
  const browser = await launchBrowser();
  try {
    await bundlePage(dir);
    const bare = await scrollBare(browser);
    show(bare);
    const goals: Goal[] = [];
    for (const size of SIZES)
      for (const at of PAGES)
        for (const scroll of await scrolls(browser, dir, size, at)) {
          show(scroll);
          const value = (100 * inTime(scroll)) / inTime(bare);
          goals.push({ what: `${scroll.what}: in time, of bare`, value, unit: '%', atLeast: IN_TIME_PERCENT });
          const work = scroll.workMs / Math.max(1, scroll.frames.length);
          goals.push({ what: `${scroll.what}: work for a frame`, value: work, unit: 'ms', atMost: WORK_MS });
        }
    return goals;
  } finally {
    await browser.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function scrolls(
  browser: Browser,
  dir: string,
  size: (typeof SIZES)[number],
  at: (typeof PAGES)[number],
): Promise<Scroll[]> {
  const today: Day = Math.floor(Date.now() / 86_400_000);
  const ofTypes = Object.fromEntries(size.types.map((type) => [type, Math.ceil(size.rooms / size.types.length)]));
  await using world = await scriptedPage(dir, today, ofTypes);
  fillRooms(world, today, size.rooms, size.types);
  const began = performance.now();
  const { page } = await openPage(browser, `${world.url}${at.path}`, LOOK);
  try {
    await signInWithToken(page, 'demo:MANAGER');
    await page.locator(at.item).first().waitFor();
    const opened = Math.round(performance.now() - began);
    const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
    const what = `${at.name}, ${size.name}`;
    figuresText([{ what: `${what}: opened after, elements`, value: `${opened} ms, ${elements}` }]);
    await page.waitForTimeout(1_000);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    const made = [
      { ...(await scrolled(page, cdp, at.scroller, byWheel(page, at.scroller))), what: `${what}, wheel` },
      { ...(await scrolled(page, cdp, at.scroller, byKeys(page, at.item))), what: `${what}, keys` },
    ];
    if (at.name === 'desk') {
      const before = await worked(cdp);
      await page.evaluate(OPEN_LAST);
      const value = `${Math.round((await worked(cdp)) - before)} ms of work`;
      figuresText([{ what: `${what}: a stay is opened`, value }]);
    }
    return made;
  } finally {
    await page.context().close();
  }
}

/** A long page without a script: what this machine can show now. */
async function scrollBare(browser: Browser): Promise<Scroll> {
  const rows = Array.from({ length: 400 }, (_, n) => `<p>${n}</p>`).join('');
  const { page } = await openPage(
    browser,
    `data:text/html,<div class="bare" style="height:800px;overflow:auto">${rows}`,
  );
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const scroll = await scrolled(page, cdp, '.bare', byWheel(page, '.bare'));
  await page.context().close();
  return { ...scroll, what: 'bare page, wheel' };
}

async function scrolled(
  page: Page,
  cdp: CDPSession,
  scroller: string,
  move: (n: number) => Promise<void>,
): Promise<Omit<Scroll, 'what'>> {
  const place = `document.querySelector('${scroller}').scrollTop + scrollY`;
  const [from, before] = [await page.evaluate<number>(place), await worked(cdp)];
  await page.evaluate(FRAMES);
  const began = performance.now();
  for (let n = 0; performance.now() - began < SCROLL_MS; n++) await move(n);
  const frames = await page.evaluate<number[]>('shownFrames()');
  return { frames, workMs: (await worked(cdp)) - before, moved: (await page.evaluate<number>(place)) - from };
}

/** Down and up again, so that a short page moves as long as a long one. */
function byWheel(page: Page, scroller: string): (n: number) => Promise<void> {
  return async (n) => {
    if (n === 0) await page.locator(scroller).hover();
    await page.mouse.wheel(0, n % 80 < 60 ? WHEEL.deltaY : -WHEEL.deltaY);
    await page.waitForTimeout(WHEEL.everyMs);
  };
}

function byKeys(page: Page, item: string): (n: number) => Promise<void> {
  return async (n) => {
    if (n === 0) await page.locator(item).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(KEY_EVERY_MS);
  };
}

/** What the page has computed so far, in milliseconds: frames depend on the machine too, and this does less. */
async function worked(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
  return 1_000 * (of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration'));
}

const inTime = ({ frames }: Scroll): number =>
  frames.filter((ms) => ms < LATE_MS).length / Math.max(1, frames.length);

function show(scroll: Scroll): void {
  const { frames, workMs, moved, what } = scroll;
  const { p50, p95, max } = percentiles(frames);
  const work = (workMs / Math.max(1, frames.length)).toFixed(1);
  figuresText([
    {
      what,
      value: `${Math.round(100 * inTime(scroll))} % in time; frames p50 ${p50} ms, p95 ${p95}, max ${max}; work ${work} ms each; ${Math.round(moved)} px`,
    },
  ]);
}
