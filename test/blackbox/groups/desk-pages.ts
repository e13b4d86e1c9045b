import type { Page } from 'playwright-core';
import type { Test } from 'tap';

import { checkWithAxe, browserFor, type Look, pageTestOptions } from '../../../src/testing/live/page-browser.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import { barOf, hotel, openDesk, TOO_SMALL } from './front-desk.ts';

type Json = Record<string, unknown>;
type Role = 'MANAGER' | 'STAFF' | 'VIEWER';
type World = { service: Service; open: (property: BlackboxProperty, role?: Role, look?: Look) => Promise<Page> };

/** Further verbs of a stay, notes and messages in a browser, on the real services (docs/reference/desk.md#desk). */
export async function deskPages(group: Test, service: Service): Promise<void> {
  await group.test('further verbs of the desk', pageTestOptions, async (t) => {
    const browser = await browserFor(t);
    const open: World['open'] = async (property, role, look) => {
      const { page } = await openDesk(service, browser, property, role, look);
      return page;
    };
    const world = { service, open };
    await t.test('a no-show takes two clicks, says what it keeps, and is taken back', (t) => noShow(t, world));
    await t.test('a check-in of the wrong guest is undone', (t) => undo(t, world));
    await t.test('a guest is checked in with an upgrade in four clicks', (t) => upgrade(t, world));
    await t.test('a night is made complimentary, and charged again', (t) => comp(t, world));
    await t.test('who prepares a change sees what a colleague does meanwhile', (t) => together(t, world));
    await t.test('notes of a stay and of a shift appear at the other desk', (t) => notes(t, world));
    await t.test('history, messages and the profile of the guest', (t) => papers(t, world));
    for (const colorScheme of ['light', 'dark'] as const)
      await t.test(`everybody can use them: ${colorScheme}, 390`, (t) => everybody(t, world, colorScheme));
  });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function noShow(t: Test, { open, service }: World): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 }, pricedNights: 30 });
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Ada', lastName: 'Lovelace' } });
  const page = await open(property, 'MANAGER');
  await barOf(page, reservationId).click();
  await button(page, 'Mark no-show').click();
  await page.locator('.outcome').getByText('€100.00').first().waitFor();
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' }, 'only said');
  await button(page, 'Mark no-show').click();
  await page.getByRole('status').getByText('Ada Lovelace is marked a no-show, €100.00 kept.').waitFor();
  t.match((await property.read(reservationId)).json, { status: 'NO_SHOW', financial: { totalAmount: 100 } });
  await button(page, 'Waive penalty').click();
  await page.getByLabel('Amount').fill('40');
  await page.getByLabel('Reason').fill('A strike');
  await page.locator('.outcome').getByText('€60.00').waitFor();
  await button(page, 'Waive penalty').click();
  await page.getByText('€40.00 of the penalty of Ada Lovelace waived.').first().waitFor();
  await button(page, 'Reinstate').click();
  await page.getByLabel('Reason').fill('Came after all');
  await page.keyboard.press('Tab');
  await page.locator('.outcome').waitFor();
  await button(page, 'Reinstate').click();
  await page.getByText('The reservation of Ada Lovelace is reinstated.').first().waitFor();
}

async function undo(t: Test, { open, service }: World): Promise<void> {
  const property = await hotel(service);
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Grace', lastName: 'Hopper' } });
  const body = { identificationVerified: true };
  must(await service.reservations('POST', `/${reservationId}/checkin`, { body }), 200);
  const page = await open(property);
  await barOf(page, reservationId).click();
  for (const name of ['Move room', 'Change dates…', 'Take payment', 'Undo check-in']) {
    await button(page, name).click();
    await page.locator('.drawer form :focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.drawer button:focus').getByText(name, { exact: true }).waitFor();
  }
  await button(page, 'Undo check-in').click();
  await page
    .locator('.outcome')
    .getByText(/^10\d is empty, (?!dirty)/)
    .waitFor();
  await page.getByLabel('The guest was in the room').check();
  await page
    .locator('.outcome')
    .getByText(/^10\d is empty, dirty/)
    .waitFor();
  await button(page, 'Undo check-in').click();
  await page.getByText('The check-in of Grace Hopper is undone.').first().waitFor();
  await button(page, 'Check in').waitFor();
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
}

