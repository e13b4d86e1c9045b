import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t from 'tap';

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
import { posted } from './outbox.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Role } from './service.ts';
import { sharedPages } from './shared-pages.ts';
import { until } from './waiting.ts';

t.setTimeout(PAGE_FILE_MS);

type RoomTypes = { items: { roomType: string; name: string; totalRooms: number }[] };

/** The administration in a browser, on the real services (docs/reference/set-up.md#property). */
void t.test('the administration', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  t.afterEach(() => closeWindows(browser));
  const property = await BlackboxProperty.open(service, { policies: { overbookingLimit: 1 } });
  const { propertyId } = property;
  const open = async (path: string, look: Look = {}, role: Role = 'OWNER') => {
    const opened = await openPage(browser, `${service.dev.liveUrl}${path}`, look);
    await signInWithToken(opened.page, service.token('demo', role));
    return opened;
  };
  const section = (id: string, look: Look = {}) => open(`/admin/${id}?property=${propertyId}`, look);
  const panel = (page: Page) => page.getByRole('complementary');
  const roomTypes = async () =>
    must(await service.tenants<RoomTypes>('GET', `/properties/${propertyId}/room-types`), 200).json.items;

  await t.test('the checklist says what is missing, and leads there', async (t) => {
    const { page, complaints } = await open(`/admin?property=${propertyId}`);
    await page.getByText('things are missing').waitFor();
    const missing = page.locator('[data-state=missing]');
    t.match(await missing.filter({ hasText: 'address' }).count(), 1);
    await page.getByRole('listitem').getByRole('link', { name: 'Rooms', exact: true }).click();
    await page.getByRole('heading', { name: 'Rooms' }).waitFor();
    await page.goBack();
    await page.getByText('things are missing').waitFor();
    t.strictSame(complaints, [], 'no errors, and nothing that the policy forbids');
  });

  await t.test('a section whose code is missing says so, and comes with the network', async (t) => {
    const { page } = await section('rooms');
    const code = /\/taxes-\w+\.js$/;
    await page.route(code, (route) => route.abort());
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Taxes' }).click();
    await page.getByRole('main').getByText('This part could not be loaded. Reload the page.').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('main').getByText('Offline. It is shown once the connection is back.').waitFor();
    await page.unroute(code);
    await page.context().setOffline(false);
    await page.getByText('There is no tax. Prices are charged as they are.').waitFor();
    t.equal(await page.getByText('Offline.').count(), 0);
  });

  await t.test('rooms are added by ranges, and taken back by one key', async (t) => {
    const { page, complaints } = await section('rooms');
    await page.getByRole('button', { name: 'Add rooms' }).click();
    await panel(page).getByLabel('Room numbers').fill('101-103, 201');
    await panel(page).getByText('4 rooms: 101 to 201').waitFor();
    await panel(page).getByLabel('Room type').selectOption('STD');
    await panel(page).getByRole('button', { name: 'Add rooms' }).click();
    await page.getByText('4 rooms added.').waitFor();
    await page.getByRole('row', { name: '201' }).waitFor();
    t.equal(await page.locator('.admin-table tbody tr').count(), 4);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('There is no room yet').waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('the service answers beside the field that it is about', async (t) => {
    const { page } = await open('/admin/properties?form=new');
    await panel(page).getByLabel('Name').fill('Bay Inn');
    await panel(page).getByText('In addresses and messages: bay-inn.').waitFor();
    await panel(page).getByRole('textbox', { name: 'Id' }).fill('Bay Inn');
    await panel(page).getByRole('button', { name: 'Add property' }).click();
    await panel(page).getByText('Please check the marked fields.').waitFor();
    await panel(page).getByLabel('Time zone').selectOption('Europe/Lisbon');
    await panel(page).getByLabel('Currency').selectOption('EUR');
    await panel(page).getByRole('button', { name: 'Add property' }).click();
    await panel(page).getByText('Has 1 to 50 of a-z, 0-9 and -.').waitFor();
    t.equal(await panel(page).getByRole('textbox', { name: 'Id' }).getAttribute('aria-invalid'), 'true');
    t.equal(await panel(page).getByLabel('Time zone').getAttribute('aria-invalid'), null);
  });

  await t.test('who saves second sees what the first has saved', async (t) => {
    const { page } = await section('room-types');
    await page.getByRole('button', { name: 'Edit: Type DLX' }).click();
    await panel(page).getByLabel('Name').fill('Deluxe');
    const body = { name: 'Type DLX', maxAdults: 4, totalRooms: 3 };
    must(await service.tenants('PUT', `/properties/${propertyId}/room-types/DLX`, { body }), 200);
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await panel(page).getByText('Adults at most: 3 became 4').waitFor();
    t.equal((await roomTypes()).find(({ roomType }) => roomType === 'DLX')?.name, 'Type DLX', 'nothing is sent yet');
    await panel(page).getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Deluxe is saved.').waitFor();
    t.equal((await roomTypes()).find(({ roomType }) => roomType === 'DLX')?.name, 'Deluxe');
  });

  await t.test('the curl of a form does what the form does', async (t) => {
    const { page } = await section('room-types');
    await page.getByRole('button', { name: 'New room type' }).click();
    await panel(page).getByLabel('Name').fill("Captain's cabin");
    await panel(page).getByLabel('Code').fill('CAB');
    await panel(page).getByLabel('Rooms to sell').fill('2');
    await panel(page).getByLabel('Adults at most').fill('2');
    await panel(page).getByRole('button', { name: 'Show curl' }).click();
    const curl = (await panel(page).locator('pre').textContent()) ?? '';
    t.notMatch(curl, service.token('demo', 'OWNER'));
    execFileSync('sh', ['-c', curl], { env: { ...process.env, TOKEN: service.token('demo', 'OWNER') } });
    t.equal((await roomTypes()).find(({ roomType }) => roomType === 'CAB')?.name, "Captain's cabin");
  });

  await t.test('a change of a property leaves what follows the tenant', async (t) => {
    const { page } = await open('/admin/properties');
    await page.getByRole('row', { name: propertyId }).getByRole('button', { name: /^Edit/ }).click();
    await panel(page).getByLabel('Check-in from').fill('14:00');
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('is saved.').waitFor();
    type View = { inherits: string[]; metadata: { checkInTime: string; policies: { overbookingLimit: number } } };
    const { json } = must(await service.tenants<View>('GET', `/properties/${propertyId}`), 200);
    t.equal(json.metadata.checkInTime, '14:00');
    t.equal(json.metadata.policies.overbookingLimit, 1);
    t.notOk(json.inherits.includes('overbookingLimit'));
    t.ok(json.inherits.includes('freeCancellationHours'));
  });

  await t.test('a letter gets own texts in a language, beside what a guest would read', async (t) => {
    const { page, complaints } = await section('letters');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Dear Alex Sample,').waitFor();
    await page.getByRole('tab', { name: 'Deutsch' }).click();
    await preview.getByText('Guten Tag Alex Sample,').waitFor();
    await page.getByLabel('Subject').fill('Bis bald ');
    await page.getByRole('button', { name: 'Insert {guest}' }).click();
    await preview.getByText('Subject: Bis bald Alex Sample').waitFor();
    await page.getByLabel('Closing').fill('Bis {wann}?');
    await page.getByText('Names {wann}; this letter knows').waitFor();
    await page.getByLabel('Closing').fill('Bis <b> {departure}.');
    await page.getByText('Has HTML; write plain text').waitFor();
    await page.getByLabel('Closing').fill('Bis zum {departure}.');
    await preview.getByText('Bis zum').waitFor();
    await page.getByRole('button', { name: 'Show curl' }).click();
    t.match(await page.getByRole('region', { name: 'Show curl' }).textContent(), '/letters/CONFIRMATION/de');

    const name = `/properties/${propertyId}/letters/CONFIRMATION/de`;
    must(await service.tenants('PUT', name, { body: { opening: 'Willkommen.' } }), 200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Opening: Vielen Dank .* became Willkommen\./).waitFor();
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Confirmation in Deutsch is saved.').waitFor();
    await page.getByRole('tab', { name: 'Deutsch (own text)' }).waitFor();
    await page.getByRole('button', { name: 'Back to the standard text' }).click();
    await page.getByText('Confirmation in Deutsch is the standard text again.').waitFor();
    t.match(await page.getByLabel('Subject').inputValue(), 'Ihre Reservierung {confirmationNumber}');

    await page.getByRole('tab', { name: 'Deutsch' }).press('ArrowRight');
    await preview.getByText('Bonjour Alex Sample,').waitFor();
    await page.getByRole('combobox', { name: 'Letter' }).selectOption('Invoice');
    await preview.getByText('Subject: Facture INV-1042').waitFor();
    t.strictSame(
      complaints.filter((complaint) => !/40[09]|412/.test(complaint)),
      [],
    );
  });

  await t.test('taxes of a country are added with their laws, and undone together', async (t) => {
    const { page, complaints } = await section('taxes');
    await page.getByRole('button', { name: 'Start from a country' }).click();
    await panel(page).getByLabel('Country').selectOption('DE');
    await panel(page).getByText('Umsatzsteuergesetz § 12 (2) no. 11').waitFor();
    await panel(page).getByLabel('Tax of the municipality').fill('7,5');
    await panel(page).getByRole('button', { name: 'Add these taxes' }).click();
    await page.getByText('Germany: taxes are added. Check them.').waitFor();
    const rows = page.locator('.admin-table tbody tr');
    await page.getByRole('row', { name: 'Übernachtungsteuer' }).waitFor();
    t.equal(await rows.count(), 3);
    await page.getByRole('button', { name: 'Edit: VAT on lodging' }).click();
    await panel(page).getByLabel('Percent or amount').fill('101');
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await panel(page).getByText('Is more than 100 percent.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete: VAT on extras' }).click();
    await panel(page).getByText('Bookings keep the taxes that they were made with.').waitFor();
    await panel(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('VAT on extras is deleted.').waitFor();
    await page.getByRole('row', { name: 'VAT on extras' }).waitFor({ state: 'detached' });
    t.equal(await rows.count(), 2);
    t.equal(complaints.length, 1, 'the refused one alone');
  });

  await t.test('a policy says what it does, and may follow the tenant again', async (t) => {
    const { page } = await section('policies');
    await page.getByText('Each type sells up to 1 room more than it has.').waitFor();
    await page.getByRole('button', { name: 'Follow tenant: Overbooking' }).click();
    await panel(page).getByRole('button', { name: 'Follow the tenant' }).click();
    await page.getByText('No type sells more rooms than it has.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Each type sells up to 1 room more than it has.').waitFor();
    t.equal(await page.getByRole('button', { name: 'Follow tenant: Overbooking' }).count(), 1);
  });

  await t.test('a rate plan is set up in plain sentences, and keeps what it inherits', async (t) => {
    const { page, complaints } = await section('rate-plans');
    await page.getByText('base rates −10 %').waitFor();
    await page.getByRole('button', { name: 'New rate plan' }).click();
    await panel(page).getByLabel('Name').fill('Bed and breakfast');
    await panel(page).getByLabel('Code', { exact: true }).fill('BB');
    await panel(page).getByLabel('Price from').selectOption('BAR');
    await panel(page).getByLabel('Difference, amount').fill('15');
    await panel(page).getByRole('button', { name: 'Add rate plan' }).click();
    await page.getByText('Bed and breakfast is added.').waitFor();
    await page.getByRole('cell', { name: 'BAR +15 EUR' }).waitFor();
    await page.getByRole('button', { name: 'Edit: Best available rate' }).click();
    await panel(page).getByLabel('Lowest rate').fill('40');
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('is saved.').waitFor();
    type Plans = { items: { code: string; minRate: number | null; inherits: string[]; adjustmentAmount: number }[] };
    const { items } = must(await service.rates<Plans>('GET', `/plans?propertyId=${propertyId}`), 200).json;
    const bar = items.find(({ code }) => code === 'BAR');
    t.match(bar, { minRate: 40 });
    t.strictSame(bar?.inherits, ['guarantee', 'terms']);
    t.equal(items.find(({ code }) => code === 'BB')?.adjustmentAmount, 15);
    t.strictSame(complaints, []);
  });

  await t.test('base rates are tried out before they are set', async (t) => {
    const { page, complaints } = await section('rates');
    await page.getByRole('button', { name: 'Set rates' }).click();
    await panel(page).getByRole('checkbox', { name: 'Type STD' }).check();
    await panel(page).getByLabel('Sunday to Thursday').fill('90');
    await panel(page)
      .getByText(/STD: \d+ nights changed/)
      .waitFor();
    await panel(page).getByRole('button', { name: 'Set rates' }).click();
    await page.getByText('The rates are set.').waitFor();
    await page.getByRole('cell', { name: '€90.00 to €100.00' }).first().waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('extras, maintenances, promotions, companies and channels are added', async (t) => {
    const { page, complaints } = await section('extras');
    const add = async (button: string, fields: Record<string, string>, action: string, row: string) => {
      await page.getByRole('button', { name: button }).click();
      for (const [label, value] of Object.entries(fields)) {
        const field = panel(page).getByLabel(label, { exact: true });
        if (value.startsWith('=')) await field.selectOption(value.slice(1));
        else await field.fill(value);
      }
      await panel(page).getByRole('button', { name: action, exact: true }).click();
      await page.getByRole('row', { name: row }).waitFor();
    };
    const go = (name: string) =>
      page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }).click();
    await add('New extra', { Name: 'Breakfast', Code: 'BREAKFAST', Price: '12,50' }, 'Add extra', 'Breakfast');
    await go('Promotions');
    const until = { 'Booked until': property.day(30), 'How much': '15', Name: 'Early bird', Code: 'EARLY15' };
    await add('New promotion', until, 'Add promotion', 'Early bird');
    await page.getByRole('cell', { name: '15 % off with EARLY15, on sale' }).waitFor();
    await go('Companies');
    await add('New company', { Name: 'Acme Ltd' }, 'Add company', 'Acme Ltd');
    await go('Channels');
    const address = 'https://channel.example.com/innkeeper';
    await page.getByRole('button', { name: 'New channel' }).first().click();
    await panel(page).getByLabel('Room at the channel').first().fill('4711');
    await panel(page)
      .getByLabel(/^Rate at the channel for/)
      .first()
      .fill('77');
    const channel = { Channel: 'Example Travel', 'Code of the channel': 'EXT', Address: address };
    for (const [label, value] of Object.entries(channel))
      await panel(page).getByLabel(label, { exact: true }).fill(value);
    await checkWithAxe(t, page);
    await panel(page).getByRole('button', { name: 'Add channel', exact: true }).click();
    const made = page.getByRole('row', { name: 'Example Travel' });
    await made.getByRole('button', { name: /^State of sending/ }).click();
    await panel(page).getByText('No message was taken yet.').waitFor();
    await checkWithAxe(t, page);
    await made.getByRole('button', { name: /^Edit/ }).click();
    t.equal(
      await panel(page)
        .getByLabel(/^Rate at the channel for/)
        .first()
        .inputValue(),
      '77',
    );
    await panel(page).getByLabel('Send changes').uncheck();
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
    await made.getByText('Paused', { exact: true }).waitFor();
    await go('Maintenance');
    const body = { roomNumber: '7', roomType: 'STD' };
    must(await service.tenants('POST', `/properties/${propertyId}/rooms`, { body }), 201);
    await page.reload();
    const closed = { Room: '=7', 'First night': property.day(3), Kind: '=OUT_OF_ORDER', Reason: 'Paint' };
    await add('New maintenance', closed, 'Close room', 'Paint');
    t.strictSame(complaints, []);
  });

  await t.test('the audit trail says who has changed what, before and after', async (t) => {
    const name = `/properties/${propertyId}/letters/REMINDER/fr`;
    must(await service.tenants('PUT', name, { body: { subject: 'À bientôt' } }), 200);
    must(await service.tenants('PUT', name, { body: { subject: 'À demain' } }), 200);
    const { page, complaints } = await open(`/admin/audit-trail?of=${propertyId}`);
    await page.getByRole('row', { name: 'REMINDER/fr' }).first().waitFor();
    await page.getByLabel('Entity').fill('letter');
    await page.getByLabel('Action').fill('CHANGED');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const row = page.getByRole('row', { name: `letter ${propertyId}/REMINDER/fr` }).first();
    await row.getByRole('button', { name: /^Show before and after/ }).click();
    await page.getByText('À bientôt').waitFor();
    await page.getByText('À demain').waitFor();
    t.match(new URL(page.url()).searchParams.get('entity'), 'letter');
    await row.getByRole('link').click();
    await page.getByRole('region', { name: 'Preview' }).getByText('Subject: À demain').waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('messages to guests are found by kind, state and reservation', async (t) => {
    const { confirmationNumber } = await property.booked();
    await posted(service);
    const { page, complaints } = await section('messages');
    await page.getByRole('row', { name: confirmationNumber }).getByText('Confirmation', { exact: true }).waitFor();
    await page.getByLabel('State').selectOption('Failed');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('There is no such message.').waitFor();
    await page.getByLabel('State').selectOption('All states');
    await page.getByRole('textbox', { name: 'Reservation' }).fill(confirmationNumber.slice(0, 6));
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('link', { name: confirmationNumber }).waitFor();
    await checkWithAxe(t, page);
    t.strictSame(complaints, []);
  });

  await t.test('events of the property are found by topic and text', async (t) => {
    const { reservationId } = await property.booked();
    const { page, complaints } = await section('events');
    const row = page.getByRole('row', { name: `reservation.created ${reservationId}` });
    await row.waitFor();
    await page.getByLabel('Topic').selectOption('rate.updated');
    await page.getByLabel('Text').fill(reservationId);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('None of the newest changes has such an event.').waitFor();
    await page.getByLabel('Topic').selectOption('All topics');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await row.getByRole('button', { name: /^Show the event/ }).click();
    await page.getByText('"eventType": "RESERVATION_CREATED"').waitFor();
    await checkWithAxe(t, page);
    await row.getByRole('link').click();
    await page.getByRole('dialog').waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('a file of another system is looked at, tried and imported', async (t) => {
    const { page, complaints } = await section('import');
    const stay = (no: string, state: string): string =>
      `${no};${state};${property.day(40)};${property.day(41)};STD;Ada;80,50`;
    const head = 'Booking no;Status;Arrival;Departure;Room type;Guest name;Total';
    const text = [head, stay('P1', 'confirmed'), stay('P2', 'Sonderfall')].join('\n');
    const file = { name: 'moved.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByText('Nothing was imported into this property yet.').waitFor();
    await page.getByLabel('Choose a file').setInputFiles(file);
    await page.getByText('moved.csv: 7 columns; 2 lines were looked at.').waitFor();
    await page.getByText('A word has no meaning yet').waitFor();
    t.equal(await page.getByLabel('Number in the other system').inputValue(), '=Booking no');
    t.equal(await page.getByLabel('Decimal sign').inputValue(), ',');
    await checkWithAxe(t, page);
    await page.getByLabel('Price of the stay').selectOption('Not read');
    await page.getByRole('button', { name: 'Dry run', exact: true }).click();
    await page.getByText('Choose a column for Price of the stay, Price of each night').waitFor();
    await page.getByLabel('Price of the stay').selectOption('Total');
    await page.getByLabel('Cancellations cost').selectOption('nothing');
    await page.reload();
    await page.getByText('A word has no meaning yet').waitFor();
    t.equal(await page.getByLabel('Cancellations cost').inputValue(), 'FREE', 'what was chosen survives a reload');
    await savedAndLoaded(page);
    await page.getByRole('button', { name: 'Dry run', exact: true }).press('Enter');
    await page.getByText('1 line would be stored, 1 refused.').waitFor();
    await page.getByRole('row', { name: 'P2' }).getByText('State has a word without a meaning.').waitFor();
    t.equal(await page.getByRole('row', { name: 'P1' }).count(), 0, 'lines with problems come first');
    await page.getByRole('button', { name: 'Change the columns' }).click();
    await page.getByLabel('Sonderfall means').selectOption('Confirmed');
    await page.getByRole('button', { name: 'Dry run', exact: true }).click();
    await page.getByText('Importing stores 2 lines in').waitFor();
    await page.getByRole('button', { name: 'Import now' }).click();
    const charges = page.getByRole('row', { name: 'Charges' });
    await charges.getByRole('cell', { name: '€161.00' }).first().waitFor();
    await charges.getByRole('cell', { name: '€0.00' }).waitFor();
    await page.getByText('Nothing differs.').waitFor();
    await page.getByLabel('Show').selectOption('Stored');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    t.match(readFileSync(await saved.path(), 'utf8'), /moved\.csv,3,reservations,P2,CREATED/);
    await checkWithAxe(t, page);
    await page.getByRole('button', { name: 'All imports' }).click();
    await page.getByRole('row', { name: 'moved.csv' }).getByText('Imported').waitFor();
    await page.getByRole('button', { name: /^Open: moved/ }).click();
    await page.getByRole('link', { name: 'P1' }).click();
    await page.getByRole('dialog').getByText('Ada').first().waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('a file that is no import is refused with what to do', async (t) => {
    const { page } = await section('import');
    await page.getByText('64 MB at most').waitFor();
    const drop = async (name: string, bytes: number[]) => {
      const carried = await page.evaluateHandle(
        `(() => { const it = new DataTransfer(); it.items.add(new File([new Uint8Array([${bytes.join()}])], '${name}')); return it; })()`,
      );
      await page.locator('.imports-drop').dispatchEvent('drop', { dataTransfer: carried });
    };
    await drop('rooms.xlsx', [0x50, 0x4b, 3, 4]);
    await page.getByText('rooms.xlsx is a workbook. Save its sheet as CSV').waitFor();
    await drop('old.csv', [0xff, 0xfe, 0x61, 0]);
    await page.getByText('The file is UTF-16. Save it as CSV in UTF-8').waitFor();
    await drop('empty.csv', []);
    await page.getByText('empty.csv is empty. Choose another file.').waitFor();
    const old = Buffer.from('Status,Guest\nOK,J\u00FCrgen\nOK,Ada', 'latin1');
    await page.getByLabel('Choose a file').setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer: old });
    await page.getByRole('cell', { name: 'J\u00FCrgen' }).waitFor();
    await page.getByLabel('Move all dates by days').fill('7');
    await page.getByLabel('Move all dates by days').blur();
    await page.getByLabel('Encoding').selectOption('UTF-8');
    await page.getByText('A line cannot be read. Check how columns are divided').waitFor();
    t.equal(await page.getByLabel('Move all dates by days').inputValue(), '7', 'what was chosen stays');
    await page.getByLabel('Columns are divided by').selectOption('semicolon');
    await page.getByText('No columns were found.').waitFor();
    await page.goto(`${service.dev.liveUrl}/admin/import?property=${propertyId}&import=none`);
    await page.getByText('There is no such import any more').waitFor();
    await checkWithAxe(t, page);
  });

  await t.test('a role that may not open it is told', async () => {
    const { page } = await open('/admin', {}, 'MANAGER');
    await page.getByRole('heading', { name: 'Administration needs another role' }).waitFor();
  });

  for (const look of EVERY_LOOK)
    await t.test(`everybody can use it: ${lookName(look)}`, async (t) => {
      const { page } = await section('room-types', look);
      await page.getByRole('button', { name: 'New room type' }).click();
      await panel(page).getByRole('button', { name: 'Show curl' }).click();
      await checkWithAxe(t, page);
      await page.keyboard.press('Escape');
      await page.getByRole('row', { name: 'STD' }).waitFor();
      await page.getByRole('link', { name: 'Set-up' }).click();
      await page.getByText('things are missing').waitFor();
      await checkWithAxe(t, page);
      await page.getByRole('link', { name: 'Letters' }).click();
      await page.getByText('Dear Alex Sample,').waitFor();
      await checkWithAxe(t, page);
      await page.getByRole('link', { name: 'Import', exact: true }).click();
      await page.getByRole('button', { name: /^Open: moved/ }).click();
      await page.getByText('Nothing differs.').waitFor();
      await checkWithAxe(t, page);
      await page.getByRole('link', { name: 'Audit trail' }).click();
      await page
        .getByRole('button', { name: /^Show before and after/ })
        .first()
        .click();
      await checkWithAxe(t, page);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
    });
});

/** A mapping that is saved as a file is loaded again, and other files are not. */
async function savedAndLoaded(page: Page): Promise<void> {
  const save = page.getByRole('button', { name: 'Save the mapping as a file' });
  const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const text = readFileSync(await saved.path(), 'utf8');
  const load = (name: string, content: string): Promise<void> => {
    const file = { name, mimeType: 'application/json', buffer: Buffer.from(content) };
    return page.getByLabel('Load a saved mapping').setInputFiles(file);
  };
  await page.getByLabel('Cancellations cost').selectOption({ index: 0 });
  await load('other.json', text.replaceAll('Arrival', 'Anreise'));
  await page.getByText('other.json is for files with other columns. Nothing was changed.').waitFor();
  await load('bill.json', '{"total": 7}');
  await page.getByText('bill.json is no mapping that was saved here.').waitFor();
  await load('mapping.json', text);
  const cost = page.getByLabel('Cancellations cost');
  await until('it is as it was saved', 30_000, async () => (await cost.inputValue()) === 'FREE' || undefined);
}
