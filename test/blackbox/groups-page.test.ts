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
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import { sharedPages } from './shared-pages.ts';

t.setTimeout(PAGE_FILE_MS);

const WIDE: Look = { viewport: { width: 1440, height: 900 } };
type World = { service: Service; browser: Browser };
type GroupAnswer = {
  groupId: string;
  blocks: { roomType: string; date: string; rooms: number; pickedUp: number }[];
  totals: { rooms: number; pickedUp: number };
};

/** Groups in the browser, on the real services. */
void t.test('groups in the browser', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const world: World = { service, browser };
  await t.test('twenty guests from a spreadsheet within ten clicks', (t) => twenty(t, world));
  await t.test('rubbish is refused line by line, and nothing that was pasted is lost', (t) => rubbish(t, world));
  await t.test('what is not picked up is released, and nobody overwrites a colleague', (t) => releases(t, world));
  await t.test('a group is a night longer and has another contact, and nobody overwrites a colleague', (t) =>
    edits(t, world),
  );
  await t.test('who may do what, and what cannot be blocked', (t) => roles(t, world));
  for (const look of EVERY_LOOK)
    await t.test(`everybody can use it: ${lookName(look)}`, (t) => everybody(t, world, look));
});

async function twenty(t: Test, world: World): Promise<void> {
  const property = await BlackboxProperty.open(world.service, { rooms: { STD: 30, DLX: 5 } });
  const { page, complaints } = await open(world, property);
  let clicks = 0;
  const click = async (what: Locator): Promise<void> => {
    clicks += 1;
    await what.click();
  };
  await click(page.getByRole('button', { name: 'New group' }));
  const form = page.getByRole('complementary', { name: 'New group' });
  await form.getByLabel('Name of the group').waitFor();
  await page.keyboard.type('Rowing club');
  await form.getByLabel('Arrival').fill(property.day(40));
  await form.getByLabel('Departure').fill(property.day(43));
  await click(form.getByLabel('Rooms a night, Type STD'));
  await page.keyboard.type('20');
  await page.keyboard.press('Tab');
  await page.keyboard.type('89,50');
  await form.getByText('60 room nights leave general sale until').waitFor();
  t.match(await form.getByRole('status').textContent(), /worth €5,370\.00/);
  await click(form.getByRole('button', { name: 'Create group' }));
  await page.getByRole('heading', { name: 'Rowing club' }).waitFor();
  t.match(page.url(), /\/groups\/[0-9a-f-]{36}\?property=/);
  t.same(await property.left(40, 3, 'STD'), [10, 10, 10]);

  await click(page.getByRole('button', { name: 'Rooming list' }));
  const panel = page.getByRole('complementary', { name: 'Rooming list' });
  const paste = panel.getByLabel('Paste from a spreadsheet');
  await paste.waitFor();
  const guests = Array.from({ length: 20 }, (_, n) => `Guest${n}\tRower\trower${n}@example.com`);
  await paste.fill(`First name\tLast name\tE-mail\n${guests.join('\n')}\n`);
  await panel.getByText('20 rooms are booked, all or none, for €').waitFor();
  t.equal(await panel.getByText('Fits').count(), 20, 'a verdict for each line');
  await click(panel.getByRole('button', { name: 'Book 20 rooms' }));
  await panel.getByRole('list', { name: 'Booked rooms' }).getByText('Guest19 Rower').waitFor();
  const table = page.getByRole('table', { name: 'Pickup by night' });
  await table.getByText('20 of 20').first().waitFor();
  t.equal(await table.getByText('20 of 20').count(), 3);
  t.ok(clicks <= 10, `${clicks} clicks`);
  await page.goto(`${world.service.dev.liveUrl}/groups?property=${property.propertyId}`);
  await page
    .getByRole('row', { name: /Rowing club.*60 of 60/ })
    .getByRole('link')
    .click();
  await table.waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Groups' }).waitFor();
  t.strictSame(complaints, []);
}

async function rubbish(t: Test, world: World): Promise<void> {
  const { property, group } = await withGroup(world);
  const { page } = await open(world, property, `/groups/${group.groupId}?property=${property.propertyId}`);
  await page.getByRole('button', { name: 'Rooming list' }).click();
  const panel = page.getByRole('complementary', { name: 'Rooming list' });
  const paste = panel.getByLabel('Paste from a spreadsheet');
  await paste.fill('Ada,King,ada@example.com,STD,,,2\n<html>\nSam,King,,NONE,someday\nKim,King,,STD,,,1');
  await panel.getByText('2 of 4 lines do not fit. Nothing is booked').waitFor();
  t.equal(await panel.getByText(/^.?Does not fit/).count(), 2);
  t.match(await panel.getByRole('row', { name: /^3 Sam King/ }).textContent(), /Does not fit: .*checkIn/);
  t.equal(await panel.getByRole('button', { name: 'Book 4 rooms' }).isEnabled(), false);
  await page.evaluate(`sessionStorage.removeItem('innkeeper.signed-in')`);
  await page.reload();
  await signInWithToken(page, world.service.token('demo', 'MANAGER'));
  await panel.getByText('2 of 4 lines do not fit').waitFor();
  t.match(await paste.inputValue(), /<html>/, 'it is there after another sign-in');
  await panel.getByLabel('Or choose a file (CSV)').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('lastName,firstName\r\nKing,Ada\r\nKing,Sam\r\n'),
  });
  await panel.getByText('2 rooms are booked, all or none').waitFor();
  // A colleague books the last rooms of the block meanwhile.
  const rows = [1, 2, 3, 4].map((n) => ({
    firstName: `N${n}`,
    lastName: 'First',
    roomType: 'STD',
    adults: 1,
    checkIn: property.day(10),
    checkOut: property.day(12),
  }));
  must(await world.service.reservations('POST', `/groups/${group.groupId}/rooming-list`, { body: { rows } }), 201);
  await panel.getByRole('button', { name: 'Book 2 rooms' }).click();
  await panel.getByText('1 of 2 lines does not fit').or(panel.getByText('1 of 2 lines do not fit')).waitFor();
  t.match(await read(world, group.groupId), { totals: { pickedUp: 8 } }, 'all or none');
}

