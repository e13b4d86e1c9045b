import type { Page } from 'playwright-core';
import t from 'tap';

import {
  browserFor,
  checkWithAxe,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';
import { until } from '../../test/blackbox/waiting.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);
const PATIENCE_MS = 10_000;

const ANA = {
  guestId: 'g-ana',
  firstName: 'Ana',
  lastName: 'Ruiz',
  email: 'ana@example.com',
  phone: null as string | null,
  preferences: { bedType: 'KING' },
  loyaltyMember: true,
  loyaltyTier: 'SILVER',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  version: 1,
  consent: null as { marketingByMail: boolean; at: string; by: string } | null,
  merged: [] as { guestId: string; firstName: string; lastName: string; email: string }[],
};

/** The same person with another address. */
const ANITA = { ...ANA, guestId: 'g-anita', firstName: 'Anita', email: 'anita@example.com', phone: '+34 600 1' };

const stay = (reservationId: string, status: string, checkIn: string, checkOut: string) => ({
  reservationId,
  status,
  confirmationNumber: 'ABCDEFGH23',
  propertyId: 'harbor-hotel',
  stayDetails: { checkIn, checkOut, roomType: 'DLX', roomNumber: 'TBA', adults: 2, children: 0 },
  financial: { totalAmount: 329, balanceDue: 29.5, currency: 'EUR' },
});

/** Answers of the guest endpoints; `calls` are the writes, and `refuse` lets the next of them fail. */
async function serveGuests(page: Page): Promise<{ calls: string[]; refuse: boolean; stale: boolean }> {
  const seen = { calls: [] as string[], refuse: false, stale: false };
  const notes: object[] = [];
  const profile = { ...ANA };
  const history = { reservations: 2, stays: 1, nights: 3, upcoming: 1, inHouse: 0, cancelled: 0, noShows: 0 };
  const loyalty = {
    tier: 'SILVER',
    nights: 6,
    since: '2026-01-01',
    days: 365,
    nextTier: 'GOLD',
    nightsToNextTier: 14,
  };
  const mergeOf = (dryRun: boolean) => ({
    guestId: 'g-ana',
    from: 'g-anita',
    dryRun,
    lines: [
      { field: 'email', surviving: ANA.email, other: ANITA.email, takes: 'SURVIVING' },
      { field: 'phone', surviving: null, other: ANITA.phone, takes: 'OTHER' },
    ],
    reservations: 5,
    nights: 12,
    tier: 'SILVER',
    notes: 1,
    guest: dryRun ? null : { ...profile, phone: ANITA.phone, merged: [ANITA], loyalty, history },
  });
  await page.route('**/api/v1/guests**', async (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    if (request.method() !== 'GET') {
      seen.calls.push(`${request.method()} ${pathname} ${request.postData() ?? ''}`);
      if (seen.refuse)
        return route.fulfill({ status: 409, json: { code: 'GUEST_IN_USE', detail: 'A stay is not over.' } });
      const body = request.postDataJSON() as { text?: string; from?: string; consent?: object };
      if (pathname.endsWith('/notes')) {
        notes.push({ noteId: 'n-1', text: body.text, by: 'eve', byName: 'Eve', at: ANA.createdAt, mayDelete: true });
        return route.fulfill({ status: 201, json: notes[0] });
      }
      if (pathname.endsWith('/merge')) return route.fulfill({ json: mergeOf(searchParams.has('dryRun')) });
      if (seen.stale) {
        seen.stale = false;
        Object.assign(profile, { phone: '+34 111', version: 2 });
        return route.fulfill({ status: 412, json: { code: 'STALE_VERSION', detail: 'It has changed.' } });
      }
      const { consent, ...rest } = body;
      Object.assign(
        profile,
        rest,
        consent && { consent: { ...consent, at: ANA.createdAt, by: 'u-1', byName: 'Eve' } },
      );
      return route.fulfill({ json: { ...profile, loyalty, history } });
    }
    if (pathname.endsWith('/reservations')) {
      const items = [
        stay('r-2', 'CONFIRMED', '2027-05-01', '2027-05-03'),
        stay('r-1', 'CHECKED_OUT', '2026-03-01', '2026-03-04'),
      ];
      return route.fulfill({ json: { items, nextCursor: null, leftOut: [] } });
    }
    if (pathname.endsWith('/notes')) return route.fulfill({ json: { items: notes, nextCursor: null } });
    if (pathname.endsWith('/export')) return route.fulfill({ json: { guest: profile } });
    if (pathname.endsWith('/g-ana')) return route.fulfill({ json: { ...profile, loyalty, history } });
    const words = searchParams.get('q') ?? '';
    const items = 'ana ruiz'.includes(words.toLowerCase()) ? [profile] : [];
    if (words === 'Ruiz') items.push(ANITA);
    return route.fulfill({ json: { items, nextCursor: null } });
  });
  return seen;
}

t.test('guests', pageTestOptions, async (t) => {
  const browser = await browserFor(t);
  const open = async (url: string, role: string, path = '/guests') => {
    const { page, complaints } = await openPage(browser, url + path);
    const seen = await serveGuests(page);
    await signInWithToken(page, `demo:${role}`);
    return { page, complaints, seen };
  };

  t.test('a guest is found by half a name, and the profile has stays past and to come', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await open(world.url, 'STAFF');
    const search = page.getByRole('searchbox', { name: 'Search guests' });
    await search.fill('nobody');
    await page.getByText('No guest has this in the name or e-mail address.').waitFor();
    await search.fill('rui');
    await page.waitForURL(/\?query=rui$/);
    await page.getByRole('link', { name: 'Ana Ruiz' }).click();
    await page.waitForURL(/\/guests\/g-ana$/);
    const toCome = page.getByRole('region', { name: 'Stays to come' });
    await toCome.getByRole('row').nth(1).waitFor();
    t.match(
      await toCome.getByRole('row').nth(1).textContent(),
      /Harbor HotelNo room yet, DLXConfirmed€329\.00€29\.50$/,
    );
    t.match(await toCome.getByRole('link').getAttribute('href'), /^\/desk\?property=harbor-hotel&.*stay=r-2$/);
    t.match(await page.getByRole('region', { name: 'Past stays' }).getByRole('row').nth(1).textContent(), /Left/);
    t.strictSame(await page.locator('.guest-head .verbs').getByRole('button').allTextContents(), ['Edit']);
    await checkWithAxe(t, page);
    await page.goBack();
    await page.getByRole('link', { name: 'Ana Ruiz' }).waitFor();
    t.equal(await search.inputValue(), 'rui', 'Back has what was searched for');
    t.strictSame(complaints, []);
  });

  t.test('a profile is edited, and what was typed stays when it is refused', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, seen } = await open(world.url, 'STAFF', '/guests/g-ana');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByText('Changes the profile.').waitFor();
    await page.getByLabel('Phone').fill('+34 600 000 000');
    seen.refuse = true;
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('A stay is not over.').waitFor();
    t.equal(await page.getByLabel('Phone').inputValue(), '+34 600 000 000');
    seen.refuse = false;
    await page.getByRole('button', { name: 'Save' }).dblclick();
    await page.getByRole('status').getByText('The profile is saved.').waitFor();
    await page.getByText('+34 600 000 000').waitFor();
    t.equal(seen.calls.length, 2, 'a double click acts once');
  });

  t.test('the second of two editors sees what the first has done, and what was typed stays', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, seen } = await open(world.url, 'STAFF', '/guests/g-ana?view=edit');
    const panel = page.getByRole('complementary', { name: 'Edit' });
    await panel.getByLabel('Last name').fill('Ruiz Mora');
    await panel.getByLabel('Marketing by mail').selectOption('Yes');
    seen.stale = true;
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Somebody else has just changed this profile.').waitFor();
    await page.locator('.guest-facts').getByText('+34 111').waitFor();
    t.equal(await panel.getByLabel('Last name').inputValue(), 'Ruiz Mora');
    t.equal(await panel.getByLabel('Marketing by mail').inputValue(), 'YES');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('The profile is saved.').waitFor();
    t.match(seen.calls[1], /"lastName":"Ruiz Mora".*"consent":\{"marketingByMail":true\}/);
  });

  t.test('a note is added by keyboard, once', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, seen } = await open(world.url, 'STAFF', '/guests/g-ana');
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByText('No notes about this guest.').waitFor();
    await notes.getByRole('button', { name: 'Add note' }).click();
    await page.keyboard.type('Likes the quiet side');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await notes.getByText('Likes the quiet side').first().waitFor();
    await notes.getByRole('button', { name: 'Delete the note of Eve' }).waitFor();
    t.equal(await notes.getByLabel('Note about the guest').inputValue(), '');
    t.equal(seen.calls.length, 1);
    await checkWithAxe(t, page);
  });

  t.test('a merge says what comes from which profile, and that nobody can undo it', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, seen } = await open(world.url, 'MANAGER', '/guests/g-ana');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Merge' }).click();
    const panel = page.getByRole('complementary', { name: 'Merge' });
    await panel.getByRole('button', { name: /Anita Ruiz/ }).focus();
    t.equal(await panel.getByRole('button', { name: /^Ana Ruiz/ }).count(), 0, 'a profile is not offered to itself');
    await page.keyboard.press('Enter');
    await panel
      .getByText('Ana Ruiz has 5 reservations then, 12 nights for loyalty (silver), and 1 more note.')
      .waitFor();
    await page.waitForURL(/view=merge&other=g-anita$/);
    const phone = panel.getByRole('row', { name: /^Phone/ });
    t.match(await phone.textContent(), /^Phone–\+34 600 1stays$/);
    await panel.getByText('Nobody can undo this.').waitFor();
    await checkWithAxe(t, page);
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is cut off at 390 px');
    await panel.getByRole('button', { name: 'Merge profiles' }).dblclick();
    await page.getByRole('status').getByText('The profiles are merged.').waitFor();
    await page.locator('.guest-facts').getByText('Anita Ruiz, anita@example.com').waitFor();
    t.equal(seen.calls.length, 2, 'a plan and a merge');
  });

  t.test('erasing says what goes, and asks for the name', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, seen } = await open(world.url, 'ADMIN', '/guests/g-ana?view=erase');
    const panel = page.getByRole('complementary', { name: 'Erase' });
    await panel.getByText(/^Removes name, contact data and wishes of Ana Ruiz .* 2 reservations/).waitFor();
    const erase = panel.getByRole('button', { name: 'Erase guest' });
    t.ok(await erase.isDisabled());
    await panel.getByLabel('Type Ana Ruiz to confirm').fill('Ana Ruis');
    await page.keyboard.press('Enter');
    t.ok(await erase.isDisabled());
    t.strictSame(seen.calls, []);
    await checkWithAxe(t, page);
    await panel.getByLabel('Type Ana Ruiz to confirm').fill('Ana Ruiz');
    await page.keyboard.press('Enter');
    await page.getByText('The guest is erased.').waitFor();
    t.match(seen.calls, [/^DELETE \/api\/v1\/guests\/g-ana /]);
    t.equal(await page.getByText('ana@example.com').count(), 0);
  });

  t.test('the export is a file, for managers; without a network the button says why it rests', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await open(world.url, 'MANAGER', '/guests/g-ana');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.context().setOffline(true);
    const save = page.getByRole('button', { name: 'Save file' });
    await until('it rests', PATIENCE_MS, async () => (await save.isDisabled()) || undefined);
    await page.getByText('Offline. Changes are possible once the connection is back.').waitFor();
    await page.context().setOffline(false);
    const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
    t.equal(file.suggestedFilename(), 'guest-g-ana.json');
    t.equal(await page.getByRole('button', { name: 'Erase' }).count(), 0, 'which an administrator does');
  });
});
