import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';

import {
  browserFor,
  checkWithAxe,
  openPage,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { BlackboxProperty } from './property.ts';
import type { Service } from './service.ts';
import { Receiver } from './webhook-receiver.ts';

/** As many as somebody has patience for, from the administration to the first event at the own system. */
const MAX_CLICKS = 6;

/** A webhook by mouse (docs/reference/webhooks.md#webhooks). */
export async function webhookPage(group: Test, service: Service): Promise<void> {
  await group.test('events go to the own system after six clicks', pageTestOptions, async (t) => {
    const property = await BlackboxProperty.open(service);
    const receiver = await Receiver.open();
    t.teardown(() => receiver.kill());
    const browser = await browserFor(t);
    const { page, complaints } = await openPage(browser, `${service.dev.liveUrl}/admin`);
    await signInWithToken(page, service.token('demo', 'ADMIN'));
    const panel = (of: Page) => of.getByRole('complementary');
    let clicks = 0;
    const click = async (what: Locator) => {
      clicks += 1;
      await what.click();
    };
    await click(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Webhooks' }));
    await click(page.getByRole('button', { name: 'New webhook' }));
    await panel(page).getByLabel('Address').fill(receiver.url);
    await checkWithAxe(t, page);
    await click(panel(page).getByRole('button', { name: 'Add webhook' }));
    await page.getByText('Copy its secret now').waitFor();
    t.match(await page.getByText(/^whsec_/).textContent(), /^whsec_[A-Za-z0-9+/]{43}=$/);
    const row = page.getByRole('row', { name: receiver.url });
    await click(row.getByRole('button', { name: /^Deliveries/ }));
    await panel(page).getByText('Nothing has been sent yet.').waitFor();
    t.equal(await page.getByText(/^whsec_/).count(), 0, 'the secret is gone with the next form');
    await click(panel(page).getByRole('button', { name: 'Send test message' }));
    await page.getByText('The test message was taken (204).').waitFor();
    t.ok(clicks <= MAX_CLICKS, `${clicks} clicks`);
    await property.booked();
    await row.getByRole('button', { name: /^Deliveries/ }).click();
    await panel(page)
      .getByText(/reservation\.created/)
      .or(panel(page).getByText('Nothing has been sent yet.'))
      .first()
      .waitFor();
    await checkWithAxe(t, page);
    await row.getByRole('button', { name: /^Edit/ }).click();
    await panel(page).getByLabel('Send events').uncheck();
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('Paused', { exact: true }).waitFor();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await panel(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There is no webhook.').waitFor();
    t.strictSame(complaints, [], 'no errors, and nothing that the policy forbids');
  });
}
