import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';

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

/**
 * A browser for the tests within `t`. Pages of a test are closed after it: an open one would continue to draw and to
 * connect during all later tests.
 */
export async function browserFor(t: Test): Promise<Browser> {
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  t.afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  return browser;
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

/** Both themes, on a desk and on a phone. */
export const EVERY_LOOK: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, viewport: { width: 1440, height: 900 } },
  { colorScheme, viewport: { width: 390, height: 844 } },
]);

export const lookName = ({ colorScheme, viewport }: Look): string => `${colorScheme}, ${viewport?.width}`;

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
  await page.evaluate(readFileSync(AXE, 'utf8'));
  // Only violations are requested: for passed rules axe would make a selector of every element.
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ resultTypes: ['violations'] }).then((result) => result.violations)`,
  );
  const messages = violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((it) => it.target.join()).join(' ')}`,
  );
  t.strictSame(messages, []);
}
