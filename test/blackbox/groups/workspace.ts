import type { Page } from 'playwright-core';
import type { Test } from 'tap';

import { launchBrowser, openPage, pageTestOptions, signInWithToken } from '../../../src/testing/live/page-browser.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

/** The page in a browser, on the real services (docs/concepts/live-stream.md#the-page). */
export async function workspace(group: Test, service: Service): Promise<void> {
  await group.test(
    'a booking through the API moves its cell, the feed and a key figure',
    pageTestOptions,
    async (t) => {
      const property = await BlackboxProperty.open(service, { rooms: { DLX: 7 } });
      const browser = await launchBrowser();
      t.teardown(() => browser.close());
      const { page } = await openPage(browser, service.dev.liveUrl);
      page.setDefaultTimeout(60_000);
      await signInWithToken(page, service.token('demo', 'MANAGER'));
      await page.getByRole('combobox', { name: 'Property' }).selectOption(property.propertyId);
      const cell = page.locator(`td:has([data-key="${property.day(9)} DLX"])`);
      await cell.getByText('7 left', { exact: true }).waitFor();
      const pickup = page.locator('[data-tile="pickup"]');
      await pickup.getByText('0', { exact: true }).waitFor();

      const guest = { lastName: 'Workspace' };
      const { reservationId } = await property.booked({ from: 9, nights: 2, roomType: 'DLX', guest });
      await cell.getByText('6 left', { exact: true }).waitFor();
      await page
        .locator('.feed')
        .getByText(/Workspace$/)
        .waitFor();
      await pickup.getByText('+2', { exact: true }).waitFor();

      await cell.getByRole('button').click();
      const panel = page.getByRole('region', { name: 'The night in detail' });
      await panel.locator('.happened').getByText('Booked', { exact: true }).waitFor();
      t.match(await panel.locator('.steps').textContent(), /^Base rate.*Price/);
      must(await service.reservations('DELETE', `/${reservationId}`, { body: {} }), 200);
      await cell.getByText('7 left', { exact: true }).waitFor();
      await pickup.getByText('0', { exact: true }).waitFor();
      await page.locator('[data-tile="cancellations"]').getByText('1', { exact: true }).waitFor();
      t.equal(await page.locator('.feed li').first().getAttribute('data-kind'), 'bad');
    },
  );

  await group.test('the page goes back to before a booking, and to the present again', pageTestOptions, async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 7 } });
    await property.booked({ from: 9, nights: 1, roomType: 'DLX', guest: { lastName: 'Before' } });
    const browser = await launchBrowser();
    t.teardown(() => browser.close());
    const { page, complaints } = await openPage(browser, service.dev.liveUrl);
    page.setDefaultTimeout(60_000);
    await signInWithToken(page, service.token('demo', 'MANAGER'));
    await page.getByRole('combobox', { name: 'Property' }).selectOption(property.propertyId);
    const cell = page.locator(`td:has([data-key="${property.day(9)} DLX"])`);
    await cell.getByText('6 left', { exact: true }).waitFor();
    const before = Date.now();
    await page.waitForTimeout(1_100);
    await property.booked({ from: 9, nights: 2, roomType: 'DLX', guest: { lastName: 'After' } });
    await cell.getByText('5 left', { exact: true }).waitFor();
    const pickup = page.locator('[data-tile="pickup"]');
    await pickup.getByText('+3', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Time travel' }).click();
    await goTo(page, before);
    await page.getByText(/^Viewing .* – not live$/).waitFor();
    await cell.getByText('6 left', { exact: true }).waitFor();
    await pickup.getByText('+1', { exact: true }).waitFor();
    const feed = page.locator('.feed');
    await feed.getByText(/Before$/).waitFor();
    t.equal(await feed.getByText(/After$/).count(), 0);
    await page.getByRole('region', { name: 'Recommended' }).getByText('Not available for past dates.').waitFor();

    await property.booked({ from: 9, nights: 1, roomType: 'DLX', guest: { lastName: 'Meanwhile' } });
    await page.waitForTimeout(500);
    t.equal(await cell.locator('.sub').textContent(), '6 left', 'the past does not move');
    await page.getByRole('button', { name: 'Back to live' }).click();
    await cell.getByText('4 left', { exact: true }).waitFor();
    await feed.getByText(/Meanwhile$/).waitFor();
    t.equal(await page.getByText(/^Viewing /).count(), 0);
    t.strictSame(complaints, []);
  });
}

/** Puts the slider of time travel to an instant, as a drag does. */
async function goTo(page: Page, instant: number): Promise<void> {
  await page.getByRole('slider', { name: 'Instant shown' }).focus();
  await page.evaluate(`{
    const slider = document.activeElement;
    slider.value = '${instant}';
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }`);
}