async function upgrade(t: Test, { open, service }: World): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { STD: 2, DLX: 2 }, pricedNights: 30 });
  must(await property.price('DLX', 0, 20, 150), 200);
  for (const [roomNumber, roomType] of [
    ['101', 'STD'],
    ['201', 'DLX'],
  ] as const) {
    const body = { roomNumber, roomType, floor: Number(roomNumber[0]) };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
  }
  const guest = { firstName: 'Mary', lastName: 'Keller' };
  const { reservationId } = await property.booked({ from: 0, roomType: 'STD', guest });
  const page = await open(property);
  await page.locator('.day-lists li > button:not(.mark-late)', { hasText: 'Mary Keller' }).click();
  await button(page, 'Upgrade').click();
  await page.locator('.outcome').getByText('STD → DLX').waitFor();
  const surcharge = page.getByLabel('Surcharge per night');
  await surcharge.fill('12,50');
  await page.locator('.outcome').getByText('€25.00').waitFor();
  await surcharge.fill('0');
  await page.locator('.outcome').getByText('None: a free upgrade').waitFor();
  await page.getByLabel('ID checked: check in now').check();
  await button(page, 'Upgrade and check in').click();
  await page.getByText('Mary Keller is upgraded and checked in, room 201.').first().waitFor();
  const { json } = await property.read(reservationId);
  t.match(json, { status: 'CHECKED_IN', bookedRoomType: 'STD', financial: { totalAmount: 200 } });
}

async function comp(t: Test, { open, service }: World): Promise<void> {
  const property = await hotel(service);
  const { reservationId } = await property.booked({ from: 1, guest: { firstName: 'Joan', lastName: 'Clarke' } });
  const page = await open(property, 'MANAGER');
  await barOf(page, reservationId).click();
  await button(page, 'Complimentary nights').click();
  await page.getByRole('combobox', { name: 'Nights' }).selectOption(property.day(1));
  await page.getByLabel('Reason').fill('Noise');
  await page.locator('.outcome').getByText('€200.00 → €100.00').waitFor();
  await button(page, 'Complimentary nights').click();
  await page.getByText('1 night of Joan Clarke complimentary.').first().waitFor();
  await button(page, 'Charge nights again').click();
  await page.locator('.outcome').getByText('€100.00 → €200.00').waitFor();
  await page.getByLabel('Reason').fill('A mistake');
  await page.locator('.outcome').waitFor();
  await button(page, 'Charge nights again').click();
  await page.getByText('The nights of Joan Clarke are charged again.').first().waitFor();
  t.match((await property.read(reservationId)).json, { financial: { totalAmount: 200 } });
}

async function together(t: Test, { open, service }: World): Promise<void> {
  const property = await hotel(service);
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Hedy', lastName: 'Lamarr' } });
  const page = await open(property, 'MANAGER');
  await barOf(page, reservationId).click();
  await button(page, 'Mark no-show').click();
  await page.locator('.outcome').getByText('2 nights on sale again').waitFor();
  const body = { modifications: { stayDetails: { nights: 3 } }, modifiedBy: 'desk', reason: 'asked at the desk' };
  must(await service.reservations('PUT', `/${reservationId}`, { body }), 200);
  await page.getByText('Somebody else has just changed this stay.').waitFor();
  await page.locator('.outcome').getByText('3 nights on sale again').waitFor();
  await button(page, 'Not now').click();
  await button(page, 'Cancel…').click();
  await page.locator('.outcome').getByText('3 nights are sold again').waitFor();
  const shorter = { ...body, modifications: { stayDetails: { nights: 2 } } };
  must(await service.reservations('PUT', `/${reservationId}`, { body: shorter }), 200);
  await page.getByText('Somebody else has just changed this stay.').waitFor();
  await page.locator('.outcome').getByText('2 nights are sold again').waitFor();
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
}

