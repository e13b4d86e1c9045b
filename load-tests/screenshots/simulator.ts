import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { launchBrowser, type Look, openPage } from '../../src/testing/live/page-browser.ts';

const PAGE = pathToFileURL(join(import.meta.dirname, '../../docs/simulator/index.html')).href;
const JPEG_QUALITY = 70;
/** Redis is lost, so that each node forwards by other members (docs/simulator/README.md#a-room-sold-twice). */
const SPLIT = '#seed=55&faults=none&do=cut-redis:0@100,cut-redis:1@200,cut-redis:2@300';

type Picture = { name: string; link: string; press: string; times?: number; look: Look };

const PICTURES: readonly Picture[] = [
  {
    name: 'fence-1440-light',
    link: SPLIT,
    press: 'Next fault',
    times: 6,
    look: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  },
  {
    name: 'sold-twice-1440-dark',
    link: `${SPLIT}&fence=off`,
    press: 'Show the room that is sold twice',
    look: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  },
  {
    name: 'sold-twice-390-light',
    link: `${SPLIT}&fence=off`,
    press: 'Show the room that is sold twice',
    look: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  },
];

/** The simulator with and without the fence: the whole page, for it is longer than a window. */
export async function takeSimulator(into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  const browser = await launchBrowser();
  try {
    for (const { name, link, press, times = 1, look } of PICTURES) {
      const { page } = await openPage(browser, PAGE + link, look);
      await page.locator('section[aria-busy="false"] .outcome').waitFor();
      for (let n = 0; n < times; n++) await page.getByRole('button', { name: press }).click();
      await page.mouse.move(0, 0);
      const path = join(into, `${name}.jpg`);
      await page.screenshot({ path, fullPage: true, type: 'jpeg', quality: JPEG_QUALITY });
      console.log(path);
    }
  } finally {
    await browser.close();
  }
}
