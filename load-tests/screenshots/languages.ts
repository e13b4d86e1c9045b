import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

import type { Role } from '../../src/kernel/rules/caller.ts';
import { LANGUAGES } from '../../src/kernel/rules/languages.ts';
import { openPage } from '../../src/testing/live/page-browser.ts';
import type { Service } from '../../test/blackbox/service.ts';

const JPEG_QUALITY = 60;
const SETTLED_MS = 1_500;
const TOKEN_MS = 3_600_000;

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** A page for staff, and the one for guests. */
const PAGES: readonly { name: string; path: string; role?: Role; viewport: { width: number; height: number } }[] = [
  { name: 'revenue', path: '/revenue?property=harbor-hotel', role: 'MANAGER', viewport: WIDE },
  { name: 'desk', path: '/desk?property=harbor-hotel', role: 'STAFF', viewport: WIDE },
  { name: 'admin', path: '/admin/rate-plans?property=harbor-hotel', role: 'OWNER', viewport: WIDE },
  { name: 'book', path: '/book/demo/harbor-hotel', viewport: NARROW },
];

/** The same pages in each language, as a browser of that language gets them. */
export async function takeLanguages(browser: Browser, service: Service, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  for (const { name, path, role, viewport } of PAGES)
    for (const language of LANGUAGES) {
      const scripts = role === undefined ? [] : [signedIn(service, role)];
      const look = { viewport, locale: language };
      const { page } = await openPage(browser, service.dev.liveUrl + path, look, scripts);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(SETTLED_MS);
      const file = join(into, `${name}-${language}.jpg`);
      await page.screenshot({ path: file, type: 'jpeg', quality: JPEG_QUALITY });
      console.log(file);
      await page.context().close();
    }
}

/** The form for a token has words of a language. */
function signedIn(service: Service, role: Role): string {
  const token = service.token('demo', role);
  const session = JSON.stringify({ token, tenantId: 'demo', expiresAt: Date.now() + TOKEN_MS, role });
  return `sessionStorage.setItem('innkeeper.signed-in', ${JSON.stringify(session)})`;
}
