import t from 'tap';

import { openPage, PAGE_FILE_MS, pageTestOptions, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { BlackboxProperty } from './property.ts';
import { sharedPages } from './shared-pages.ts';

t.setTimeout(PAGE_FILE_MS);

const CONTACT = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

/** A session that ends in the middle of a form. */
void t.test('what was typed is there after the next sign-in', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 4 } });
  const { guestInfo } = await property.booked({ guest: CONTACT });
  const { guestId } = guestInfo as unknown as { guestId: string };
  const { page } = await openPage(
    browser,
    `${service.dev.liveUrl}/guests/${guestId}?property=${property.propertyId}`,
  );
  page.setDefaultTimeout(30_000);
  const panel = page.getByRole('complementary', { name: 'Edit' });
  const edit = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await panel.getByLabel('Last name').waitFor();
  };
  /** The address opens the panel again. */
  const back = async (role: 'STAFF' | 'MANAGER'): Promise<void> => {
    await page.evaluate(`sessionStorage.removeItem('innkeeper.signed-in')`);
    await page.reload();
    await signInWithToken(page, service.token('demo', role));
    await panel.getByLabel('Last name').waitFor();
  };
  await signInWithToken(page, service.token('demo', 'STAFF'));
  await edit();
  await panel.getByLabel('Last name').fill('King');
  await panel.getByLabel('Phone').fill('+351 21 555 01 00');

  await t.test('by the same person', async (t) => {
    await back('STAFF');
    await page.waitForFunction(`[...document.querySelectorAll('aside input')].some(({ value }) => value === 'King')`);
    t.equal(await panel.getByLabel('Phone').inputValue(), '+351 21 555 01 00');
    t.equal(await panel.getByLabel('First name').inputValue(), 'Ada', 'what nobody touched is as it is on record');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ada King' }).waitFor();
  });

  await t.test('by nobody else, and not twice', async (t) => {
    await edit();
    t.equal(await panel.getByLabel('Last name').inputValue(), 'King');
    await panel.getByLabel('Last name').fill('Byron');
    await back('MANAGER');
    t.equal(await panel.getByLabel('Last name').inputValue(), 'King');
    await back('STAFF');
    t.equal(await panel.getByLabel('Last name').inputValue(), 'King');
    t.notMatch(await page.evaluate<string>('JSON.stringify(sessionStorage)'), 'Byron');
  });

  await t.test('a price that was typed and not set', async (t) => {
    const night = property.day(3);
    const address = `${service.dev.liveUrl}/revenue?property=${property.propertyId}&night=${night}+DLX`;
    const editor = page.getByRole('region', { name: 'Rates and restrictions' });
    await page.evaluate(`sessionStorage.clear()`);
    await page.goto(address);
    await signInWithToken(page, service.token('demo', 'MANAGER'));
    await editor.getByLabel('New rate').fill('155');
    await page.evaluate(`sessionStorage.removeItem('innkeeper.signed-in')`);
    await page.reload();
    await signInWithToken(page, service.token('demo', 'MANAGER'));
    await editor
      .getByText(/→ €155\.00/)
      .first()
      .waitFor();
    t.equal(await editor.getByLabel('New rate').inputValue(), '155', 'with its preview, and not set');
    const headers = { 'access-control-allow-origin': '*' };
    await page.route('**/api/v1/rates/nights', (route) =>
      route.request().method() === 'OPTIONS'
        ? route.continue()
        : route.fulfill({ status: 401, headers, json: { code: 'UNAUTHENTICATED', detail: 'It is over.' } }),
    );
    await editor.getByRole('button', { name: 'Set rate' }).click();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.unroute('**/api/v1/rates/nights');
    await signInWithToken(page, service.token('demo', 'MANAGER'));
    await editor
      .getByText(/→ €155\.00/)
      .first()
      .waitFor();
  });
});