async function releases(t: Test, world: World): Promise<void> {
  const { property, group } = await withGroup(world);
  const book = (firstName: string) =>
    property.book({ from: 10, nights: 1, roomType: 'STD', guest: { firstName }, more: { groupId: group.groupId } });
  must(await book('Ada'), 201);
  const address = `/groups/${group.groupId}?property=${property.propertyId}`;
  const { page } = await open(world, property, address);
  await page.getByText('1 of 5').first().waitFor();
  must(await book('Sam'), 201);
  await page.getByText('2 of 5').first().waitFor();
  await page.getByRole('button', { name: 'Release' }).click();
  const panel = page.getByRole('complementary', { name: 'Release' });
  await panel.getByText('8 room nights return to sale. What is picked up stays.').waitFor();
  // Between the read and the change: the page is shown an older group.
  let isFirst = true;
  await page.route(`**/reservations/groups/${group.groupId}`, async (route) => {
    if (isFirst && route.request().method() === 'GET') {
      isFirst = false;
      must(await book('Kim'), 201);
    }
    await route.continue();
  });
  await panel.getByRole('button', { name: 'Release now' }).click();
  await panel.getByText('The group has changed meanwhile.').waitFor();
  await panel.getByText('7 room nights return to sale.').waitFor();
  await panel.getByRole('button', { name: 'Release now' }).click();
  await page.getByRole('status').getByText('7 room nights are on sale again.').first().waitFor();
  t.match(await read(world, group.groupId), { blocks: [{ rooms: 3, pickedUp: 3 }], totals: { rooms: 3 } });
  t.same(await property.left(10, 2, 'STD'), [5, 8]);

  const { group: other, property: second } = await withGroup(world);
  await page.goto(`${world.service.dev.liveUrl}/groups/${other.groupId}?property=${second.propertyId}`);
  await page.getByRole('button', { name: 'Release' }).click();
  await panel.getByText('Nothing is picked up: 10 room nights return to sale, and the group is deleted.').waitFor();
  await panel.getByRole('button', { name: 'Release now' }).click();
  await page
    .getByText('No group has nights to come.')
    .or(page.getByText('10 room nights are on sale'))
    .first()
    .waitFor();
  t.same(await second.left(10, 2, 'STD'), [8, 8]);
}

async function edits(t: Test, world: World): Promise<void> {
  const { property, group } = await withGroup(world);
  const { page, complaints } = await open(
    world,
    property,
    `/groups/${group.groupId}?property=${property.propertyId}`,
  );
  await page.getByRole('button', { name: 'Edit' }).click();
  const panel = page.getByRole('complementary', { name: 'Edit group' });
  await panel.getByText('10 room nights in the block, as many as now, worth €800.00 without taxes.').waitFor();
  await panel.getByLabel('Name of the group').fill('Choir of Lisbon');
  await panel.getByLabel('Departure').fill(property.day(13));
  await panel.getByText('15 room nights in the block, +5 against now').waitFor();
  const rooms = panel.locator('table.blocks tbody tr').nth(2).getByRole('spinbutton');
  t.equal(await rooms.inputValue(), '5', 'a night that is new is like the one before');
  await rooms.fill('3');
  await panel.getByText('Contact', { exact: true }).click();
  await panel.getByLabel('Contact, first name').fill('Percy');
  // A colleague is faster.
  must(
    await property.book({
      from: 10,
      nights: 1,
      roomType: 'STD',
      guest: { firstName: 'Ada' },
      more: { groupId: group.groupId },
    }),
    201,
  );
  await page.getByText('1 of 5').first().waitFor();
  await panel.getByRole('button', { name: 'Save group' }).click();
  await panel.getByText('The group has changed meanwhile. What you typed stays').waitFor();
  t.equal(await panel.getByLabel('Name of the group').inputValue(), 'Choir of Lisbon');
  await panel.getByRole('button', { name: 'Save group' }).click();
  await page.getByRole('status').getByText('Choir of Lisbon is changed.').first().waitFor();
  t.match(await read(world, group.groupId), {
    name: 'Choir of Lisbon',
    contact: { firstName: 'Percy', lastName: 'Shelley' },
    blocks: [{ rooms: 5, pickedUp: 1 }, { rooms: 5 }, { rooms: 3, rate: 80, date: property.day(12) }],
  });
  t.same(await property.left(10, 3, 'STD'), [3, 3, 5]);
  await page.getByRole('button', { name: 'Edit' }).click();
  await panel.locator('table.blocks tbody tr').first().getByRole('spinbutton').fill('');
  await panel.getByRole('button', { name: 'Save group' }).click();
  await panel
    .getByRole('alert')
    .getByText(/picked up/)
    .waitFor();
  t.strictSame(complaints.length, 1, 'the refused one alone');
}

