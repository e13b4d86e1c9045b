import type { Page } from 'playwright-core';
import t from 'tap';

import {
  launchBrowser,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { describedRoutes, filled } from './described-routes.ts';
import { Service } from './service.ts';

t.setTimeout(PAGE_FILE_MS);

/** Operations whose example names what only another answer can name, or waits for a room while the demo has some. */
const NEEDS_ANOTHER: ReadonlySet<string> = new Set(['userAssociationsCreate', 'waitlistJoin']);

/** Every page that the README names, as somebody who follows it sees them. */
void t.test('pages of a service that has just been started', pageTestOptions, async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const { rateUrl, reservationUrl, liveUrl } = service.dev;

  for (const [name, url, first] of [
    ['rate', rateUrl, 'Quote the prices of a stay'],
    ['reservation', reservationUrl, 'Book a stay'],
  ] as const) {
    await t.test(`/swagger-ui.html of the ${name} service sends a request that works`, async (t) => {
      const { page, complaints } = await openPage(browser, `${url}/swagger-ui.html`);
      const failed = failuresOf(page);
      await page.getByText(first).first().waitFor();
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.getByLabel('auth-bearer-value').fill(service.token('demo', 'MANAGER'));
      await page.getByRole('button', { name: 'Apply credentials' }).first().click();
      await page.getByRole('button', { name: 'Close' }).last().click();
      await page.getByText(first).first().click();
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByRole('button', { name: 'Execute' }).click();
      const answer = page.locator('.live-responses-table tbody .response-col_status').first();
      t.match(await answer.textContent(), name === 'rate' ? '200' : '201', 'the example works as it stands');
      t.strictSame(failed, []);
      t.strictSame(complaints, []);
      await page.context().close();
    });
  }

  await t.test('a manager sets a rate in the grid, guests pay it, and it is undone', async (t) => {
    const { page, complaints } = await openPage(browser, liveUrl);
    await signInWithToken(page, service.token('demo', 'MANAGER'));
    await page.getByRole('combobox', { name: 'Property' }).selectOption('harbor-hotel');
    const cell = page.locator('td:not(.today) [data-key$=" DLX"]').nth(20);
    await cell.click();
    const date = (await cell.getAttribute('data-key'))!.slice(0, 10);
    const quoted = async (): Promise<number | undefined> => {
      const stay = `checkIn=${date}&checkOut=${dayAfter(date)}&roomType=DLX&propertyId=harbor-hotel`;
      const { json } = await service.rates<{ rates: { totalRate: number }[] }>('GET', `/current?${stay}`);
      return json.rates[0]?.totalRate;
    };
    const before = (await quoted())!;
    const editor = page.getByRole('region', { name: 'Rates and restrictions' });
    const wanted = before + 5.5;
    await editor.getByLabel('New rate, EUR').fill(String(wanted));
    await editor.getByText(`→ €${wanted.toFixed(2)}`).waitFor();
    await editor.getByRole('button', { name: 'Set rate' }).click();
    await editor.getByText(/^Done/).waitFor();
    t.equal(await quoted(), wanted);
    await editor.getByRole('button', { name: 'Stop sell' }).click();
    await editor.getByText('Done. Stop sell: on, 1 night.').waitFor();
    t.equal(await quoted(), undefined, 'not sold');
    await editor.getByRole('button', { name: 'Undo' }).click();
    await editor.getByText('The change is undone.').waitFor();
    await editor.getByLabel('New rate, EUR').fill(String(before));
    await editor.getByRole('button', { name: 'Set rate' }).click();
    await editor.getByText(/^Done/).waitFor();
    t.equal(await quoted(), before);
    t.strictSame(complaints, []);
    await page.context().close();
  });

  await t.test('each operation has a summary, and each example of a request works on the demo data', async (t) => {
    for (const { base, method, path, operation } of await describedRoutes(service)) {
      const { operationId, summary, parameters = [], requestBody } = operation;
      t.type(summary, 'string', operationId);
      const media = requestBody?.content?.['application/json'];
      if (media) t.ok(media.example !== undefined, `${operationId} has an example of its body`);
      const isComplete = parameters.every(({ required, example }) => !required || example !== undefined);
      if (!media || !isComplete || NEEDS_ANOTHER.has(operationId)) continue;
      const values = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]));
      const isOperators = path.startsWith('/ops/') || path === '/dev/clock';
      const answer = await service.call(method, base + filled(path, values), {
        role: 'OWNER',
        body: media.example,
        ...(isOperators && { authorization: `Bearer ${service.dev.operatorToken}`, tenantHeader: null }),
      });
      t.ok(answer.status < 300, `${operationId}: ${answer.status} ${answer.status < 300 ? '' : answer.text}`);
    }
  });

  for (const [path, heading] of [
    ['/', /Occupancy/],
    ['/desk', /Arrivals/],
  ] as const) {
    await t.test(`${path} of the dashboard`, async (t) => {
      const { page, complaints } = await openPage(browser, liveUrl + path);
      const failed = failuresOf(page);
      await signInWithToken(page, service.token('demo', 'MANAGER'));
      await page.getByText(heading).first().waitFor();
      await page.getByText(/^Live/).first().waitFor();
      t.strictSame(failed, []);
      t.strictSame(complaints, []);
      await page.context().close();
    });
  }

  for (const path of ['/', '/desk']) {
    await t.test(`a token that is refused shows no empty ${path}, but the way to sign in again`, async (t) => {
      const { page } = await openPage(browser, liveUrl + path);
      await signInWithToken(page, 'no-token-of-anybody');
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
      t.equal(await page.getByRole('combobox', { name: 'Property' }).count(), 0, 'no skeleton');
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByText('Use an access token').waitFor();
      await page.context().close();
    });
  }

  await t.test('/ops of the dashboard', async (t) => {
    const { page, complaints } = await openPage(browser, `${liveUrl}/ops`);
    await page.getByLabel('Operator token').fill(service.dev.operatorToken);
    await page.getByRole('button', { name: 'Show the nodes' }).click();
    await page.getByRole('button', { name: 'Forget the token' }).waitFor();
    t.strictSame(complaints, []);
    await page.context().close();
  });

  await t.test('where the test event can be looked at opens in a browser', async (t) => {
    const { user: username, password } = service.dev.basic;
    const context = await browser.newContext({ httpCredentials: { username, password } });
    const page = await context.newPage();
    await page.goto(`${reservationUrl}/reservation-engine/api/test/kafka`);
    const answer = JSON.parse(await page.locator('body').innerText()) as { checkKafkaUI: string; eventId: string };
    for (const url of [answer.checkKafkaUI, `${reservationUrl}/reservation-engine/api/test/kafka/events`]) {
      const response = await page.goto(url);
      t.match(response?.headers()['content-type'], /^text\/html/, url);
      await page.getByText(answer.eventId).waitFor();
    }
    await context.close();
  });
});

function failuresOf(page: Page): string[] {
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  return failed;
}

const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
