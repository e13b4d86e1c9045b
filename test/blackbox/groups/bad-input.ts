import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty } from '../property.ts';
import type { Service } from '../service.ts';
import { wrongDates, wrongFields } from './wrong-bookings.ts';
import { wrongQuotes, wrongRates } from './wrong-rates.ts';

/** Bad input gets the contracted problem, stores nothing, and the process lives. */
export async function badInput(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const seqBefore = await seqOf(property);
  await group.test('a create with a wrong date is refused and names the field', async (t) => {
    for (const { what, wish, pointers } of wrongDates(property)) {
      await t.test(what, async (it) =>
        isProblem(it, await property.book(wish), 400, { code: 'VALIDATION_FAILED', pointers }),
      );
    }
  });
  await group.test('a create with a wrong field is refused and names the field', async (t) => {
    for (const { what, wish, pointers, code = 'VALIDATION_FAILED' } of wrongFields()) {
      await t.test(what, async (it) => isProblem(it, await property.book(wish), 400, { code, pointers }));
    }
  });
  await group.test('every wrong field is listed in one answer', (t) => everyField(t, service, property));
  await group.test('a card number is not repeated to its sender', async (t) => {
    const answer = await property.book({ card: '4111111111111111' });
    t.notMatch(answer.text, /4111111111111111/);
  });
  await group.test('a change of prices with a wrong field is refused', async (t) => {
    for (const { what, body, pointers } of wrongRates(property)) {
      await t.test(what, async (it) =>
        isProblem(it, await service.rates('PUT', '/base', { body }), 400, { code: 'VALIDATION_FAILED', pointers }),
      );
    }
  });
  await group.test('a quote with a wrong parameter is refused', async (t) => {
    for (const { what, query, parameters } of wrongQuotes(property)) {
      await t.test(what, async (it) =>
        isProblem(it, await service.rates('GET', `/current?${query}`), 400, {
          code: 'VALIDATION_FAILED',
          parameters,
        }),
      );
    }
  });
  await group.test('a list with a wrong parameter is refused', (t) => wrongLists(t, service, property));
  await group.test('what only a rule forbids is 422 and names the rule', (t) => brokenRules(t, property));
  await group.test('nothing of all this was stored, and the service goes on selling', async (t) => {
    t.same(await property.reservations(), []);
    t.equal(await seqOf(property), seqBefore, 'no command was accepted');
    t.match(await property.left(30, 2), [3, 3]);
    t.equal((await property.book()).status, 201);
  });
}

async function seqOf(property: BlackboxProperty): Promise<string | string[] | undefined> {
  return (await property.quote()).headers['x-property-seq'];
}

async function everyField(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  const empty = await service.reservations('POST', '', { body: {} });
  isProblem(t, empty, 400, { code: 'VALIDATION_FAILED', pointers: ['/propertyId', '/guestInfo', '/stayDetails'] });
  const hollow = await service.reservations('POST', '', {
    body: { propertyId: property.propertyId, guestInfo: {}, stayDetails: {} },
  });
  const missing = ['guestInfo/firstName', 'guestInfo/lastName', 'guestInfo/email'];
  const dates = ['stayDetails/checkIn', 'stayDetails/checkOut', 'stayDetails/roomType'];
  isProblem(t, hollow, 400, { pointers: [...missing, ...dates].map((field) => `/${field}`) });
  const mixed = await property.book({
    stay: { adults: -1, checkIn: 'soon' },
    guest: { email: 'x' },
    more: { odd: 1 },
  });
  const pointers = ['/stayDetails/adults', '/stayDetails/checkIn', '/guestInfo/email', '/odd'];
  isProblem(t, mixed, 400, { code: 'VALIDATION_FAILED', pointers });
  for (const body of [[], 'text', 5, null]) {
    isProblem(t, await service.reservations('POST', '', { body }), 400, { code: 'VALIDATION_FAILED' });
  }
}

async function wrongLists(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  for (const limit of ['0', '201', '-1', 'many', '1.5']) {
    const answer = await service.reservations('GET', `?limit=${limit}`);
    isProblem(t, answer, 400, { code: 'VALIDATION_FAILED', parameters: ['limit'] });
  }
  const wrong = { cursor: 'not-one-of-ours', status: 'ASLEEP', arrivalFrom: '2027-02-31' };
  for (const [parameter, value] of Object.entries(wrong)) {
    const answer = await service.reservations('GET', `?${parameter}=${value}`);
    isProblem(t, answer, 400, { code: 'VALIDATION_FAILED', parameters: [parameter] });
  }
  const availability = (from: number, to: number) =>
    service.tenants(
      'GET',
      `/availability?property_id=${property.propertyId}&start_date=${property.day(from)}&end_date=${property.day(to)}`,
    );
  isProblem(t, await availability(0, 366), 400, { code: 'VALIDATION_FAILED' });
  isProblem(t, await availability(5, 4), 400, { code: 'VALIDATION_FAILED' });
  isProblem(t, await service.tenants('GET', '/availability'), 400, {
    parameters: ['property_id', 'start_date', 'end_date'],
  });
}

async function brokenRules(t: Test, property: BlackboxProperty): Promise<void> {
  isProblem(t, await property.book({ roomType: 'NOPE' }), 422, { code: 'UNKNOWN_ROOM_TYPE' });
  isProblem(t, await property.book({ stay: { rateCode: 'NOPE' } }), 422, { code: 'UNKNOWN_RATE_CODE' });
  isProblem(t, await property.book({ stay: { adults: 4 } }), 422, { code: 'OCCUPANCY_EXCEEDED' });
  isProblem(t, await property.book({ stay: { adults: 3, children: 2 } }), 422, { code: 'OCCUPANCY_EXCEEDED' });
  isProblem(t, await property.book({ nights: 31 }), 422, { code: 'MAX_STAY' });
  isProblem(t, await property.book({ from: 118, nights: 4 }), 422, { code: 'NO_RATE' });
}
