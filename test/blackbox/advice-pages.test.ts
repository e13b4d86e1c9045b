import type { Page } from 'playwright-core';
import t from 'tap';

import { worstContrast } from '../../src/testing/live/contrast.ts';
import { EVERY_LOOK, lookName } from '../../src/testing/live/looks.ts';
import {
  checkWithAxe,
  closeWindows,
  type Look,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Role } from './service.ts';
import { sharedPages } from './shared-pages.ts';

t.setTimeout(PAGE_FILE_MS);

/** What a revenue manager sets about advice, in a browser on the real services. */
void t.test('settings of recommendations', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  const section = async (id: string) => {
    const opened = await openPage(browser, `${service.dev.liveUrl}/admin/${id}?property=${propertyId}`);
    await signInWithToken(opened.page, service.token('demo', 'OWNER'));
    return opened;
  };
  const panel = (page: Page) => page.getByRole('complementary');

  await t.test('recommendations keep to a ladder of rates and to a pattern of weekdays', async (t) => {
    const { page, complaints } = await section('policies');
    await page.getByText('Any rate within the bounds is recommended.').waitFor();
    await page.getByRole('button', { name: 'Edit: Price points' }).click();
    const field = panel(page).getByLabel('Price points');
    await field.fill('99; cheap');
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await panel(page).getByText('This is no amount.').waitFor();
    await field.fill('119; 89.50; 99');
    await panel(page).getByText('Only these rates are recommended: 119; 89.5; 99.').waitFor();
    await checkWithAxe(t, page);
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Only these rates are recommended: 89.5; 99; 119.' }).waitFor();
    await page.getByRole('button', { name: 'Edit: Weekday pattern' }).click();
    await panel(page).getByLabel('Weekday pattern').check();
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Recommendations change all nights of a weekday in a month' }).waitFor();
    type View = { metadata: { policies: { pricePoints: number[]; sameByWeekday: boolean } } };
    const path = `/properties/${propertyId}`;
    const { policies } = must(await service.tenants<View>('GET', path), 200).json.metadata;
    t.strictSame([policies.pricePoints, policies.sameByWeekday], [[89.5, 99, 119], true]);
    await page.getByRole('button', { name: 'Edit: Price points' }).click();
    await field.fill('');
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Any rate within the bounds is recommended.' }).waitFor();
    t.strictSame(complaints, []);
  });
});

const READ = '.experiments :is(h1, h2, p, small, label, th, td, button:enabled)';

