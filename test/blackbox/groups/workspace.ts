import type { Test } from 'tap';
import {
  launchBrowser,
  openPage,
  pageTestOptions,
  signInWithToken,
} from '../../../gateways/live/testing/page-browser.ts';
import { House, must } from '../house.ts';
import type { Service } from '../service.ts';

/** The page in a browser, on the real services (issue of the dashboards). */
export async function workspace(group: Test, service: Service): Promise<void> {
  await group.test(
    'a booking through the API moves its cell, the feed and a key figure',
    pageTestOptions,
    async (t) => {
      const house = await House.open(service, { rooms: { DLX: 7 } });
      const browser = await launchBrowser();
      t.teardown(() => browser.close());
      const { page } = await openPage(browser, service.dev.liveUrl);
      page.setDefaultTimeout(60_000);
      await signInWithToken(page, service.token('demo', 'MANAGER'));
      await page.getByRole('combobox', { name: 'Property' }).selectOption(house.propertyId);
      const cell = page.locator(`td:has([data-key="${house.day(9)} DLX"])`);
      await cell.getByText('7 left', { exact: true }).waitFor();
      const pickup = page.locator('[data-tile="pickup"]');
      await pickup.getByText('0', { exact: true }).waitFor();

      const guest = { lastName: 'Workspace' };
      const { reservationId } = await house.booked({ from: 9, nights: 2, roomType: 'DLX', guest });
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
}
