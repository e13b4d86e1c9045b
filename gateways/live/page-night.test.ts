import type { Page } from 'playwright-core';
import t from 'tap';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import {
  browserFor,
  checkWithAxe,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);

const cellAt = (page: Page, ahead: number, roomType = 'STD') =>
  page.locator(`td:has([data-key="${formatDay(today + ahead)} ${roomType}"])`);
const panelOf = (page: Page) => page.getByRole('region', { name: 'The night in detail' });

t.test('what belongs to a night', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('an event is added to the chosen nights, changed, deleted, and each is undone', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    await cellAt(page, 2).getByRole('button').click();
    await cellAt(page, 4)
      .getByRole('button')
      .click({ modifiers: ['Shift'] });
    const panel = panelOf(page);
    await panel.getByRole('button', { name: 'Add event' }).click();
    const form = panel.getByRole('form', { name: 'New event' });
    t.equal(await form.getByLabel('First night').inputValue(), formatDay(today + 2));
    t.equal(await form.getByLabel('Last night').inputValue(), formatDay(today + 4));
    await form.getByRole('button', { name: 'Save event' }).click();
    await form.getByRole('alert').getByText('Write a name, such as Boat show.').waitFor();
    await form.getByLabel('Name').fill('Boat show');
    await form.getByLabel('Expected demand').selectOption('High');
    await form.getByText(/^Boat show: .*, 3 nights marked for all room types\./).waitFor();
    await page.route('**/calendar-events/**', (route) => route.abort(), { times: 1 });
    await form.getByLabel('Name').press('Enter');
    await panel.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    t.equal(await form.getByLabel('Name').inputValue(), 'Boat show', 'what was typed stays');
    await form.getByLabel('Name').press('Enter');
    await panel.getByText('Boat show is on the calendar.').waitFor();
    t.match([...world.revenue.events.values()], [{ name: 'Boat show', effect: 'HIGH' }]);
    t.match(await cellAt(page, 3, 'DLX').textContent(), /, event: Boat show/);
    t.equal(await page.locator('.days th[data-event]').count(), 3);
    t.match(await page.locator('.days th[data-event]').first().textContent(), /event: Boat show/);
    await checkWithAxe(t, page);

    await panel.getByRole('button', { name: 'Edit Boat show' }).click();
    await panel.getByLabel('Last night').fill(formatDay(today + 3));
    await panel.getByRole('button', { name: 'Save event' }).click();
    await panel.getByText('Boat show is changed.').waitFor();
    t.equal(await page.locator('.days th[data-event]').count(), 2);
    await page.locator('body').press('z');
    await panel.getByText('The change is undone.').waitFor();
    t.equal(await page.locator('.days th[data-event]').count(), 3);

    await panel.getByRole('button', { name: 'Delete Boat show' }).click();
    await panel.getByText('Boat show is deleted.').waitFor();
    t.equal(world.revenue.events.size, 0);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByText('The change is undone.').waitFor();
    t.equal(world.revenue.events.size, 1);
    t.strictSame(
      complaints.filter((text) => !text.includes('ERR_FAILED')),
      [],
    );
  });

  t.test('what could not be read comes with the connection', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await page.route('**/rates/promotions*', (route) => route.abort(), { times: 1 });
    await signInWithToken(page);
    const panel = panelOf(page);
    await panel.getByText('Could not be loaded. Choose the night again.').waitFor();
    t.equal(await panel.getByRole('button', { name: 'Edit bounds' }).count(), 0);
    await page.context().setOffline(true);
    await page
      .getByText(/^Offline/)
      .first()
      .waitFor();
    await page.context().setOffline(false);
    await panel.getByRole('button', { name: 'Edit bounds' }).waitFor();
  });

  t.test('a promotion is put on sale for the chosen nights, paused and resumed', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    await cellAt(page, 2).getByRole('button').click();
    await cellAt(page, 4)
      .getByRole('button')
      .click({ modifiers: ['Shift'] });
    const panel = panelOf(page);
    await panel.getByText('No promotion applies to this night.').waitFor();
    await panel.getByRole('button', { name: 'New promotion' }).click();
    await panel.getByLabel('Name').fill('Winter sale');
    await panel.getByLabel('Discount, %').fill('15');
    await panel.getByText(/^Winter sale: 15\s% off STD, stays within .*, booked with its code until/).waitFor();
    await panel.getByRole('button', { name: 'Save promotion' }).click();
    await panel.getByText('Winter sale is on sale with the code SALE1.').waitFor();
    t.match(world.revenue.terms.promotions, [
      {
        roomTypes: ['STD'],
        discount: { type: 'PERCENTAGE', value: 15 },
        validity: { stayPeriod: { startDate: formatDay(today + 2), endDate: formatDay(today + 4) } },
      },
    ]);
    await panel.getByText('15\u00a0% off with SALE1, on sale').waitFor();
    await panel.getByRole('button', { name: 'Pause Winter sale' }).click();
    await panel.getByText('Winter sale is paused. Existing bookings keep it.').waitFor();
    await panel.getByRole('button', { name: 'Resume Winter sale' }).click();
    await panel.getByText('Winter sale is on sale.').waitFor();
    t.equal(world.revenue.terms.promotions[0]!.status, 'ACTIVE');
    await cellAt(page, 6).getByRole('button').click();
    await panel.getByText('No promotion applies to this night.').waitFor();
    t.strictSame(complaints, []);
  });

  t.test('base rate, season and bounds are edited where the breakdown stands, and undone', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const rate = () => world.property.view.grid(today + 2, today + 2, 'STD')[0]!.rate! / 100;
    const before = rate();
    await cellAt(page, 2).getByRole('button').click();
    const panel = panelOf(page);
    await panel.getByRole('button', { name: 'Edit base rate' }).click();
    const base = panel.getByLabel('Base rate, EUR');
    await panel.getByText(/^The night: /).waitFor();
    t.equal(Number(await base.inputValue()), before, 'as it is set');
    await base.fill('nothing');
    await panel.getByRole('alert').getByText('This is no amount. Type it like 12.50 or 12,50.').waitFor();
    await base.fill(String(before * 10));
    await panel.getByText(/ is 10 times what is set now, /).waitFor();
    await base.press('Enter');
    t.equal(await panel.getByRole('button', { name: 'Save', exact: true }).isDisabled(), true);
    t.equal(rate(), before, 'not without a yes');
    await base.fill('200');
    await panel.getByText(/^The night: €.* → €200\.00/).waitFor();
    t.equal(rate(), before, 'nothing is set before the click');
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.getByText(/^Done\. The night: .* → €200\.00/).waitFor();
    t.equal(rate(), 200);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByText('The change is undone.').waitFor();
    t.equal(rate(), before);

    const typed = Promise.withResolvers<void>();
    await page.route('**/rates/base?*', async (route) => (await typed.promise, route.continue()), { times: 1 });
    await panel.getByRole('button', { name: 'Edit season' }).click();
    await panel.getByLabel('Season, %').fill('10');
    // What stands now comes after the first letter of a fast typist.
    typed.resolve();
    await panel.getByText(/\(\+10\s%\)$/).waitFor();
    await panel.getByLabel('Season, %').press('Enter');
    await panel.getByText(/^Done\. The night/).waitFor();
    t.match(world.revenue.terms.base.get(`STD ${today + 2}`), { season: { multiplier: 1.1 } });
    await page.locator('body').press('z');
    await panel.getByText('The change is undone.').waitFor();
    t.equal(rate(), before);

    await panel.getByText(/^BAR: 60\s% to 200\s% of the base rate$/).waitFor();
    await panel.getByRole('button', { name: 'Edit bounds' }).click();
    await panel.getByLabel('Lowest rate, EUR').fill('300');
    await panel.getByLabel('Highest rate, EUR').fill('80');
    await panel.getByRole('alert').getByText('The highest rate is below the lowest.').waitFor();
    await panel.getByLabel('Lowest rate, EUR').fill('80');
    await panel.getByLabel('Highest rate, EUR').fill('300');
    await panel.getByRole('button', { name: 'Save bounds' }).click();
    await panel.getByText(/^Bounds are set\. BAR: .*, at least €80\.00, at most €300\.00\./).waitFor();
    t.match(world.revenue.terms.bar, { minRate: 80, maxRate: 300, name: 'Best' });
    await checkWithAxe(t, page);
    await panel.getByRole('button', { name: 'Edit bounds' }).click();
    await panel.getByLabel('Highest rate, EUR').fill('3,000.00');
    await panel.getByText('€3,000.00 is 10 times the bound of now, €300.00.').waitFor();
    t.equal(await panel.getByRole('button', { name: 'Save bounds' }).isDisabled(), true);
    await panel.getByRole('checkbox', { name: 'Yes, 10 times' }).check();
    await checkWithAxe(t, page);
    await panel.getByRole('button', { name: 'Save bounds' }).click();
    await panel.getByText(/^Bounds are set\. BAR: .*, at most €3,000\.00\./).waitFor();
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByText(/^BAR: .*, at most €300\.00$/).waitFor();
  });

  t.test('recommendations come by value, are accepted by choice or by a limit, and taken back', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    const advice = page.getByRole('region', { name: 'Recommended' });
    const rate = (ahead: number) => world.property.view.grid(today + ahead, today + ahead, 'DLX')[0]!.rate!;
    const before = [1, 2, 3].map(rate);
    await advice.getByText('+€200.00 expected, €1,000.00 → €1,200.00').waitFor();
    const gains = await advice.getByText(/expected, €/).allTextContents();
    t.same(
      gains.map((text) => /^\+€(\d+)/.exec(text)![1]),
      ['200', '40', '10'],
    );
    await advice.getByText('Many ask. 50\u00a0% sure. A day allows no greater rise.').waitFor();
    await advice.getByText('Many ask. 50\u00a0% sure. Not above competitors while rooms are left.').waitFor();
    await advice.getByText('rise by at most 25\u00a0% and fall by at most 12.5\u00a0% a day.').waitFor();
    await advice.getByText('Only price points: €89.50; €119.00. One change for all nights of a weekday').waitFor();
    await advice.getByText('An occupied room costs €18.50 a night.').waitFor();
    t.equal(await advice.locator('button.primary').count(), 0, 'nothing that changes many prices stands out');
    const upTo = advice.getByRole('button', { name: 'Accept up to 5\u00a0%' });
    t.equal(await upTo.count(), 0, 'no night moves by so little');
    await advice.getByLabel('Moves up to, %').fill('10');
    await advice.getByText('1 night moves by at most that.').waitFor();
    await advice.getByRole('button', { name: 'Accept up to 10\u00a0%' }).click();
    await advice.getByText('1 night has the recommended rate.').waitFor();
    t.strictSame(world.revenue.implemented, [1]);
    t.not(rate(3), before[2]);
    await page.locator('body').press('z');
    await advice.getByText('The change is undone.').waitFor();
    t.equal(rate(3), before[2]);
    const boxes = advice.getByRole('checkbox', { name: /^Choose DLX/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await advice.getByRole('button', { name: 'Accept chosen, 2 nights' }).click();
    await advice.getByText('2 nights have the recommended rate.').waitFor();
    t.strictSame(world.revenue.implemented, [1, 2]);
    await advice.getByRole('button', { name: 'Undo' }).click();
    await advice.getByText('The change is undone.').waitFor();
    t.same([1, 2, 3].map(rate), before);
    await checkWithAxe(t, page);
    t.strictSame(complaints, []);
  });

  t.test('the second editor of an event sees what the first has made of it, and keeps his text', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const from = formatDay(today + 2);
    const fair = { name: 'Fair', from, to: from, effect: 'LOW' };
    world.revenue.events.set('fair', fair);
    await page.reload();
    await cellAt(page, 2).getByRole('button').click();
    await page.getByRole('button', { name: 'Edit Fair' }).click();
    const form = page.getByRole('form', { name: 'Edit Fair' });
    await form.getByLabel('Name').fill('Our fair');
    world.revenue.events.set('fair', { ...fair, name: 'Their fair', version: 2 });
    await form.getByRole('button', { name: 'Save event' }).click();
    await page
      .getByRole('alert')
      .getByText(/^Somebody else has changed this meanwhile\./)
      .waitFor();
    await form.getByText(/^On the calendar now: Their fair, /).waitFor();
    t.equal(await form.getByLabel('Name').inputValue(), 'Our fair');
    t.equal(world.revenue.events.get('fair')!.name, 'Their fair');
    await form.getByRole('button', { name: 'Save event' }).click();
    await page.getByText('Our fair is changed.').waitFor();
    t.equal(world.revenue.events.get('fair')!.name, 'Our fair');
  });

  t.test('small moves are accepted by a rule that is switched on, and taken back', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, world.url);
    await signInWithToken(page);
    const advice = page.getByRole('region', { name: 'Recommended' });
    const rate = (ahead: number) => world.property.view.grid(today + ahead, today + ahead, 'DLX')[0]!.rate!;
    const before = [1, 2, 3].map(rate);
    const rule = (percent: number) =>
      advice.getByRole('switch', { name: `Accept up to ${percent}\u00a0% automatically` });
    await advice.getByText('Every recommendation waits for you.').waitFor();
    await advice
      .getByText(/^Of the last 30 nights 2 rates were accepted: .*1,100.* came in, .*1,000.* were expected\.$/)
      .waitFor();
    await advice.getByLabel('Automatic limit, %').fill('10');
    await rule(10).focus();
    await page.keyboard.press('Space');
    await advice.getByText(/^All room types, whenever rates are recommended.* Set by Mara Lindt, /).waitFor();
    t.equal(await rule(10).isChecked(), true);
    t.match(world.revenue.rule, { enabled: true, acceptUpToPercent: 10 });
    t.same([1, 2, 3].map(rate), before, 'a rule alone moves nothing');
    await advice.getByRole('button', { name: 'Refresh' }).click();
    await advice.getByRole('status').getByText('1 night accepted by rule, up to 10\u00a0%.').waitFor();
    t.not(rate(3), before[2]);
    await page.locator('body').press('z');
    await advice.getByText('The change is undone.').waitFor();
    t.same([1, 2, 3].map(rate), before);
    await advice.getByLabel('Automatic limit, %').fill('20');
    await advice.getByRole('button', { name: 'Change to 20\u00a0%' }).click();
    await rule(20).waitFor();
    await advice.getByRole('button', { name: 'Refresh' }).click();
    await advice.getByRole('button', { name: 'Take back' }).click();
    await advice.getByText('2 nights have their earlier rate again.').waitFor();
    t.same([1, 2, 3].map(rate), before);
    await page.route('**/yield-optimization/rule/**', (route) => route.fulfill({ status: 503, body: '{}' }));
    await rule(20).click();
    await advice.getByRole('alert').waitFor();
    t.equal(await rule(20).isChecked(), true, 'what failed is not shown as done');
    await checkWithAxe(t, page);
    t.equal(complaints.filter((text) => !text.includes('503')).length, 0);
  });

  t.test('what somebody else has changed is said before it is overwritten', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page);
    const editor = page.getByRole('region', { name: 'Rates and restrictions' });
    await cellAt(page, 2).getByRole('button').click();
    await editor.getByLabel('New rate, EUR').fill('150');
    // As text, since an object with a member of this name looks like a promise.
    const night = `{"roomType":"STD","date":"${formatDay(today + 2)}","then":100,"now":120}`;
    const body = `{"code":"RATES_MOVED","detail":"Moved.","changed":[${night}]}`;
    await page.route(
      '**/api/v1/rates/nights',
      (route) => route.fulfill({ status: 409, contentType: 'application/json', body }),
      { times: 1 },
    );
    await editor.getByRole('button', { name: 'Set rate' }).click();
    await editor
      .getByText(/^Somebody has changed these rates: STD, .*: 100\.00 → 120\.00\. Nothing is set\./)
      .waitFor();
    t.equal(await editor.getByLabel('New rate, EUR').inputValue(), '150', 'what was typed stays');
    await editor.getByRole('button', { name: 'Set rate' }).click();
    await editor.getByText(/^Done\. 1 night/).waitFor();
  });

  t.test('who may not set prices reads events and has no buttons for them', async (t) => {
    await using world = await scriptedPage(dir, today);
    const from = formatDay(today);
    world.revenue.events.set('fair', { name: 'Fair', from, to: from, effect: 'LOW', note: 'Hall 4' });
    const { page } = await openPage(browser, world.url);
    await signInWithToken(page, 'demo:VIEWER');
    await cellAt(page, 0).getByRole('button').click();
    await panelOf(page).getByText('Fair', { exact: true }).waitFor();
    await panelOf(page).getByText('Hall 4').waitFor();
    t.equal(
      await panelOf(page)
        .getByRole('button', { name: /event|Fair/ })
        .count(),
      0,
    );
  });
});
