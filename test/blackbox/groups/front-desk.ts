import type { Browser, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';

import { worstContrast } from '../../../src/testing/live/contrast.ts';
import { EVERY_LOOK, lookName } from '../../../src/testing/live/looks.ts';
import {
  checkWithAxe,
  browserFor,
  type Look,
  openPage,
  pageTestOptions,
  signInWithToken,
} from '../../../src/testing/live/page-browser.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

const READ =
  '.bar-button span, .room *, .tab *, .day-lists li *, .todo-legend li, .tape-days *, .tape-type *, .drawer *';
/** Things to click that are too small (WCAG 2.2, 2.5.8), as a text that runs in the page. */
export const TOO_SMALL = `[...document.querySelectorAll('button, select, input:not([type=radio]), a')]
  .filter((one) => one.checkVisibility())
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width < 24 || height < 24; })
  .map((one) => one.textContent + ' ' + one.className)`;
/** Notes what a room and a stay say of themselves whenever anything changes, as a text that runs in the page. */
const WATCH = `(room, stay) => {
  const seen = (globalThis.seenTogether = new Set());
  const look = () => {
    const status = document.querySelector('[data-room="' + room + '"] .room')?.dataset.status;
    const task = document.querySelector('.tape [data-stay="' + stay + '"]')?.dataset.task;
    seen.add(status + ' ' + task);
  };
  look();
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}`;
const ROOMS = ['101', '102', '103', '104'];

/** The front desk in a browser, on the real services. */
export async function frontDesk(group: Test, service: Service): Promise<void> {
  await group.test('the front desk', pageTestOptions, async (t) => {
    const browser = await browserFor(t);
    const world: World = {
      open: (property, role, look) => openDesk(service, browser, property, role, look),
      set: (property, room, status) => setStatus(service, property, room, status),
      assign: async (id, roomNumber) =>
        void must(await service.reservations('PUT', `/${id}/room`, { body: { roomNumber } }), 200),
      hotel: () => hotel(service),
      service,
    };
    await t.test('bookings come and go without a reload, and counts with them', (t) => live(t, world));
    await t.test('a guest is checked in with the keyboard alone', (t) => checkInByKeys(t, world));
    await t.test('a stay is moved by the keyboard alone, by a click, and by a drag', (t) => moves(t, world));
    await t.test('a cancel says first what it costs', (t) => cancels(t, world));
    await t.test('a guest is walked to the hotel that was typed, and to no other', (t) => walks(t, world));
    await t.test('what is refused is explained, and what to do about it can be done', (t) => errors(t, world));
    await t.test('a guest who owes pays at the desk and leaves', (t) => leaves(t, world));
    await t.test('nights that are sold too often have a lane of their own, and a viewer only looks', (t) =>
      looks(t, world),
    );
    await t.test('a maintenance is planned and ended at its room', (t) => maintains(t, world));
    await t.test('a room is cleaned and inspected at its task', (t) => cleans(t, world));
    for (const look of EVERY_LOOK)
      await t.test(`everybody can use it: ${lookName(look)}`, (t) => everybody(t, world, look));
  });
}

type World = {
  open(
    property: BlackboxProperty,
    role?: 'MANAGER' | 'STAFF' | 'VIEWER',
    look?: Look,
  ): Promise<{ page: Page; complaints: string[] }>;
  set(property: BlackboxProperty, roomNumber: string, status: string): Promise<void>;
  assign(reservationId: string, roomNumber: string): Promise<void>;
  hotel(): Promise<BlackboxProperty>;
  service: Service;
};

async function live(t: Test, { open, hotel: build, service }: World): Promise<void> {
  const property = await build();
  const { page, complaints } = await open(property);
  await page.getByText('0 of 0 arrived').waitFor();
  const first = await property.booked({ from: 0, nights: 3, guest: { firstName: 'Hedy', lastName: 'Lamarr' } });
  const bar = barOf(page, first.reservationId);
  await bar.waitFor();
  t.match(await bar.getAttribute('aria-label'), /^Hedy Lamarr, Arrives, no room, no room yet/);
  await page.getByText('0 of 1 arrived').waitFor();
  const body = { modifications: { stayDetails: { nights: 5 } }, modifiedBy: 'desk', reason: 'asked at the desk' };
  const width = async (): Promise<number> => (await bar.boundingBox())?.width ?? 0;
  const before = await width();
  must(await service.reservations('PUT', `/${first.reservationId}`, { body }), 200);
  await page.locator(`[data-stay="${first.reservationId}"][aria-label*="${dayOf(property.day(5))}"]`).waitFor();
  t.ok((await width()) > before * 1.5, 'a longer stay has a longer bar');
  await page.getByRole('searchbox').fill(first.confirmationNumber.slice(0, 6));
  await page.getByText('1 stay found').waitFor();
  await page.getByRole('searchbox').fill('');
  must(await service.reservations('DELETE', `/${first.reservationId}`, { body: {} }), 200);
  await bar.waitFor({ state: 'detached' });
  await page.getByText('0 of 0 arrived').waitFor();
  t.strictSame(complaints, [], 'no errors, and nothing that the policy forbids');
}

async function checkInByKeys(t: Test, { open, assign, hotel: build }: World): Promise<void> {
  const property = await build();
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Ada', lastName: 'Lovelace' } });
  await assign(reservationId, '102');
  const { page } = await open(property);
  await barOf(page, reservationId).waitFor();
  await page.evaluate(`(${WATCH})('102', '${reservationId}')`);
  await tabUntil(page, '[data-item]');
  t.equal(await page.locator('[data-item][tabindex="0"]').count(), 1, 'the chart is one stop of the Tab key');
  for (let n = 0; n < 8 && !(await hasFocus(page, `[data-stay="${reservationId}"]`)); n++)
    await page.keyboard.press(n % 2 ? 'ArrowRight' : 'ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Ada Lovelace' });
  await dialog.getByRole('button', { name: 'Check in' }).waitFor();
  await tabUntil(page, '.steps-of-stay .primary');
  await page.keyboard.press('Enter');
  await dialog.getByText('What would happen').waitFor();
  t.match(await dialog.locator('.outcome').textContent(), /^Room102, DLX/);
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' }, 'nothing has happened yet');
  await focusOn(page, '.check input');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Ada Lovelace is checked in, room 102.').waitFor();
  t.match((await property.read(reservationId)).json, { status: 'CHECKED_IN' });
  await page.getByText('1 of 1 arrived').waitFor();
  await page.locator(`[data-room="102"] [data-status="OCCUPIED"]`).waitFor();
  const seen = await page.evaluate<string[]>('[...globalThis.seenTogether]');
  t.same(seen, ['AVAILABLE arrives-ready', 'OCCUPIED in-house'], 'room and stay change in one moment');
  await page.keyboard.press('Escape');
  await focusOn(page, `[data-stay="${reservationId}"]`);
}