async function notes(t: Test, { open, service }: World): Promise<void> {
  const property = await hotel(service);
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Ida', lastName: 'Rhodes' } });
  const [mine, theirs] = [await open(property, 'MANAGER'), await open(property, 'STAFF')];
  for (const page of [mine, theirs]) await barOf(page, reservationId).click();
  await button(mine, 'Add note').click();
  await mine.keyboard.type('Wants a cot');
  await button(mine, 'Add note').click();
  await mine.locator('.note-list').getByText('Wants a cot').waitFor();
  await theirs.locator('.note-list').getByText('Wants a cot').waitFor();
  t.equal(await theirs.getByRole('button', { name: /^Delete the note/ }).count(), 0, 'of somebody else');
  await theirs.getByLabel('Note for staff').fill('Typed, and not saved');
  await theirs.getByRole('button', { name: 'Close', exact: true }).click();
  await barOf(theirs, reservationId).click();
  t.equal(await theirs.getByLabel('Note for staff').inputValue(), 'Typed, and not saved');
  await mine.getByRole('button', { name: /^Delete the note/ }).click();
  await mine.getByText('The note goes for everybody').waitFor();
  t.equal(await mine.locator('.note-list').getByText('Wants a cot').count(), 1, 'only said');
  await button(mine, 'Delete note').click();
  await theirs.getByText('No notes.').waitFor();

  await mine.getByText('Hand-over notes').click();
  await mine.getByLabel('Note to the next shift').fill('The safe of 204 sticks');
  await mine.keyboard.press('Control+Enter');
  const left = theirs.getByRole('checkbox', { name: 'Done: The safe of 204 sticks' });
  await left.waitFor();
  // Not `check()`: what is shown as done is what the service has answered.
  await left.click();
  await mine.getByText(/done by/).waitFor();
  t.ok(await mine.getByRole('checkbox', { name: 'Done: The safe of 204 sticks' }).isChecked());
  const audit = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${reservationId}`;
  t.match(must(await service.call<Json>('GET', audit, { role: 'ADMIN' }), 200).text, 'RECORD_NOTE');
}

async function papers(t: Test, { open, service }: World): Promise<void> {
  const property = await hotel(service);
  const guest = { firstName: 'Radia', lastName: 'Perlman' };
  const { reservationId, guestInfo } = await property.booked({ from: 2, guest });
  const page = await open(property);
  await barOf(page, reservationId).click();
  await page.getByText('first stay').waitFor();
  const { guestId } = guestInfo as unknown as { guestId: string };
  t.equal(await page.getByRole('link', { name: 'Guest profile' }).getAttribute('href'), `/guests/${guestId}`);
  await page.getByText('History', { exact: true }).click();
  await page.getByText(/^Booked by /).waitFor();
  await page.getByText('Messages', { exact: true }).click();
  await page.getByText('Confirmation, mail').waitFor();
  const viewer = await open(property, 'VIEWER');
  await barOf(viewer, reservationId).click();
  await viewer.getByText('History', { exact: true }).waitFor();
  t.equal(await viewer.getByText('Notes', { exact: true }).count(), 0, 'a VIEWER reads no notes');
  t.equal(await viewer.getByText('Hand-over notes').count(), 0);
}

async function everybody(t: Test, { open, service }: World, colorScheme: 'light' | 'dark'): Promise<void> {
  const property = await hotel(service);
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Mary', lastName: 'Keller' } });
  const body = { text: 'Wants a cot' };
  must(await service.reservations('POST', `/${reservationId}/notes`, { body, role: 'STAFF' }), 201);
  must(await service.tenants('POST', `/properties/${property.propertyId}/shift-notes`, { body }), 201);
  const page = await open(property, 'MANAGER', { colorScheme, viewport: { width: 390, height: 844 } });
  await page.getByText('Hand-over notes').waitFor();
  await checkWithAxe(t, page);
  await page.locator('.day-lists li > button:not(.mark-late)', { hasText: 'Mary Keller' }).click();
  await page.locator('.note-list').getByText('Wants a cot').first().waitFor();
  await page.getByText('History', { exact: true }).click();
  await page.getByText(/^Booked by /).waitFor();
  await button(page, 'Upgrade').click();
  const surcharge = page.getByLabel('Surcharge per night');
  await surcharge.fill('1,250');
  await page.getByText('1,250 can be read in two ways.').waitFor();
  await checkWithAxe(t, page);
  t.strictSame(await page.evaluate<string[]>(TOO_SMALL), [], 'every target has 24 pixels each way');
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  t.ok(overflow <= 0, 'the page itself never scrolls sideways');
}
