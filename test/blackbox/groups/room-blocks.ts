import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import type { Answer } from '../http.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';

type Json = Record<string, unknown>;
type Block = { roomType: string; date: string; rooms: number; rate: number; pickedUp: number; remaining: number };
type Group = Json & { groupId: string; status: string; blocks: Block[] };
type Line = { line: number; code: string; detail: string; date?: string };
type Booked = { line: number; reservationId: string; status: string; totalAmount: number };
type List = { bookable: boolean; rows: number; totalAmount: number | null; lines: Line[]; reservations: Booked[] };

/** Groups that a hotel can run (docs/reference/groups.md#groups). */
export async function roomBlocks(group: Test, service: Service): Promise<void> {
  const call = <T = Group>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: CallOptions = {}) =>
    service.reservations<T>(method, `/groups${path}`, { role: 'MANAGER', ...options });
  const wish = (property: BlackboxProperty, changed: Json = {}): Json => ({
    name: 'Rowing club',
    cutoffDate: property.day(20),
    blocks: [30, 31].map((n) => block(property, n, 2)),
    ...changed,
  });
  const block = (property: BlackboxProperty, n: number, rooms: number, rate = 80) => ({
    roomType: 'DLX',
    date: property.day(n),
    rooms,
    rate,
  });
  const made = async (property: BlackboxProperty, changed: Json = {}): Promise<string> => {
    const body = { propertyId: property.propertyId, ...wish(property, changed) };
    return must(await call('POST', '', { body }), 201).json.groupId;
  };
  const change = (property: BlackboxProperty, id: string, changed: Json = {}, options: CallOptions = {}) =>
    call('PUT', `/${id}`, { body: wish(property, changed), ...options });
  const read = async (id: string, options: CallOptions = {}) => must(await call('GET', `/${id}`, options), 200).json;
  const listed = (id: string, body: unknown, { query = '', ...options }: CallOptions & { query?: string } = {}) =>
    call<List>('POST', `/${id}/rooming-list${query}`, { body, role: 'STAFF', ...options });
  const row = (property: BlackboxProperty, n: number, changed: Json = {}): Json => ({
    firstName: `Guest ${n}`,
    lastName: `Rower ${randomUUID().slice(0, 8)}`,
    roomType: 'DLX',
    checkIn: property.day(30),
    checkOut: property.day(32),
    adults: 1,
    ...changed,
  });
  const contact = { firstName: 'Mary', lastName: 'Shelley', email: `mary-${randomUUID()}@example.com` };

  await group.test('a change moves rooms between the blocks and general sale, all or none', async (t) => {
    const property = await BlackboxProperty.open(service);
    const id = await made(property);
    const { reservationId } = must(await property.book({ more: { groupId: id } }), 201).json;
    t.same(await property.left(30, 3), [1, 1, 3]);
    isProblem(t, await change(property, id, {}, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    const tooMany = await change(property, id, { blocks: [block(property, 30, 1), block(property, 31, 4)] });
    isProblem(t, tooMany, 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.match(JSON.parse(tooMany.text), { date: property.day(31), roomType: 'DLX' });
    const tooFew = await change(property, id, { blocks: [block(property, 31, 2)] });
    isProblem(t, tooFew, 409, { code: 'INVALID_STATE' });
    t.match(JSON.parse(tooFew.text), { date: property.day(30), roomType: 'DLX', pickedUp: 1 });
    t.same(await property.left(30, 3), [1, 1, 3], 'nothing half done');
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const blocks = [block(property, 30, 1), block(property, 31, 3, 90), block(property, 32, 1, 95)];
    const changed = must(await change(property, id, { name: 'Regatta', blocks }, options), 200);
    t.match(changed.json, {
      name: 'Regatta',
      blocks: [
        { rooms: 1, pickedUp: 1, remaining: 0, rate: 80 },
        { rooms: 3, pickedUp: 1, remaining: 2, rate: 90 },
        { rooms: 1, pickedUp: 0, remaining: 1, rate: 95 },
      ],
      totals: { rooms: 5, pickedUp: 2, remaining: 3, shoulder: 0 },
    });
    t.same(await property.left(30, 3), [2, 0, 2]);
    const again = await change(property, id, { name: 'Regatta', blocks }, options);
    t.equal(again.headers['idempotency-replayed'], 'true');
    t.match(
      (await property.read(reservationId)).json.financial,
      { baseAmount: 160 },
      'booked nights keep their rate',
    );
    t.match(must(await property.book({ from: 31, more: { groupId: id } }), 201).json.financial, { baseAmount: 185 });
    isProblem(t, await change(property, id, { blocks: [block(property, -3, 1)] }), 400, {
      pointers: ['/blocks/0/date'],
    });
    isProblem(t, await change(property, id, { propertyId: property.propertyId }), 400, { pointers: ['/propertyId'] });
    isProblem(t, await change(property, randomUUID()), 404, { code: 'GROUP_NOT_FOUND' });
    await addsUp(t, property, 28, 6);
  });

  await group.test('a deleted group gives back what nobody picked up, and its reservations stay', async (t) => {
    const property = await BlackboxProperty.open(service);
    const id = await made(property);
    const { reservationId } = must(await property.book({ more: { groupId: id } }), 201).json;
    const options = { headers: { 'idempotency-key': randomUUID() } };
    isProblem(t, await call('DELETE', `/${id}`, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    t.match(must(await call('DELETE', `/${id}`, options), 200).json, { id, status: 'REMOVED' });
    t.equal(must(await call('DELETE', `/${id}`, options), 200).headers['idempotency-replayed'], 'true');
    t.same(await property.left(30, 2), [2, 2]);
    for (const answer of [
      await call('DELETE', `/${id}`),
      await call('GET', `/${id}`),
      await change(property, id),
      await listed(id, { rows: [row(property, 1, { email: 'a@example.com' })] }),
      await property.book({ more: { groupId: id } }),
    ])
      isProblem(t, answer, 404, { code: 'GROUP_NOT_FOUND' });
    t.same(must(await call<Page<Group>>('GET', `?propertyId=${property.propertyId}`), 200).json.items, []);
    t.match((await property.read(reservationId)).json, { status: 'CONFIRMED', groupId: id });
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    t.same(await property.left(30, 2), [3, 3]);
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${id}`;
    const { items } = must(await service.call<Page<Json>>('GET', trail), 200).json;
    t.match(items, [
      {
        action: 'DELETE_GROUP',
        entity: 'group',
        before: {
          changed: [{ kind: 'group', id, value: { name: 'Rowing club', blocks: [{ rooms: 2, rate: 80 }, {}] } }],
        },
      },
      { action: 'CREATE_GROUP', entity: 'group', after: { changed: [{ value: { name: 'Rowing club' } }] } },
    ]);
    await addsUp(t, property, 28, 6);
  });

  await group.test('shoulder nights are booked at the rate of the nearest night while they are free', async (t) => {
    const property = await BlackboxProperty.open(service);
    const shoulderNights = { before: 1, after: 2 };
    const blocks = [block(property, 30, 2, 70), block(property, 31, 2, 90)];
    const id = await made(property, { shoulderNights, blocks });
    const booked = must(await property.book({ from: 29, nights: 5, more: { groupId: id } }), 201).json;
    t.match(booked.financial, { baseAmount: 70 + 70 + 90 + 90 + 90 });
    t.same(await property.left(29, 5), [2, 1, 1, 2, 2]);
    t.match(await read(id), {
      shoulderNights,
      totals: { rooms: 4, pickedUp: 2, remaining: 2, shoulder: 3 },
      shoulderPickup: [29, 32, 33].map((n) => ({ date: property.day(n), roomType: 'DLX', pickedUp: 1 })),
    });
    const outside = await property.book({ from: 28, nights: 3, more: { groupId: id } });
    isProblem(t, outside, 422, { code: 'OUTSIDE_GROUP_BLOCK' });
    await property.booked({ from: 29, nights: 1 });
    await property.booked({ from: 29, nights: 1 });
    const full = await property.book({ from: 29, nights: 2, more: { groupId: id } });
    isProblem(t, full, 409, { code: 'ROOM_NOT_AVAILABLE' });
    await addsUp(t, property, 28, 8);
    must(await service.reservations('DELETE', `/${booked.reservationId}`), 200);
    t.same(await property.left(29, 5), [1, 1, 1, 3, 3]);
    await addsUp(t, property, 28, 8);
    const wrong = await change(property, id, { shoulderNights: { before: 8 } });
    isProblem(t, wrong, 400, { pointers: ['/shoulderNights/before'] });
  });

  await roomingLists(group);

  async function roomingLists(parent: Test): Promise<void> {
    await parent.test('a rooming list books all of its rows, and a dry run none', async (t) => {
      const property = await BlackboxProperty.open(service, { policies: { paymentRequired: false } });
      const id = await made(property, { contact });
      const own = `own-${randomUUID()}@example.com`;
      const rows = [
        row(property, 1),
        row(property, 2, { email: own, adults: 2, children: 1, checkOut: property.day(31) }),
      ];
      const dry = must(await listed(id, { rows }, { query: '?dryRun=true' }), 200);
      t.match(dry.json, { dryRun: true, bookable: true, rows: 2, totalAmount: 240, lines: [], reservations: [] });
      t.same(await property.reservations(), []);
      const options = { headers: { 'idempotency-key': randomUUID() } };
      const { json } = must(await listed(id, { rows }, options), 201);
      t.match(json, {
        groupId: id,
        dryRun: false,
        bookable: true,
        reservations: [
          { line: 1, status: 'CONFIRMED', totalAmount: 160, firstName: 'Guest 1' },
          { line: 2, status: 'CONFIRMED', totalAmount: 80, checkOut: property.day(31) },
        ],
      });
      t.same(must(await listed(id, { rows }, options), 201).json, json, 'once');
      t.equal((await property.reservations()).length, 2);
      const [first, second] = json.reservations as [Booked, Booked];
      t.match((await property.read(first.reservationId)).json, {
        groupId: id,
        guestInfo: { email: contact.email },
        source: { channel: 'GROUP' },
      });
      t.match((await property.read(second.reservationId)).json, {
        guestInfo: { email: own },
        stayDetails: { adults: 2, children: 1 },
      });
      t.match(await read(id), { totals: { rooms: 4, pickedUp: 3, remaining: 1 }, contact });
      t.match(await read(id, { role: 'VIEWER' }), { contact: { email: 'm***' } });
      isProblem(t, await listed(id, { rows }, { role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
      await addsUp(t, property, 28, 6);
    });

    await parent.test('where one line does not fit, each such line is named and none is booked', async (t) => {
      const property = await BlackboxProperty.open(service, { policies: { paymentRequired: false } });
      const id = await made(property);
      const email = 'guest@example.com';
      const rows = [
        row(property, 1, { email }),
        row(property, 2),
        row(property, 3, { email, checkIn: '2031-02-30' }),
        row(property, 4, { email, roomType: 'STD' }),
        row(property, 5, { email }),
        row(property, 6, { email }),
        row(property, 7, { email, adults: 9, smoker: true }),
        row(property, 8, { email, adults: 9, checkOut: property.day(31) }),
      ];
      const expected = [
        { line: 2, code: 'VALIDATION_FAILED', detail: 'email is required: the group has no contact' },
        { line: 3, code: 'VALIDATION_FAILED', detail: 'checkIn is not a calendar day YYYY-MM-DD' },
        { line: 4, code: 'OUTSIDE_GROUP_BLOCK', date: property.day(30) },
        { line: 6, code: 'ROOM_NOT_AVAILABLE', date: property.day(30) },
        { line: 7, code: 'VALIDATION_FAILED', detail: 'smoker is not a field of a row' },
        { line: 8, code: 'OCCUPANCY_EXCEEDED' },
      ];
      const dry = must(await listed(id, { rows }, { query: '?dryRun=true' }), 200).json;
      t.match(dry, { bookable: false, rows: 8, totalAmount: null, lines: expected });
      const refused = await listed(id, { rows });
      isProblem(t, refused, 422, { code: 'ROOMING_LIST_REJECTED' });
      t.same((JSON.parse(refused.text) as { lines: Line[] }).lines, dry.lines);
      const sold = [row(property, 1, { email }), row(property, 2, { email }), row(property, 3, { email })];
      const full = await listed(id, { rows: sold });
      isProblem(t, full, 422, { code: 'ROOMING_LIST_REJECTED' });
      t.match(JSON.parse(full.text), { lines: [{ line: 3, code: 'ROOM_NOT_AVAILABLE' }] });
      t.same(await property.reservations(), []);
      isProblem(t, await listed(id, { rows: [] }), 400, { pointers: ['/rows'] });
      isProblem(t, await listed(id, {}), 400, { pointers: ['/rows'] });
      const many = Array.from({ length: 201 }, (_, n) => row(property, n));
      isProblem(t, await listed(id, { rows: many }), 400, { pointers: ['/rows'] });
      isProblem(t, await listed(id, { rows: sold }, { query: '?dryRun=maybe' }), 400, { parameters: ['dryRun'] });
      await addsUp(t, property, 28, 6);
    });

    await parent.test('a rooming list may be a file of CSV', async (t) => {
      const property = await BlackboxProperty.open(service, { policies: { paymentRequired: false } });
      const id = await made(property, { contact });
      const file = (raw: string, options: CallOptions & { query?: string } = {}): Promise<Answer<List>> =>
        listed(id, undefined, { raw, headers: { 'content-type': 'text/csv; charset=utf-8' }, ...options });
      const nights = `${property.day(30)},${property.day(31)}`;
      const header = 'lastName,firstName,checkIn,checkOut,adults,children,roomType,email';
      const good = [
        `\uFEFF${header}`,
        `"Shelley, née Wollstonecraft","Mary ""M.""",${nights},2,,DLX,`,
        `Byron,Ada,${nights},1,0,DLX,ada@example.com`,
        '',
      ].join('\r\n');
      t.match(must(await file(good, { query: '?dryRun=true' }), 200).json, { bookable: true, totalAmount: 160 });
      const { json } = must(await file(good), 201);
      t.match(json.reservations, [
        { line: 2, firstName: 'Mary "M."', lastName: 'Shelley, née Wollstonecraft' },
        { line: 3, firstName: 'Ada' },
      ]);
      const bad = await file(
        `${header}\nByron,Ada,${nights},many,0,DLX,\nByron,Ada,${nights}\nKing,Ada,${nights},1,,DLX,\n`,
      );
      isProblem(t, bad, 422, { code: 'ROOMING_LIST_REJECTED' });
      t.match(JSON.parse(bad.text), {
        lines: [
          { line: 2, code: 'VALIDATION_FAILED', detail: /^adults / },
          { line: 3, code: 'VALIDATION_FAILED', detail: 'has 4 fields, not 8' },
          { line: 4, code: 'ROOM_NOT_AVAILABLE' },
        ],
      });
      const columns = await file(`firstName,lastName,arrival\nAda,Byron,${property.day(30)}\n`);
      isProblem(t, columns, 400, { pointers: ['/roomType', '/checkIn', '/checkOut', '/adults', '/arrival'] });
      isProblem(t, await file(`${header}\n`), 400, { code: 'VALIDATION_FAILED' });
      isProblem(t, await file(''), 400, { code: 'VALIDATION_FAILED' });
      isProblem(t, await file(`${header}\n"Byron,Ada`), 400, { code: 'BODY_UNREADABLE' });
      const elsewhere = { raw: good, headers: { 'content-type': 'text/csv' } };
      isProblem(t, await call('PUT', `/${id}`, elsewhere), 415, { code: 'UNSUPPORTED_MEDIA_TYPE' });
      const latin = { headers: { 'content-type': 'text/csv; charset=latin1' } };
      isProblem(t, await file(good, latin), 415, { code: 'UNSUPPORTED_MEDIA_TYPE' });
      t.equal((await property.reservations()).length, 2);
    });

    await parent.test('two hundred rooms are booked in one commit', async (t) => {
      const property = await BlackboxProperty.open(service, {
        rooms: { DLX: 200 },
        policies: { paymentRequired: false },
      });
      const id = await made(property, { contact, blocks: [30, 31].map((n) => block(property, n, 200)) });
      const rows = Array.from({ length: 200 }, (_, n) => row(property, n));
      const booked = must(await listed(id, { rows }), 201);
      t.equal(booked.json.reservations.length, 200);
      t.comment(`${Math.round(booked.ms)} ms`);
      t.match(await read(id), { totals: { rooms: 400, pickedUp: 400, remaining: 0 } });
      t.same(await property.left(30, 2), [0, 0]);
      await addsUp(t, property, 28, 6);
    });

    await parent.test('rooms of a list ask for the deposit of the group, or go to its company', async (t) => {
      const property = await BlackboxProperty.open(service);
      const depositSchedule = [
        { percent: 20, due: { at: 'BOOKING' } },
        { percent: 80, due: { daysBefore: 5 } },
      ];
      const prepaid = await made(property, { contact, guarantee: 'PREPAY', depositSchedule });
      const [waiting] = must(await listed(prepaid, { rows: [row(property, 1)] }), 201).json.reservations;
      t.match(waiting, { status: 'PENDING', totalAmount: 160, holdExpiresAt: /Z$/ });
      const shown = (await property.read(waiting!.reservationId)).json;
      t.match(shown, { guarantee: 'PREPAY', depositSchedule: [{ amount: 32 }, { amount: 128 }] });
      const body = { method: 'CREDIT_CARD', cardToken: 'tok_visa', amount: 32 };
      must(await service.reservations('POST', `/${waiting!.reservationId}/payments`, { body }), 201);
      t.match((await property.read(waiting!.reservationId)).json, { status: 'CONFIRMED' });

      const companies = `${service.dev.reservationUrl}/api/v1/companies`;
      const company = { body: { name: `Company ${randomUUID()}` }, role: 'MANAGER' as const };
      const { companyId } = must(await service.call<{ companyId: string }>('POST', companies, company), 201).json;
      must(await change(property, prepaid, { contact, guarantee: 'COMPANY', companyId }), 200);
      const [routed] = must(await listed(prepaid, { rows: [row(property, 2)] }), 201).json.reservations;
      t.match(routed, { status: 'CONFIRMED' });
      const { json } = await property.read(routed!.reservationId);
      t.match(json, { guarantee: 'COMPANY', companyId });
      const folio = await service.reservations<{ windows: Json[] }>('GET', `/${routed!.reservationId}/folio`);
      t.match(must(folio, 200).json.windows, [
        { window: 'GUEST', expectedTotal: 0 },
        { window: 'COMPANY', expectedTotal: 160 },
      ]);
      const nobody = { guarantee: 'COMPANY', companyId: randomUUID() };
      isProblem(t, await change(property, prepaid, nobody), 404, { code: 'COMPANY_NOT_FOUND' });
    });
  }
}
