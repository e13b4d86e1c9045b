import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';

import { EVERY_LOOK, lookName } from '../../src/testing/live/looks.ts';
import {
  checkWithAxe,
  launchBrowser,
  type Look,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

t.setTimeout(PAGE_FILE_MS);

type World = { service: Service; browser: Browser };

/** Own settings in the browser, on the real services. */
void t.test('own settings in the browser', pageTestOptions, async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const world: World = { service, browser };
  await t.test('what a person chooses follows to another browser', (t) => follows(t, world));
  await t.test('one browser signs the other one out', (t) => signsOut(t, world));
  await t.test('a token that was typed in has no session, and its preferences follow too', (t) => typed(t, world));
  await t.test('without a network nothing is lost, and what cannot be is not offered', (t) => offline(t, world));
  for (const look of EVERY_LOOK)
    await t.test(`everybody can use it: ${lookName(look)}`, (t) => everybody(t, world, look));
});

/** A browser in which somebody signs in by the button of a demo user. */
async function signedIn({ service, browser }: World, name: string, path = '/me', look: Look = {}) {
  const opened = await openPage(browser, `${service.dev.liveUrl}${path}`, look);
  await opened.page.getByRole('region', { name: 'Users of demo' }).getByRole('button', { name }).click();
  if (path === '/me') await opened.page.locator('main.me').waitFor();
  return opened;
}

const choice = (page: Page, group: string, name: string) =>
  page.getByRole('group', { name: group }).getByRole('radio', { name, exact: true });

/** Waits until the service knows all that was chosen. */
const sent = (page: Page): Promise<true> =>
  until('what was chosen is saved', 10_000, () =>
    page.evaluate<true | undefined>(`localStorage.getItem('innkeeper.unsaved-preferences') === null || undefined`),
  );

async function follows(t: Test, world: World): Promise<void> {
  const here = await signedIn(world, 'Mara');
  const profile = here.page.getByRole('region', { name: 'Profile' });
  await profile.getByText('demo-manager at').waitFor();
  await choice(here.page, 'First day of the week', 'Sunday').check();
  await choice(here.page, 'Appearance', 'Dark').check();
  t.equal(await here.page.evaluate('document.documentElement.dataset.theme'), 'dark', 'at once');
  await choice(here.page, 'Time', '12 hours').check();
  // Times of the sessions are written anew.
  await here.page.getByText(/used .*\b[AP]M/).waitFor();
  // The page loads anew in that language: a check would look for the choice in the old one.
  await choice(here.page, 'Language', 'Deutsch').click();
  await here.page.getByRole('heading', { name: 'Ihre Einstellungen' }).waitFor();
  t.ok(await choice(here.page, 'Erster Tag der Woche', 'Sonntag').isChecked());

  const there = await signedIn(world, 'Mara');
  await there.page.getByRole('heading', { name: 'Ihre Einstellungen' }).waitFor();
  t.equal(await there.page.evaluate('document.documentElement.dataset.theme'), 'dark');
  t.ok(await choice(there.page, 'Uhrzeit', '12 Stunden').isChecked());
  await there.page
    .getByText(/benutzt .*\bPM|benutzt .*\bAM/)
    .first()
    .waitFor();
  await there.page.goto(`${world.service.dev.liveUrl}/revenue`);
  const days = there.page.locator('.weekdays [aria-label]');
  await there.page.locator('td[aria-selected="true"]').first().waitFor();
  await there.page.locator('td[aria-selected="true"] button').first().focus();
  await there.page.keyboard.press('Shift+ArrowRight');
  await days.first().waitFor();
  t.equal(await days.first().getAttribute('aria-label'), 'Sonntag', 'the week begins as it was chosen');
  const starts = await there.page.locator('.days th.week-start .weekday').allTextContents();
  t.ok(starts.length > 1 && starts.slice(1).every((day) => day === 'So'), starts.join());

  const stranger = await signedIn(world, 'Vera');
  await stranger.page.getByRole('heading', { name: 'Your settings' }).waitFor();
  t.equal(await stranger.page.evaluate('document.documentElement.dataset.theme ?? ""'), '', 'and nobody else');
  for (const { page, complaints } of [here, there, stranger]) {
    t.strictSame(complaints, []);
    await page.context().close();
  }
}

