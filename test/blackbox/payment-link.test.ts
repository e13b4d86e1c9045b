import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';

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
import { type Message, outbox } from './outbox.ts';
import { isProblem } from './problems.ts';
import { advanceClock, BlackboxProperty, must } from './property.ts';
import type { CallOptions, Service } from './service.ts';
import { sharedPages } from './shared-pages.ts';
import { until } from './waiting.ts';

t.setTimeout(PAGE_FILE_MS);

const WIDE: Look = { viewport: { width: 1440, height: 900 } };

type Link = { linkId: string; to: string; amount: number | null; revokedAt: string | null };
type World = { service: Service; browser: Browser };
type Owing = { property: BlackboxProperty; reservationId: string };

/** Payment links (docs/reference/payment-links.md#send), from the desk to the card of the guest. */
void t.test('a guest pays by a link', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const world: World = { service, browser };
  await t.test('that the desk sends, and Back shows that it is paid', (t) => fromTheDesk(t, world));
  await t.test('that the desk takes back', (t) => takenBack(t, world));
  await t.test('without JavaScript, in two tabs, once', (t) => once(t, world));
  await t.test('for a part, after a declined card, and nothing more', (t) => part(t, world));
  await t.test('a link that cannot be used says what to do, and nothing else', (t) => dead(t, world));
  await t.test('no log has the path', (t) => unlogged(t, world));
});

/** A stay that owes 200. */
async function owing(service: Service): Promise<Owing> {
  const policies = { paymentRequired: false, autoAssign: false };
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 }, pricedNights: 10, policies });
  const path = `/properties/${property.propertyId}/rooms`;
  must(await service.tenants('POST', path, { body: { roomNumber: '101', roomType: 'DLX', floor: 1 } }), 201);
  const { reservationId } = await property.booked({ from: 0, card: null });
  must(
    await service.reservations('POST', `/${reservationId}/checkin`, { body: { identificationVerified: true } }),
    200,
  );
  return { property, reservationId };
}

function send(
  { service }: World,
  { reservationId }: Owing,
  body: object = {},
  options: CallOptions = {},
  query = '',
) {
  return service.reservations<Link>('POST', `/${reservationId}/payment-links${query}`, { body, ...options });
}

/** Addresses of the pages that mails of a stay name, once there are this many. */
function mailed({ service }: World, { reservationId }: Owing, count = 1): Promise<{ mail: Message; url: string }[]> {
  return until('the link is sent', 30_000, async () => {
    const { items } = await outbox(service, `?reservationId=${reservationId}`);
    const found = items.filter(({ kind }) => kind === 'PAYMENT_LINK').toReversed();
    if (found.length < count) return undefined;
    return found.map((mail) => ({ mail, url: /https?:\S+\/stay\/\S+/.exec(mail.text)![0] }));
  });
}

async function paid({ property, reservationId }: Owing): Promise<number> {
  const { financial } = must(await property.read(reservationId), 200).json;
  const charges = (financial.paymentDetails ?? []).filter(
    ({ status, type }) => type === 'CHARGE' && status === 'COMPLETED',
  );
  return charges.reduce((sum, { amount }) => sum + amount, 0);
}

/** The panel of a stay at the desk, where a payment is about to be taken. */
async function takingPayment({ service, browser }: World, stay: Owing): Promise<{ desk: Page; dialog: Locator }> {
  const { page: desk } = await openPage(browser, `${service.dev.liveUrl}/desk`, WIDE);
  desk.setDefaultTimeout(60_000);
  await signInWithToken(desk, service.token('demo', 'STAFF'));
  await desk.getByRole('combobox', { name: 'Property' }).selectOption(stay.property.propertyId);
  await desk.locator(`.tape [data-stay="${stay.reservationId}"]`).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Take payment' }).click();
  return { desk, dialog };
}