async function moves(t: Test, { open, assign, hotel: build }: World): Promise<void> {
  const property = await build();
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Grace', lastName: 'Hopper' } });
  await assign(reservationId, '101');
  const { page } = await open(property);
  const bar = barOf(page, reservationId);
  const inRoom = (room: string) => page.locator(`[data-room="${room}"] [data-stay="${reservationId}"]`).waitFor();
  await bar.focus();
  for (const key of ['m', 'ArrowDown', 'Escape']) await page.keyboard.press(key);
  await inRoom('101');
  t.equal(await page.locator('[data-target]').count(), 0, 'put back');
  for (const key of ['m', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await page.getByRole('status').getByText('Room 103, DLX, free, ready.').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.outcome').getByText('103, DLX').waitFor();
  await inRoom('101');
  await focusOn(page, '.confirm-form .primary');
  await page.keyboard.press('Enter');
  await inRoom('103');
  await page.getByRole('status').getByText('Grace Hopper has room 103.').waitFor();

  await page.getByRole('button', { name: 'Move room' }).click();
  await page.getByRole('button', { name: 'Choose in the chart' }).click();
  await page.locator('[data-room="102"] .track').click();
  await page.getByRole('button', { name: 'Give this room' }).click();
  await inRoom('102');

  await page.getByRole('button', { name: 'Close' }).click();
  await bar.hover();
  await page.mouse.down();
  const over = await page.locator('[data-room="104"] .track').boundingBox();
  await page.mouse.move((over?.x ?? 0) + 40, (over?.y ?? 0) + 12, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Give this room' }).click();
  await inRoom('104');
}

/** An answer that comes while somebody types takes nothing out of the hand. */
async function walks(t: Test, { open, hotel: build }: World): Promise<void> {
  const property = await build();
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Emmy', lastName: 'Noether' } });
  const { page } = await open(property, 'MANAGER');
  await barOf(page, reservationId).click();
  const dialog = page.getByRole('dialog', { name: 'Emmy Noether' });
  await dialog.getByRole('button', { name: 'Send to another hotel…' }).click();
  const send = dialog.getByRole('button', { name: 'Send the guest there' });
  const [hotel, compensation, reason] = ['Other hotel', 'Compensation', 'Reason'].map((name) =>
    dialog.getByLabel(name),
  ) as [Locator, Locator, Locator];
  await hotel.fill('Hotel A');
  await reason.fill('A burst pipe');
  await compensation.fill('12.345');
  await hotel.click();
  t.equal(await page.locator('input:invalid').count(), 1, 'half cents are refused before they are sent');
  await compensation.fill('');
  await compensation.pressSequentially('50,00');
  await hotel.click({ clickCount: 3 });
  await send.waitFor();
  await page.keyboard.type('Harbour View Hotel', { delay: 40 });
  t.equal(await hotel.inputValue(), 'Harbour View Hotel', 'every key went to the field');
  t.equal(await send.count(), 0, 'what was tried is no longer so');
  await page.keyboard.press('Tab');
  await send.waitFor();
  t.notOk(await hasFocus(page, '.primary'), 'nobody is sent by the next key');
  const sent = page.waitForRequest((one) => one.url().endsWith('/walk') && one.method() === 'POST');
  await send.click();
  t.match((await sent).postDataJSON(), { to: 'Harbour View Hotel', compensation: 50, reason: 'A burst pipe' });
  await dialog.getByText('Harbour View Hotel').first().waitFor();
}

async function cancels(t: Test, { open, hotel: build }: World): Promise<void> {
  const property = await build();
  const { reservationId } = await property.booked({ from: 1, guest: { firstName: 'Joan', lastName: 'Clarke' } });
  const { page } = await open(property);
  await barOf(page, reservationId).click();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  const outcome = page.locator('.outcome');
  await outcome.getByText('Penalty').waitFor();
  t.match(await outcome.textContent(), /^Penalty€100\.00Goes back to the guest€100\.00Standard policyFree until/);
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' }, 'only asked so far');
  await page.getByRole('button', { name: 'Not now' }).click();
  t.equal(await outcome.count(), 0);
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the reservation' }).click();
  await page.getByRole('status').getByText('is cancelled, penalty €100.00').waitFor();
  t.match((await property.read(reservationId)).json, { status: 'CANCELLED' });
  await barOf(page, reservationId).waitFor({ state: 'detached' });
}

async function errors(t: Test, { open, set, assign, hotel: build }: World): Promise<void> {
  const property = await build();
  for (const room of ROOMS) await set(property, room, 'DIRTY');
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Alan', lastName: 'Turing' } });
  await assign(reservationId, '101');
  const { page } = await open(property);
  const dialog = page.getByRole('dialog');
  await barOf(page, reservationId).click();
  await dialog.getByText('Arrives, room not ready').waitFor();
  await page.getByRole('button', { name: 'Check in' }).click();
  await dialog.getByText('No room is ready for this guest. Have one cleaned').waitFor();
  t.equal(await page.getByRole('button', { name: 'Check in now' }).count(), 0);
  await page.locator('[data-room="101"] .room').click();
  await page.getByRole('button', { name: 'Clean', exact: true }).click();
  await page.locator('[data-room="101"] .room[data-status="CLEAN"]').waitFor();
  t.equal(await barOf(page, reservationId).getAttribute('data-task'), 'arrives-ready', 'at once');
}

async function leaves(t: Test, { open, hotel: build, service }: World): Promise<void> {
  const property = await build();
  const { reservationId } = await property.booked({
    from: 0,
    card: null,
    guest: { firstName: 'Ida', lastName: 'Rhodes' },
  });
  const body = { identificationVerified: true };
  must(await service.reservations('POST', `/${reservationId}/checkin`, { body }), 200);
  const { page } = await open(property);
  await barOf(page, reservationId).click();
  await page.getByRole('button', { name: 'Check out' }).click();
  await page.locator('.form-error').getByText('There is a balance and no card on file.').waitFor();
  await page.getByRole('button', { name: 'Take €200.00 in cash' }).click();
  await page.locator('.outcome').getByText('Nothing is due').waitFor();
  t.match((await property.read(reservationId)).json, { status: 'CHECKED_IN' });
  await page.getByRole('button', { name: 'Check out now' }).click();
  await page.getByRole('status').getByText('Ida Rhodes is checked out.').waitFor();
  t.match((await property.read(reservationId)).json, { status: 'CHECKED_OUT' });
}

async function looks(t: Test, { open, set, assign, hotel: build }: World): Promise<void> {
  const property = await build();
  const one = await property.booked({ from: 2, roomType: 'DLX' });
  for (let n = 0; n < 3; n++) await property.booked({ from: 2, roomType: 'DLX' });
  await assign(one.reservationId, '104');
  await set(property, '104', 'OUT_OF_ORDER');
  const { page } = await open(property, 'VIEWER');
  await page.locator('[data-kind="overbooked"]').getByText('1 over').waitFor();
  await page.locator('[data-kind="clash"]').getByText('104: out of order').waitFor();
  await page.locator('[data-room="104"] .closure').getByText('Out of order').waitFor();
  await page.getByRole('list', { name: 'Alerts' }).getByText('DLX overbooked').waitFor();
  await barOf(page, one.reservationId).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('You may look at stays, and not change them.').waitFor();
  t.equal(await dialog.getByRole('button').count(), 1, 'nothing but to close it');
  await page.keyboard.press('Escape');
  await barOf(page, one.reservationId).focus();
  await page.keyboard.press('m');
  t.equal(await page.locator('[data-picked]').count(), 0);
}

async function maintains(t: Test, { open, hotel: build }: World): Promise<void> {
  const property = await build();
  const { page } = await open(property, 'STAFF');
  const room = page.locator('[data-room="102"] button.room');
  await room.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('None planned.').waitFor();
  await dialog.getByRole('button', { name: 'Out of order' }).click();
  await dialog.getByLabel('First night').fill(property.day(1));
  await dialog.getByLabel('Last night').fill(property.day(3));
  await dialog.getByLabel('Reason').fill('New carpet');
  await dialog.getByText('Room 102 is not sold for 3 nights').waitFor();
  await checkWithAxe(t, page);
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('The maintenance of room 102 is planned.').waitFor();
  const bar = page.locator('[data-room="102"] .closure');
  await bar.getByText('New carpet').waitFor();
  t.same(await property.left(0, 5), [4, 3, 3, 3, 4]);
  await bar.click();
  await dialog.getByLabel('Last night').fill(property.day(2));
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('status').getByText('The maintenance of room 102 is changed.').waitFor();
  t.same(await property.left(0, 5), [4, 3, 3, 4, 4]);
  await room.click();
  await dialog.getByRole('button', { name: /^End out of order/ }).click();
  await dialog.getByText('None planned.').waitFor();
  t.same(await property.left(0, 5), [4, 4, 4, 4, 4]);
}

async function cleans(t: Test, { open, set, hotel: build }: World): Promise<void> {
  const property = await build();
  await set(property, '102', 'DIRTY');
  const { page } = await open(property, 'STAFF');
  await page.locator('[data-room="102"] button.room').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('To do').waitFor();
  await dialog.getByLabel('Attendant').fill('Ana');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Ana has the task of room 102.').waitFor();
  await dialog.locator('dd').getByText('Ana').waitFor();
  await checkWithAxe(t, page);
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.getByText('In progress').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.locator('[data-room="102"] .room[data-status="CLEAN"]').waitFor();
  await dialog.getByRole('button', { name: 'Inspection failed' }).click();
  await page.locator('[data-room="102"] .room[data-status="DIRTY"]').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByRole('button', { name: 'Inspection passed' }).click();
  await page.locator('[data-room="102"] .room[data-status="INSPECTED"]').waitFor();
  await dialog.getByText('Housekeeping task').waitFor({ state: 'detached' });
}

async function everybody(t: Test, { open, assign, set, hotel: build }: World, look: Look): Promise<void> {
  const property = await build();
  const { reservationId } = await property.booked({ from: 0, guest: { firstName: 'Mary', lastName: 'Keller' } });
  await property.booked({ from: 0 });
  const other = await property.booked({ from: 2 });
  await assign(other.reservationId, '103');
  await set(property, '103', 'OUT_OF_ORDER');
  const { page } = await open(property, 'STAFF', look);
  await barOf(page, reservationId).waitFor();
  await checkWithAxe(t, page);
  await barOf(page, reservationId).click();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.locator('.outcome').waitFor();
  await checkWithAxe(t, page);
  const worst = await worstContrast(page, READ);
  t.ok(worst.ratio >= 4.5, `worst contrast ${worst.ratio.toFixed(2)} at ${worst.text}`);
  t.strictSame(await page.evaluate<string[]>(TOO_SMALL), [], 'every target has 24 pixels each way');
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  t.ok(overflow <= 0, 'the page itself never scrolls sideways');
}

/** A property with four rooms of type DLX, in which nobody pays ahead who does not want to. */
export async function hotel(service: Service): Promise<BlackboxProperty> {
  const policies = { paymentRequired: false, autoAssign: false };
  const property = await BlackboxProperty.open(service, { rooms: { DLX: ROOMS.length }, pricedNights: 30, policies });
  for (const roomNumber of ROOMS) {
    const body = { roomNumber, roomType: 'DLX', floor: 1 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
  }
  return property;
}

async function setStatus(
  service: Service,
  property: BlackboxProperty,
  roomNumber: string,
  status: string,
): Promise<void> {
  const path = `/properties/${property.propertyId}/rooms/${roomNumber}/status`;
  must(await service.tenants('PUT', path, { body: { status } }), 200);
}

/** The front desk of a property, signed in. */
export async function openDesk(
  service: Service,
  browser: Browser,
  property: BlackboxProperty,
  role: 'MANAGER' | 'STAFF' | 'VIEWER' = 'STAFF',
  look: Look = { viewport: { width: 1440, height: 900 } },
): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser, `${service.dev.liveUrl}/desk`, look);
  opened.page.setDefaultTimeout(60_000);
  await signInWithToken(opened.page, service.token('demo', role));
  await opened.page.getByRole('combobox', { name: 'Property' }).selectOption(property.propertyId);
  await opened.page.getByRole('grid').waitFor();
  return opened;
}

export const barOf = (page: Page, id: string): Locator => page.locator(`.tape [data-stay="${id}"]`);
const hasFocus = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`);
const focusOn = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor();

async function tabUntil(page: Page, selector: string): Promise<void> {
  for (let n = 0; n < 40; n++) {
    if (await hasFocus(page, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${selector}`);
}

/** As the page writes a day in a bar's name: `Sat, Nov 28`, in the browser's language. */
function dayOf(date: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-US', parts).format(Date.parse(`${date}T00:00:00Z`));
}
