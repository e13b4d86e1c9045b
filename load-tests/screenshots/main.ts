import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import type { Role } from '../../src/kernel/rules/caller.ts';
import { launchBrowser, type Look, openPage, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { Service } from '../../test/blackbox/service.ts';
import { liveThroughDays, PROPERTY } from './hotel.ts';

const DOCS = join(import.meta.dirname, '../../docs/images');
/** Time for fetching data beside the live stream, and for painting. */
const SETTLED_MS = 3_000;

type Picture = { name: string; role: Role; path: string; look: Look; before?: (page: Page) => Promise<void> };

const SIZES = {
  1440: { viewport: { width: 1440, height: 900 } },
  1024: { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' },
  390: { viewport: { width: 390, height: 844 } },
} as const satisfies Record<number, Look>;

/** The pictures that README shows, by the name of their file. */
const PICTURES: readonly Picture[] = [
  { name: 'workspace-1440', role: 'MANAGER', path: '/', look: SIZES[1440], before: recommend },
  { name: 'workspace-1024', role: 'MANAGER', path: '/', look: SIZES[1024] },
  { name: 'workspace-390', role: 'MANAGER', path: '/', look: SIZES[390] },
  { name: 'time-travel-1440', role: 'MANAGER', path: '/', look: SIZES[1440], before: goBack },
  { name: 'desk-1440', role: 'STAFF', path: '/desk', look: SIZES[1440] },
  { name: 'desk-1024', role: 'STAFF', path: '/desk', look: SIZES[1024], before: beginCheckIn },
  { name: 'desk-390', role: 'STAFF', path: '/desk', look: SIZES[390] },
];

async function recommend(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Recommend for 30 nights' }).click();
  await page.getByRole('button', { name: /^Accept \d+ nights$/ }).waitFor();
}

/** Three days. */
async function goBack(page: Page): Promise<void> {
  await page.keyboard.press('t');
  for (let days = 0; days < 3; days += 1) await page.getByRole('button', { name: /a day back$/ }).click();
  await page.getByText(/^Viewing .* – not live$/).waitFor();
}

async function beginCheckIn(page: Page): Promise<void> {
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Arrives, room ready' })
    .first()
    .getByRole('button')
    .first()
    .click();
  await page.getByRole('button', { name: 'Check in…' }).click();
  await page.getByText('What would happen').waitFor();
}

async function take(browser: Browser, service: Service, { name, role, path, look, before }: Picture): Promise<void> {
  const { page } = await openPage(browser, service.dev.liveUrl + path, look);
  await signInWithToken(page, service.token('demo', role));
  await page.getByRole('combobox', { name: 'Property' }).selectOption(PROPERTY);
  await page.locator('.connection[data-state="live"]').waitFor();
  await before?.(page);
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: join(DOCS, `${name}.png`) });
  console.log(`docs/images/${name}.png`);
  await page.context().close();
}

const only = process.argv.slice(2);
const service = await Service.start();
const browser = await launchBrowser();
try {
  await liveThroughDays(service);
  for (const picture of PICTURES)
    if (only.length === 0 || only.includes(picture.name)) await take(browser, service, picture);
} finally {
  await browser.close();
  await service.remove();
}