async function fromTheDesk(t: Test, world: World): Promise<void> {
  const { service, browser } = world;
  const stay = await owing(service);
  const { desk, dialog } = await takingPayment(world, stay);
  await dialog.getByRole('button', { name: 'Send payment link' }).click();
  // The address on record comes first: what is typed before it comes would stand behind it.
  await dialog.getByText(/^Mails ada\.\S+ a link to pay/).waitFor();
  await dialog.getByLabel('E-mail address').fill('ada@example.com');
  await dialog.getByText('Mails ada@example.com a link to pay €200.00.').waitFor();
  await checkWithAxe(t, desk);
  await dialog.getByRole('button', { name: 'Send to ada@example.com' }).click();
  await dialog.getByText('The payment link is on its way to ada@example.com.').waitFor();
  const [{ url, mail }] = (await mailed(world, stay)) as [{ url: string; mail: Message }];
  t.match(mail, { to: 'ada@example.com', subject: /^Pay for your stay at / });
  t.match(mail.text, /To be paid: +EUR 200\.00/);
  const { page, complaints } = await openPage(browser, url);
  await page.getByRole('heading', { name: 'My stay' }).waitFor();
  await page.getByText('To pay now: €200.00').waitFor();
  await page.getByText('Type DLX').waitFor();
  for (const look of EVERY_LOOK) {
    await page.emulateMedia({ colorScheme: look.colorScheme ?? 'light' });
    await page.setViewportSize(look.viewport!);
    t.comment(lookName(look));
    await checkWithAxe(t, page);
  }
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByText('Jetzt zu zahlen: 200,00').waitFor();
  await page.getByRole('button', { name: 'Bezahlen' }).click();
  await page.getByText('Alles ist bezahlt.').waitFor();
  await page.goBack();
  await page.getByRole('status').waitFor();
  t.equal(await page.locator('form').count(), 0, 'nothing to pay');
  t.strictSame(complaints, []);
  t.equal(await paid(stay), 200);
  isProblem(t, await send(world, stay), 409);
  await desk.close();
}

async function takenBack(t: Test, world: World): Promise<void> {
  const stay = await owing(world.service);
  must(await send(world, stay, { to: 'eve@example.com' }), 202);
  const [{ url }] = (await mailed(world, stay)) as unknown as [{ url: string }];
  t.equal((await fetch(url)).status, 200);
  const { desk, dialog } = await takingPayment(world, stay);
  await dialog.getByText(/^eve@example\.com, all that is due, valid until /).waitFor();
  await dialog.getByRole('button', { name: 'Revoke the link to eve@example.com' }).click();
  await dialog.getByRole('button', { name: 'Revoke the link to eve@example.com' }).waitFor({ state: 'detached' });
  t.equal((await fetch(url)).status, 404);
  await desk.close();
}

