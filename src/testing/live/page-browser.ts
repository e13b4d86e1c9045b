import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';

import { afterLastFile } from '../../../test/loop/last-file.ts';

/**
 * Chromium as Debian has it. Its headless shell is the same engine without the windows of a desktop, and takes a third
 * less processor time, so it comes first.
 */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = CHROMIUMS.find((path) => existsSync(path));
/**
 * The last list counts, so it names what Playwright leaves out too, as far as our pages meet it. The popup of the
 * address bar is a page of its own in each window, and a spare renderer waits for a site that never comes: with them a
 * window of a test costs twice the processor time.
 */
const LEFT_OUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${LEFT_OUT.join(',')}`,
];
/** Time limit of one step of a page on a busy machine. */
const PATIENCE_MS = 90_000;
/** Time limit of a file of browser tests. */
export const PAGE_FILE_MS = 300_000;

const skip =
  CHROMIUM === undefined && `THE PAGE WAS NOT TESTED: there is no ${CHROMIUMS.at(-1)} (apt-get install chromium)`;

/** Browser tests are skipped, with a message, when there is no browser. */
export const pageTestOptions = { skip, timeout: PAGE_FILE_MS };

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

let shared: Promise<Browser> | undefined;

/** A browser for the tests within `t`, whose pages are closed after each of them. */
export async function browserFor(t: Test): Promise<Browser> {
  const browser = await sharedBrowser(t);
  t.afterEach(() => closeWindows(browser));
  return browser;
}

/** A browser that files share which are played in one process: each window has cookies, storage and caches of its own. */
export function sharedBrowser(t: Test): Promise<Browser> {
  return (shared ??= launchShared(t));
}

async function launchShared(t: Test): Promise<Browser> {
  const browser = await launchBrowser();
  const end = async (): Promise<void> => {
    shared = undefined;
    await browser.close();
  };
  if (!afterLastFile(end)) t.teardown(end);
  return browser;
}

/** Closes what tests have opened: a page would continue to draw and to connect during all later tests. */
export async function closeWindows(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

export type Look = {
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active';
  reducedMotion?: 'reduce';
  viewport?: { width: number; height: number };
  /** Where the visitor is; the machine's zone by default. */
  timezoneId?: string;
  /** Language of the browser; English by default. */
  locale?: string;
  /** Device pixels per page pixel. */
  deviceScaleFactor?: number;
};

/**
 * Opens a page for a new visitor; all browser errors are recorded.
 * @param scripts run in the page before its own
 */
export async function openPage(
  browser: Browser,
  url: string,
  look: Look = {},
  scripts: readonly string[] = [],
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  for (const content of scripts) await page.addInitScript({ content });
  await page.goto(url);
  return { page, complaints };
}

/** Signs in as a manager of tenant `demo`, unless another token is given. */
export async function signInWithToken(page: Page, token = 'demo:MANAGER'): Promise<void> {
  await page.getByText('Use an access token').click();
  await page.getByLabel('Tenant').fill('demo');
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

type Violation = { id: string; impact: string; nodes: { target: string[] }[] };

/** Checks that axe finds no violation in the visible page. */
export async function checkWithAxe(t: Test, page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(readFileSync(AXE, 'utf8'));
  // Only violations are requested: for passed rules axe would make a selector of every element.
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ resultTypes: ['violations'] }).then((result) => result.violations)`,
  );
  const messages = violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((it) => it.target.join()).join(' ')}`,
  );
  t.strictSame(messages, []);
}