async function roles(t: Test, world: World): Promise<void> {
  const { property, group } = await withGroup(world);
  const staff = await open(world, property, `/groups/${group.groupId}?property=${property.propertyId}`, 'STAFF');
  await staff.page.getByRole('button', { name: 'Rooming list' }).waitFor();
  t.equal(await staff.page.getByRole('button', { name: 'Release' }).count(), 0);
  const viewer = await open(world, property, `/groups?property=${property.propertyId}`, 'VIEWER');
  await viewer.page.getByRole('link', { name: 'Choir' }).waitFor();
  t.equal(await viewer.page.getByRole('button', { name: 'New group' }).count(), 0);

  const { page } = await open(world, property, `/groups?property=${property.propertyId}&view=new`);
  const form = page.getByRole('complementary', { name: 'New group' });
  await form.getByLabel('Name of the group').fill('Too many');
  await form.getByLabel('Arrival').fill(property.day(10));
  await form.getByLabel('Rooms a night, Type STD').fill('7');
  await form.getByLabel('Rate, Type STD').fill('50');
  await form.getByRole('button', { name: 'Create group' }).click();
  await form.getByText(/^On .* fewer STD rooms are free than that/).waitFor();
  t.equal(await form.getByLabel('Name of the group').inputValue(), 'Too many');
  await form.getByText('Other numbers on single nights').click();
  await form
    .getByLabel(/^Type STD on/)
    .first()
    .fill('2');
  await form
    .getByLabel(/^Type STD on/)
    .nth(1)
    .fill('3');
  await form.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('heading', { name: 'Too many' }).waitFor();
  t.same(await property.left(10, 2, 'STD'), [1, 0]);
}

async function everybody(t: Test, world: World, look: Look): Promise<void> {
  const { property, group } = await withGroup(world);
  const { page } = await open(world, property, `/groups?property=${property.propertyId}`, 'MANAGER', look);
  await page.getByRole('link', { name: 'Choir' }).waitFor();
  await checkWithAxe(t, page);
  await page.getByRole('button', { name: 'New group' }).click();
  await page.getByLabel('Rooms a night, Type STD').fill('2');
  await page.getByText('Other numbers on single nights').click();
  await page.getByText('Terms and contact').click();
  await checkWithAxe(t, page);
  await page.goto(`${world.service.dev.liveUrl}/groups/${group.groupId}?property=${property.propertyId}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByText('10 room nights in the block').waitFor();
  await checkWithAxe(t, page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Rooming list' }).click();
  await page.getByLabel('Paste from a spreadsheet').fill('Ada,King\nrubbish');
  await page.getByText('1 of 2 lines').waitFor();
  await checkWithAxe(t, page);
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  t.ok(overflow <= 0, 'the page itself never scrolls sideways');
}

/** A property with 8 rooms of type STD, five of which a choir has for two nights. */
async function withGroup({ service }: World): Promise<{ property: BlackboxProperty; group: GroupAnswer }> {
  const property = await BlackboxProperty.open(service, { rooms: { STD: 8 }, policies: { paymentRequired: false } });
  const blocks = [10, 11].map((n) => ({ roomType: 'STD', date: property.day(n), rooms: 5, rate: 80 }));
  const contact = { firstName: 'Mary', lastName: 'Shelley', email: 'mary@example.com' };
  const body = { propertyId: property.propertyId, name: 'Choir', cutoffDate: property.day(5), blocks, contact };
  return {
    property,
    group: must(await service.reservations<GroupAnswer>('POST', '/groups', { role: 'MANAGER', body }), 201).json,
  };
}

async function read({ service }: World, id: string): Promise<GroupAnswer> {
  return must(await service.reservations<GroupAnswer>('GET', `/groups/${id}`), 200).json;
}

async function open(
  { service, browser }: World,
  property: BlackboxProperty,
  path = '/groups',
  role: 'MANAGER' | 'STAFF' | 'VIEWER' = 'MANAGER',
  look: Look = WIDE,
): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser, service.dev.liveUrl + path, look);
  opened.page.setDefaultTimeout(30_000);
  await signInWithToken(opened.page, service.token('demo', role));
  await opened.page.getByRole('combobox', { name: 'Property' }).selectOption(property.propertyId);
  return opened;
}