async function scriptless({ browser }: World, url: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function once(t: Test, world: World): Promise<void> {
  const stay = await owing(world.service);
  const headers = { 'idempotency-key': randomUUID() };
  t.match(must(await send(world, stay, {}, {}, '?dryRun=true'), 202).json, { amount: null });
  must(await send(world, stay, {}, { headers }), 202);
  must(await send(world, stay, {}, { headers }), 202);
  const sent = await mailed(world, stay);
  t.equal(sent.length, 1, 'mailed once');
  const { url } = sent[0]!;
  const [first, second] = [await scriptless(world, url), await scriptless(world, url)];
  const amount = await second.locator('[name=amount]').inputValue();
  const state = await second.locator('[name=state]').inputValue();
  await second.getByLabel('Accepted').check();
  // Both at once, and one of them twice with another card.
  const form = { amount, state, cardToken: 'tok_slow' };
  const answers = await Promise.all([
    ...[1, 2].map(() => first.request.post(`${url}/pay`, { form })),
    first.request.post(`${url}/pay`, { form: { ...form, cardToken: 'tok_visa' } }),
  ]);
  for (const answer of answers) t.equal(answer.status(), 200);
  await second.getByRole('button', { name: 'Pay', exact: true }).click();
  await second.getByText('Everything is paid.').waitFor();
  await first.reload();
  await first.getByText('Everything is paid.').waitFor();
  t.equal(await paid(stay), 200, 'once');
}

async function part(t: Test, world: World): Promise<void> {
  const stay = await owing(world.service);
  isProblem(t, await send(world, stay, { amount: 201 }), 400, { pointers: ['/amount'] });
  must(await send(world, stay, { amount: 50 }), 202);
  const [{ url }] = (await mailed(world, stay)) as unknown as [{ url: string }];
  const page = await scriptless(world, url);
  const state = await page.locator('[name=state]').inputValue();
  const dearer = { form: { amount: '20000', state, cardToken: 'tok_visa' } };
  t.match(await (await page.request.post(`${url}/pay`, dearer)).text(), /Something has changed/);
  await page.getByLabel('Declined').check();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText(/^The card was declined, and nothing was charged/).waitFor();
  await page.getByLabel('Accepted').check();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('What you were asked for is paid.').waitFor();
  t.equal(await paid(stay), 50);
}

/** What a page says, without what is different in each. */
const said = async (url: string): Promise<string> => {
  const answer = await fetch(url, { headers: { 'accept-language': 'en' } });
  return `${answer.status} ${answer.headers.get('referrer-policy')} ${await answer.text()}`;
};

async function dead(t: Test, world: World): Promise<void> {
  const [stay, other] = [await owing(world.service), await owing(world.service)];
  const { linkId } = must(await send(world, stay, { validDays: 1 }), 202).json;
  must(await send(world, other, { validDays: 1 }), 202);
  const [{ url }] = (await mailed(world, stay)) as unknown as [{ url: string }];
  const [{ url: otherUrl }] = (await mailed(world, other)) as unknown as [{ url: string }];
  const page = await said(`${url}x`);
  t.match(page, /^404 no-referrer [^]*This link cannot be used[^]*ask the hotel for a new one/);
  t.notMatch(page, /demo|A house of the suite/);
  const [start, payload, mac] = url.split('/stay/')[1]!.split('.');
  const at = `${world.service.dev.liveUrl}/stay`;
  const foreign = `${at}/${start}.${payload!.replace(/^[^~]+/, 'other')}.${mac}`;
  const swapped = `${at}/${start}.${payload}.${otherUrl.split('.').at(-1)}`;
  for (const one of [foreign, swapped, `${at}/none`]) t.equal(await said(one), page);
  const path = `/${stay.reservationId}/payment-links/${linkId}`;
  isProblem(t, await world.service.reservations('DELETE', `/${other.reservationId}/payment-links/${linkId}`), 404);
  isProblem(t, await world.service.reservations('DELETE', path, { role: 'VIEWER' }), 403);
  for (let times = 0; times < 2; times++)
    t.match(must(await world.service.reservations<Link>('DELETE', path), 200).json, { revokedAt: String });
  t.equal(await said(url), page, 'revoked');
  const form = new URLSearchParams({ amount: '20000', state: '1-0', cardToken: 'tok_visa' });
  t.equal((await fetch(`${url}/pay`, { method: 'POST', body: form })).status, 404);
  t.match(await said(otherUrl), /^200 [^]*My stay/);
  must(await advanceClock(world.service, 86_400), 200);
  t.equal(await said(otherUrl), page, 'expired');
  t.equal(await paid(stay), 0);
}

async function unlogged(t: Test, world: World): Promise<void> {
  const stay = await owing(world.service);
  must(await send(world, stay), 202);
  const [{ url }] = (await mailed(world, stay)) as unknown as [{ url: string }];
  const link = url.split('/stay/')[1]!;
  // Every POST is logged, and every answer from 400 on.
  await fetch(`${url}/pay`, { method: 'POST', body: new URLSearchParams({ cardToken: '' }), redirect: 'manual' });
  await fetch(`${url}x`);
  await until('requests are logged', 10_000, async () => world.service.output.includes('"/stay/:link"') || undefined);
  t.match(world.service.output, '"/stay/:link/pay"');
  t.notMatch(world.service.output, link.split('.')[1]!);
}
