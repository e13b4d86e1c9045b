import { existsSync } from 'node:fs';
import puppeteer, { type Page } from 'puppeteer-core';
import t from 'tap';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import { PAGE_FILE_MS } from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';

// Playwright drives only a Firefox of its own. Puppeteer speaks WebDriver BiDi, which every Firefox understands.
const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
const skip =
  FIREFOX === undefined && 'THE PAGE WAS NOT TESTED IN FIREFOX: there is none (apt-get install firefox-esr)';
const PATIENCE_MS = 60_000;

t.setTimeout(PAGE_FILE_MS);

t.test('the workspaces in Firefox', { skip, timeout: PAGE_FILE_MS }, async (t) => {
  const dir = t.testdir();
  await bundlePage(dir);
  const today = Math.floor(Date.now() / 86_400_000);
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX!, headless: true });
  t.teardown(() => browser.close());

  await t.test('a manager sees the live calendar, sets a rate, and undoes it by a key', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await signedIn(world.url);
    const rate = (): number => world.property.view.grid(today + 3, today + 3, 'STD')[0]!.rate!;
    const before = rate();
    await page.locator(`[data-key="${formatDay(today + 3)} STD"]`).click();
    await page.locator(field('Change, %')).fill('10');
    await page.locator('::-p-aria([name="Change by percent"][role="button"])').click();
    await shows(page, 'Done. 1 night');
    t.equal(rate(), Math.round(before * 1.1));
    await page.keyboard.press('Escape');
    await page.keyboard.press('z');
    await shows(page, 'The change is undone.');
    t.equal(rate(), before);
    t.strictSame(complaints, []);
  });

  async function signedIn(url: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(url);
    await page.locator('::-p-text(Use an access token)').click();
    await page.locator(field('Tenant')).fill('demo');
    await page.locator(field('Access token')).fill('demo:MANAGER');
    await page.locator('::-p-aria([name="Continue"][role="button"])').click();
    await page.waitForSelector('.connection[data-state=live]');
    return { page, complaints };
  }
});

async function shows(page: Page, text: string): Promise<void> {
  await page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);
}

const field = (label: string): string => `::-p-xpath(//label[contains(., "${label}")]//input)`;
