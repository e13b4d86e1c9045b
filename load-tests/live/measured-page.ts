import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

import { launchBrowser, openPage, signInWithToken } from '../../src/testing/live/page-browser.ts';
import type { BlackboxProperty } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';

const METER = fileURLToPath(new URL('page-meter.js', import.meta.url));

/** Measurements of the meter in the page: `page-meter.js`. */
export type Taken = {
  frames: { kind: string; at: number; scriptMs: number; cells: number }[];
  painted: { key: string; text: string; at: number }[];
};

/** The revenue workspace of a property in Chromium, with the meter in it. */
export class MeasuredPage implements AsyncDisposable {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(service: Service, property: BlackboxProperty): Promise<MeasuredPage> {
    const browser = await launchBrowser();
    const { page } = await openPage(browser, 'about:blank');
    await page.addInitScript({ path: METER });
    await page.goto(service.dev.liveUrl);
    await signInWithToken(page, service.token('demo', 'MANAGER'));
    await page.getByRole('combobox', { name: 'Property' }).selectOption(property.propertyId);
    await page
      .locator(`[data-key^="${property.day(0)} "]`)
      .first()
      .waitFor();
    return new MeasuredPage(page);
  }

  /** Measurements since the last call. */
  take(): Promise<Taken> {
    return this.page.evaluate<Taken>('meter.take()');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().browser()?.close();
  }
}
