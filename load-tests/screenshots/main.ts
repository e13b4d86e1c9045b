import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { launchBrowser, type Look, openPage, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { until } from '../../test/blackbox/waiting.ts';
import { filmed } from './film.ts';
import { takeImport } from './import.ts';
import { takeLanguages } from './languages.ts';
import { filmedOwnHotel } from './own-hotel.ts';
import { type Picture, README_PICTURES, viewsOf } from './pictures.ts';
import { takeSimulator } from './simulator.ts';

const DOCS = join(import.meta.dirname, '../../docs/images');
/** Time for fetching data beside the live stream, and for painting. */
const SETTLED_MS = 800;
const PAST_MS = 300_000;
const JPEG_QUALITY = 60;

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const THEMES = ['light', 'dark'] as const;

/** Opens an address as a member of the demo, and waits until it shows what it has. */
async function shown(browser: Browser, service: Service, { role, path, before }: Picture, look: Look): Promise<Page> {
  const { page } = await openPage(browser, service.dev.liveUrl + path, look);
  if (role !== undefined) await signInWithToken(page, service.token('demo', role));
  await page.waitForLoadState('networkidle');
  // On a busy machine the stream comes later than all else.
  await page.locator('.connection:not([data-state="live"])').waitFor({ state: 'detached' });
  await before?.(page);
  await page.waitForTimeout(SETTLED_MS);
  return page;
}

async function takeReadme(browser: Browser, service: Service, only: readonly string[]): Promise<void> {
  for (const picture of README_PICTURES) {
    if (only.length > 0 && !only.includes(picture.name)) continue;
    const page = await shown(browser, service, picture, picture.look);
    await page.screenshot({ path: join(DOCS, `${picture.name}.png`) });
    console.log(`docs/images/${picture.name}.png`);
    await page.context().close();
  }
}

async function takeViews(browser: Browser, service: Service, only: readonly string[]): Promise<void> {
  mkdirSync(join(DOCS, 'views'), { recursive: true });
  const views = (await viewsOf(service)).filter(({ name }) => only.length === 0 || only.includes(name));
  for (const view of views)
    for (const viewport of SIZES)
      for (const colorScheme of THEMES) {
        const page = await shown(browser, service, view, { viewport, colorScheme });
        const name = `views/${view.name}-${viewport.width}-${colorScheme}.jpg`;
        await page.screenshot({ path: join(DOCS, name), type: 'jpeg', quality: JPEG_QUALITY });
        console.log(`docs/images/${name}`);
        await page.context().close();
      }
}

/** The past of the demo is written behind the start, the last month first: pictures wait for that. */
async function untilPastIsThere(service: Service): Promise<void> {
  const url = `${service.dev.reservationUrl}/dev/demo`;
  await until('the past of the demo', PAST_MS, async () => {
    const { properties } = must(await service.call<Demo>('GET', url, { role: 'MANAGER' }), 200).json;
    return properties.some(({ partsDone }) => partsDone > 0) || undefined;
  });
}

type Demo = { properties: { partsDone: number }[] };

const only = process.argv.slice(2);
if (only.includes('simulator')) {
  await takeSimulator(join(DOCS, 'simulator'));
  process.exit();
}
const service = await Service.prepare({
  DEMO: only.includes('own-hotel') || only.includes('import') ? 'empty' : '1',
});
const browser = await launchBrowser();
try {
  if (only.includes('own-hotel')) await filmedOwnHotel(browser, service, join(DOCS, 'own-hotel'));
  else if (only.includes('import')) await takeImport(browser, service, DOCS);
  else if (only.includes('film')) await filmed(browser, service, join(DOCS, 'film'));
  else {
    await service.up();
    await untilPastIsThere(service);
    if (only.includes('views')) await takeViews(browser, service, only.slice(1));
    else if (only.includes('languages')) await takeLanguages(browser, service, join(DOCS, 'languages'));
    else await takeReadme(browser, service, only);
  }
} finally {
  await browser.close();
  await service.remove();
}
