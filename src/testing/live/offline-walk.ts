import type { Page } from 'playwright-core';
import type { Test } from 'tap';

/** A panel of the pages: its address, and the way from there to it, which ends when it is there with its data. */
export type WalkedPanel = { name: string; path: string; open: (page: Page) => Promise<unknown> };

/** How long a page may take until everything is there again. */
const PATIENCE_MS = 15_000;

/** Buttons that need nobody else: they close, arrange or print what is there. */
const LOCAL: readonly RegExp[] = [
  /^(Close|Cancel|Back|Not now|Give up|Start over|Show all|Clear|Discard)\b/,
  /^(Keys and appearance|Search or run a command|Sign out|Notices|Forget the token|Show the shards)\b/,
  /^(Pause|Resume|Print|Table|Zoom (in|out)|Whole|All|Export (CSV|PNG)|Picture)\b/,
];
/** Buttons that open what is loaded, choose between views of it, or sort it. */
const LOADED = [
  '.bar-button',
  '.closure',
  '.room',
  '.day-lists li > button',
  '.alarms button',
  '.chart-tabs button',
  '.chart button',
  'th button',
  '.tiles button',
  '[data-key]',
].join();

/** In the page: names of the buttons that can be pressed, without those of `except`. */
const ENABLED = (
  except: string,
): string => `[...document.querySelectorAll('button:enabled, [role=button]:not([aria-disabled=true])')]
  .filter((one) => one.checkVisibility() && !(${JSON.stringify(except)} && one.matches(${JSON.stringify(except)})))
  .map((one) => (one.getAttribute('aria-label') ?? one.textContent).trim())`;

/**
 * Cuts the connection over a panel: the page says so, no button acts that needs the service, and with the connection
 * everything is as it was, without a reload.
 */
export async function walkOffline(t: Test, page: Page, { path, open }: WalkedPanel): Promise<void> {
  await page.goto(path);
  await open(page);
  const before = await page.evaluate<string[]>(ENABLED(''));
  await page.context().setOffline(true);
  try {
    const said = page.getByText(/^(Offline|Reconnecting)/).locator('visible=true');
    await said.first().waitFor();
    const acting = await page.evaluate<string[]>(ENABLED(LOADED));
    t.strictSame(
      acting.filter((name) => !LOCAL.some((local) => local.test(name))),
      [],
      'nothing acts',
    );
  } finally {
    await page.context().setOffline(false);
  }
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor({ state: 'detached' });
  const gone = async (): Promise<string[]> => {
    const now = new Set((await page.evaluate<string[]>(ENABLED(''))).map(withoutFigures));
    return before.map(withoutFigures).filter((name) => !now.has(name));
  };
  const end = performance.now() + PATIENCE_MS;
  while ((await gone()).length > 0 && performance.now() < end) await page.waitForTimeout(100);
  t.strictSame(await gone(), [], 'and works again');
}

/** A name without the figures in it, which go on changing. */
const withoutFigures = (name: string): string => name.replace(/,?\s*[\d–].*$/, '');
