import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t from 'tap';

import {
  checkWithAxe,
  closeWindows,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
} from '../../src/testing/live/page-browser.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import { sharedPages } from './shared-pages.ts';

t.setTimeout(PAGE_FILE_MS);

const GERMAN = new URL('../../gateways/dashboard/language/de/', import.meta.url);

const translations = readdirSync(GERMAN).flatMap((name) =>
  Object.entries(JSON.parse(readFileSync(new URL(name, GERMAN), 'utf8')) as Record<string, string>),
);
/** Texts that some section says in both languages. */
const alike = new Set(translations.flatMap(([text, german]) => (text === german ? [text] : [])));
const english = translations.flatMap(([text]) => (alike.has(text) ? [] : [text]));
const plain = new Set(english.filter((text) => !text.includes('{')));
const sentences = [...plain].filter((text) => text.split(' ').length > 3);
const patterns = english.filter((text) => text.includes('{')).flatMap(patternOf);

/** What the text would look like with values, unless it is little more than them. */
function patternOf(text: string): RegExp[] {
  const literals = withoutArguments(text);
  if (literals.join('').replaceAll(/[^a-z]/gi, '').length < 5) return [];
  return [
    new RegExp(`^${literals.map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.+')}$`),
  ];
}

/** What stands between the arguments. */
function withoutArguments(text: string): string[] {
  const literals = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '{' && depth++ === 0) literals.push('');
    else if (sign === '}') depth -= 1;
    else if (depth === 0) literals[literals.length - 1] += sign;
  }
  return literals;
}

const isEnglish = (text: string): boolean =>
  plain.has(text) || sentences.some((one) => text.includes(one)) || patterns.some((pattern) => pattern.test(text));

/** Texts and names that people read or hear; not what is typed, and no commands. */
const SHOWN = `[...document.querySelectorAll('body *')].filter((one) => !one.closest('script, style, pre')).flatMap((one) => [
  ...[...one.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent),
  ...['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name)),
]).filter(Boolean).map((text) => text.trim().replace(/^: /, ''))`;

const englishOn = async (page: Page): Promise<string[]> => [
  ...new Set((await page.evaluate<string[]>(SHOWN)).filter(isEnglish)),
];

/** The administration of a user whose browser speaks German, on the real services. */
void t.test('the administration speaks German, all of it', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  await prepared(service, property);
  const open = async (path: string) => {
    const opened = await openPage(browser, `${service.dev.liveUrl}${path}`, { locale: 'de-DE' });
    const { page } = opened;
    await page.getByText('Zugriffstoken verwenden').click();
    await page.getByLabel('Mandant').fill('demo');
    await page.getByLabel('Zugriffstoken').fill(service.token('demo', 'OWNER'));
    await page.getByRole('button', { name: 'Weiter' }).click();
    return opened;
  };

  await t.test('the check itself knows English', async (t) => {
    t.ok(isEnglish('Bookings keep their prices.'));
    t.ok(isEnglish('1 room: 7. The floor is taken from the number.'));
    t.ok(isEnglish('How the property sells and works. Bookings keep the terms that they were made with.'));
    t.notOk(isEnglish('Buchungen behalten ihre Preise.'));
  });

  await t.test('every section with its forms', async (t) => {
    const { page, complaints } = await open(`/admin?property=${propertyId}`);
    await page.locator('.admin-checks li').first().waitFor();
    t.strictSame(await englishOn(page), [], 'the checklist');
    const links = page.locator('.admin-sections a');
    const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    t.ok(paths.length > 14, `${paths.length} sections`);
    for (const path of paths.slice(1)) {
      await links.and(page.locator(`[href="${path}"]`)).click();
      const here = page.locator('.admin-sections [aria-current=page]');
      await here.and(page.locator(`[href="${path}"]`)).waitFor();
      await page.locator('.admin-content').filter({ hasNotText: 'Wird geladen' }).waitFor();
      const buttons = page.locator(
        '.admin-head button, .admin-table tr:nth-child(1) .admin-row-verbs button[aria-expanded]',
      );
      for (let index = 0; index < (await buttons.count()); index++) {
        await buttons.nth(index).click();
        t.strictSame(await englishOn(page), [], `${path}, form ${index}`);
        await page.keyboard.press('Escape');
      }
      t.strictSame(await englishOn(page), [], path);
    }
    await page.goto(`${service.dev.liveUrl}/admin/taxes?property=${propertyId}&form=template`);
    await page.getByRole('complementary').getByLabel('Land').selectOption('Deutschland');
    await page.getByText('Umsatzsteuer auf Beherbergung 7 %, im Preis').waitFor();
    t.strictSame(await englishOn(page), [], 'taxes of a country');
    await checkWithAxe(t, page);
    await page.goto(`${service.dev.liveUrl}/admin/import?property=${propertyId}`);
    const text = 'Status,Ankunft,Farbe\nSonderfall,2026-04-03,rot';
    const file = { name: 'umzug.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('Datei auswählen').setInputFiles(file);
    await page.getByText('Ein Wort hat noch keine Bedeutung').waitFor();
    await page.getByText('Weitere Felder').click();
    await page.getByRole('button', { name: 'Probelauf', exact: true }).click();
    await page.getByText('Wählen Sie eine Spalte für').first().waitFor();
    t.strictSame(await englishOn(page), [], 'the columns of an import');
    t.strictSame(complaints, []);
  });

  await t.test('a property step by step', async (t) => {
    const { page, complaints } = await open('/admin/first-hotel');
    await page.getByRole('heading', { name: 'Ein Hotel einrichten' }).waitFor();
    for (const step of ['property', 'rooms', 'plans', 'taxes', 'prices', 'open']) {
      await page.goto(`${service.dev.liveUrl}/admin/first-hotel?property=${propertyId}&step=${step}`);
      await page.locator('.first-hotel [aria-current=step]').waitFor();
      t.strictSame(await englishOn(page), [], step);
    }
    t.strictSame(complaints, []);
  });
});

/** Something in every list. */
async function prepared(service: Service, property: BlackboxProperty): Promise<void> {
  const path = `/properties/${property.propertyId}`;
  const room = { roomNumber: '7', roomType: 'STD' };
  must(await service.tenants('POST', `${path}/rooms`, { body: room }), 201);
  const closed = { roomNumber: '7', from: property.day(3), kind: 'OUT_OF_ORDER', reason: 'Malerarbeiten' };
  must(await service.tenants('POST', `${path}/maintenances`, { body: closed }), 201);
  await property.booked();
}