async function signsOut(t: Test, world: World): Promise<void> {
  const here = await signedIn(world, 'Vera');
  const there = await signedIn(world, 'Vera', '/revenue');
  await there.page.locator('.connection[data-state="live"]').waitFor();
  await here.page.reload();
  const sessions = here.page.getByRole('region', { name: 'Where you are signed in' });
  await sessions.getByText('This browser').waitFor();
  const before = await sessions.getByRole('listitem').count();
  t.match(await sessions.getByRole('listitem').first().textContent(), /Chrome, Linux.*demo · signed in .* · used /);
  await sessions.getByText(/Signs \d browsers? out within 30 seconds/).waitFor();
  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await sessions.getByText(`${before - 1} browser`).waitFor();
  await sessions.getByText('You are signed in nowhere else.').waitFor();
  t.equal(await sessions.getByRole('listitem').count(), 1);
  await there.page.getByText('Your sign-in has ended').waitFor({ timeout: 35_000 });
  t.strictSame(here.complaints, []);
  await here.page.context().close();
  await there.page.context().close();
}

async function typed(t: Test, { service, browser }: World): Promise<void> {
  const open = async () => {
    const opened = await openPage(browser, `${service.dev.liveUrl}/me`);
    await signInWithToken(opened.page, service.token('demo', 'STAFF'));
    await opened.page.getByText('You used an access token, so this browser has no session').waitFor();
    return opened;
  };
  const here = await open();
  await here.page.getByText('You are signed in nowhere else.').waitFor();
  await choice(here.page, 'Density', 'Compact').check();
  await sent(here.page);
  const there = await open();
  t.ok(await choice(there.page, 'Density', 'Compact').isChecked());
  t.strictSame([...here.complaints, ...there.complaints], []);
  await here.page.context().close();
  await there.page.context().close();
}

async function offline(t: Test, world: World): Promise<void> {
  const { page } = await signedIn(world, 'Stefan');
  await page.getByText('This browser').waitFor();
  await page.context().setOffline(true);
  await page.getByRole('group', { name: 'Language' }).and(page.locator(':disabled')).waitFor();
  await choice(page, 'Appearance', 'Light').check();
  await page
    .getByText('Kept in this browser. It is saved for your other browsers once the service answers.')
    .waitFor();
  await page.context().setOffline(false);
  await sent(page);
  t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light');
  const there = await signedIn(world, 'Stefan');
  t.ok(await choice(there.page, 'Appearance', 'Light').isChecked(), 'it was sent once the network was back');
  await page.context().close();
  await there.page.context().close();
}

async function everybody(t: Test, world: World, look: Look): Promise<void> {
  const { page, complaints } = await signedIn(world, 'Adrian', '/desk', look);
  await page.getByRole('link', { name: 'Your settings' }).click();
  await page.getByRole('heading', { name: 'Your settings' }).waitFor();
  await page.getByText('This browser').waitFor();
  await checkWithAxe(t, page);
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  t.ok(wide <= 0, `${wide} px too wide`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('your settings');
  await page.getByRole('option', { name: 'Your settings' }).waitFor();
  await page.keyboard.press('Escape');
  await choice(page, 'Density', 'Comfortable').focus();
  await page.keyboard.press('ArrowRight');
  t.ok(await choice(page, 'Density', 'Compact').isChecked(), 'by the keyboard');
  await page.keyboard.press('ArrowLeft');
  if (process.env['OWN_SHOTS']) await page.screenshot({ path: `/tmp/me-${lookName(look)}.png`, fullPage: true });
  t.strictSame(complaints, []);
  await page.context().close();
}
