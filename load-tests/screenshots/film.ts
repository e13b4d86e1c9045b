import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

import { openPage } from '../../src/testing/live/page-browser.ts';
import type { Service } from '../../test/blackbox/service.ts';

/** Seconds after the manager has signed in. */
const MOMENTS = [0, 5, 20, 60];
const JPEG_QUALITY = 70;

/** The first minute after `npm start` on an empty folder, as somebody sees it who tries it for the first time. */
export async function filmed(browser: Browser, service: Service, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  await service.up();
  console.log(`up after ${(service.readyMs / 1_000).toFixed(1)} s`);
  const { page } = await openPage(browser, service.dev.liveUrl, { viewport: { width: 1440, height: 900 } });
  await page.getByRole('button', { name: 'Manager (Mara)' }).first().click();
  await page.locator('[data-key]').first().waitFor();
  const from = performance.now();
  for (const moment of MOMENTS) {
    await page.waitForTimeout(Math.max(0, moment * 1_000 - (performance.now() - from)));
    await page.screenshot({
      path: join(into, `${String(moment).padStart(2, '0')}.jpg`),
      type: 'jpeg',
      quality: JPEG_QUALITY,
    });
    console.log(`docs/images/film: ${moment} s`);
  }
  await page.context().close();
}