/** Rates that are tried, in a browser (docs/reference/price-experiments.md#price-experiments). */
void t.test('experiments with rates', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const open = async (propertyId: string, look: Look = {}, role: Role = 'MANAGER', path = '/revenue/experiments') => {
    const opened = await openPage(browser, `${service.dev.liveUrl}${path}?property=${propertyId}`, look);
    opened.page.setDefaultTimeout(60_000);
    await signInWithToken(opened.page, service.token('demo', role));
    return opened;
  };

  await t.test('one is begun by keys alone, is shown while it runs, and is stopped', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { propertyId } = property;
    const { page, complaints } = await open(propertyId, {}, 'MANAGER', '/revenue');
    await page.getByRole('link', { name: 'Price experiments' }).click();
    await page.getByText('No experiment yet.').waitFor();
    await page.getByRole('button', { name: 'New experiment' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('form', { name: 'New experiment' }).waitFor();
    t.equal(await page.evaluate('document.activeElement.id'), 'experiment-name', 'the form begins there');
    await page.keyboard.type('Five more');
    for (let tabs = 0; tabs < 3; tabs++) await page.keyboard.press('Tab');
    await page.keyboard.type('five');
    await page.keyboard.press('Enter');
    await page.getByText('Type a percentage such as 5 or -7.5.').waitFor();
    t.equal(await page.getByLabel('Difference from the base rate, %').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Difference from the base rate, %').fill('5');
    await page.getByLabel('Pairs of blocks').fill('3');
    await page.keyboard.press('Enter');
    await page.getByText('Please check the marked fields.').waitFor();
    t.equal(await page.getByLabel('Pairs of blocks').getAttribute('aria-invalid'), 'true', 'the service says which');
    await checkWithAxe(t, page);
    await page.getByLabel('Pairs of blocks').fill('14');
    await page.getByText('28 days of sale, half of them at the tried rates.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Five more has begun: its days are drawn.').waitFor();
    await page.getByText('Nothing is concluded before').waitFor();
    await page.getByRole('cell', { name: 'Running' }).waitFor();
    t.ok(await page.getByRole('button', { name: 'New experiment' }).isDisabled());
    await page.getByText('A property has one experiment at a time.').waitFor();
    type List = { items: { id: string; treatment: object; pairs: number }[] };
    const list = must(await service.rates<List>('GET', `/experiments?propertyId=${propertyId}`), 200).json.items;
    t.match(list, [{ treatment: { adjustmentPercent: 5 }, pairs: 14 }]);
    t.match(page.url(), `experiment=${list[0]!.id}`);
    await page.reload();
    await page.getByRole('heading', { name: 'Five more' }).waitFor();
    await page.getByRole('button', { name: 'Stop experiment' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('BAR gets back at once what it had before.').waitFor();
    t.equal(await page.evaluate('document.activeElement.id'), 'experiment-stop');
    await page.keyboard.press('Enter');
    await page.getByText('Five more is stopped.').waitFor();
    await page.getByRole('cell', { name: 'Stopped: by a person' }).waitFor();
    await page.getByText('There are too few days to say anything.').waitFor();
    t.ok(await page.getByRole('button', { name: 'New experiment' }).isEnabled());
    t.equal(complaints.filter((text) => !text.includes('400')).length, 0, 'but for the refused one');
  });

  await t.test('who may not try rates reads why', async () => {
    const property = await BlackboxProperty.open(service);
    const { page } = await open(property.propertyId, {}, 'STAFF');
    await page.getByText('Price experiments needs another role').waitFor();
  });

  const property = await BlackboxProperty.open(service);
  const treatment = { strategy: 'DYNAMIC', strategyRules: { bidPriceBy: 'PROGRAM' } };
  const body = { propertyId: property.propertyId, name: 'By bid prices', treatment };
  must(await service.rates('POST', '/experiments', { body }), 201);
  for (const look of EVERY_LOOK)
    await t.test(`an uplift with its interval, for everybody: ${lookName(look)}`, async (t) => {
      const { page, complaints } = await open(property.propertyId, look);
      await page.route('**/api/v1/rates/experiments/*', async (route) => {
        const response = await route.fetch();
        const json = (await response.json()) as { result: object };
        const uplift = { perDay: 41.5, low: 12, high: 71, percent: 3.2, lowPercent: 0.9, highPercent: 5.5 };
        const arms = {
          control: { days: 28, roomNights: 310, revenuePerDay: 1_300 },
          treatment: { days: 28, roomNights: 305, revenuePerDay: 1_341.5 },
        };
        const result = { ...json.result, ...arms, leftOut: 1, finding: 'BETTER', uplift, explained: 0.31 };
        await route.fulfill({ response, json: { ...json, status: 'COMPLETED', result } });
      });
      await page.reload();
      await page.getByText('The tried rates brought more.').waitFor();
      await page.getByText('€41.50 a day (+3.2%)').waitFor();
      await page.getByText('between €12.00 and €71.00').waitFor();
      await page.getByText('1 day does not count').waitFor();
      await page.getByRole('cell', { name: 'Rates that follow computed bid prices' }).waitFor();
      await checkWithAxe(t, page);
      const worst = await worstContrast(page, READ);
      t.ok(worst.ratio >= 4.5, `worst contrast ${worst.ratio.toFixed(2)} at ${worst.text}`);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
      t.strictSame(complaints, []);
    });
});
