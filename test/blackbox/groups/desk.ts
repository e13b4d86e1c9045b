import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { posted } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import { until } from '../waiting.ts';

type Json = Record<string, unknown>;
type Note = { noteId: string; text: string; by: string; at: string };
type Notes = { items: (Note & Json)[] };
type Trail = { items: { action: string }[] };

/** What the desk does with a stay beside its states and money (docs/reference/desk.md#desk). */
export async function desk(group: Test, service: Service): Promise<void> {
  const of = <T = Json>(id: string, method: 'GET' | 'POST' | 'DELETE', path: string, options: CallOptions = {}) =>
    service.reservations<T>(method, `/${id}${path}`, { role: 'STAFF', ...options });

  await group.test('a check-in is undone on its day, and the same guest can be checked in again', async (t) => {
    const property = await BlackboxProperty.open(service);
    const body = { roomNumber: '201', roomType: 'DLX', floor: 2 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
    const { reservationId } = await property.booked({ from: 0 });
    const checkIn = () => of(reservationId, 'POST', '/checkin', { body: { identificationVerified: true } });
    isProblem(t, await of(reservationId, 'POST', '/undo-checkin', { body: {} }), 409, { code: 'INVALID_STATE' });
    must(await checkIn(), 200);
    isProblem(t, await of(reservationId, 'POST', '/undo-checkin', { body: {}, role: 'VIEWER' }), 403);
    const dry = must(await of(reservationId, 'POST', '/undo-checkin?dryRun=true', { body: {} }), 200);
    t.same(dry.json, { reservationId, status: 'CONFIRMED', roomNumber: '201', roomStatus: 'AVAILABLE' });
    t.match((await property.read(reservationId)).json, { status: 'CHECKED_IN' });
    const stale = { body: {}, headers: { 'if-match': '"1"' } };
    isProblem(t, await of(reservationId, 'POST', '/undo-checkin', stale), 412);
    const said = { body: { reason: 'The wrong Smith' }, headers: { 'idempotency-key': randomUUID() } };
    const done = must(await of(reservationId, 'POST', '/undo-checkin', said), 200);
    const again = must(await of(reservationId, 'POST', '/undo-checkin', said), 200);
    t.same([again.text, again.headers['idempotency-replayed']], [done.text, 'true']);
    const { json } = must(await of(reservationId, 'GET', '/history'), 200);
    t.match((json['items'] as Json[]).at(-1), { event: 'CHECK_IN_UNDONE', notes: 'The wrong Smith' });
    t.match((json['statusHistory'] as Json[]).at(-1), { oldStatus: 'CHECKED_IN', newStatus: 'CONFIRMED' });
    must(await checkIn(), 200);
    const used = { body: { roomUsed: true } };
    t.match(must(await of(reservationId, 'POST', '/undo-checkin', used), 200).json, { roomStatus: 'DIRTY' });
    await addsUp(t, property, 0, 4);
  });

  await group.test('a no-show and a waiver say what they would keep before they do it', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 0 });
    const manager = { role: 'MANAGER' as const };
    const dry = must(await of(reservationId, 'POST', '/no-show?dryRun=true', { body: {}, ...manager }), 200).json;
    t.match(dry, { status: 'NO_SHOW', cancellationPolicy: { penaltyAmount: 100 } });
    t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
    must(await of(reservationId, 'POST', '/no-show', { body: {}, ...manager }), 200);
    const waiver = { body: { amount: 30, reason: 'A strike' }, ...manager };
    t.match(must(await of(reservationId, 'POST', '/waive-penalty?dryRun=true', waiver), 200).json, {
      waived: { amount: 30 },
    });
    t.match((await property.read(reservationId)).json, { financial: { totalAmount: 100 } });
    must(await of(reservationId, 'POST', '/waive-penalty', waiver), 200);
    t.match((await property.read(reservationId)).json, { financial: { totalAmount: 70 } });
  });

  await group.test(
    'notes about a stay: written once, read by staff, deleted by their author or a MANAGER',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const { reservationId } = await property.booked({ from: 1 });
      const headers = { 'idempotency-key': randomUUID() };
      const write = (text: string, options: CallOptions = {}) =>
        of<Note>(reservationId, 'POST', '/notes', { body: { text }, ...options });
      const before = (await property.read(reservationId)).text;
      const first = must(await write('Wants a cot\nand a late check-out', { headers }), 201);
      const again = must(await write('Wants a cot\nand a late check-out', { headers }), 201);
      t.same([again.text, again.headers['idempotency-replayed']], [first.text, 'true']);
      isProblem(t, await write('Something else', { headers }), 422, { code: 'IDEMPOTENCY_MISMATCH' });
      isProblem(t, await write('x'.repeat(1_001)), 400, { pointers: ['/text'] });
      isProblem(t, await write('', {}), 400, { pointers: ['/text'] });
      const { noteId } = must(await write('By the manager', { role: 'MANAGER' }), 201).json;
      const list = () => of<Notes>(reservationId, 'GET', '/notes');
      t.match(must(await list(), 200).json.items, [
        { text: 'Wants a cot\nand a late check-out', mayDelete: true },
        { noteId, mayDelete: false },
      ]);
      isProblem(t, await of(reservationId, 'GET', '/notes', { role: 'VIEWER' }), 403);
      t.equal((await property.read(reservationId)).text, before, 'the reservation stays as it is');
      isProblem(t, await of(reservationId, 'DELETE', `/notes/${noteId}`), 403, { code: 'ROLE_TOO_LOW' });
      must(await of(reservationId, 'DELETE', `/notes/${first.json.noteId}`, { role: 'MANAGER' }), 200);
      must(await of(reservationId, 'DELETE', `/notes/${noteId}`, { role: 'MANAGER' }), 200);
      isProblem(t, await of(reservationId, 'DELETE', `/notes/${noteId}`, { role: 'MANAGER' }), 404, {
        code: 'NOTE_NOT_FOUND',
      });
      t.same(must(await list(), 200).json.items, []);
      const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${reservationId}`;
      const audited = must(await service.call<Trail>('GET', trail, { role: 'ADMIN' }), 200);
      t.equal(audited.json.items.filter(({ action }) => action === 'RECORD_NOTE').length, 4);
      t.notMatch(audited.text, 'Wants a cot', 'the trail has no text, which an erasure could not reach');
    },
  );

  await group.test('shift notes stay on the list until they are done', async (t) => {
    const property = await BlackboxProperty.open(service);
    const root = `/properties/${property.propertyId}/shift-notes`;
    const call = <T = Note & Json>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json) =>
      service.tenants<T>(method, `${root}${path}`, { role: 'STAFF', ...(body && { body }) });
    const { noteId } = must(await call('POST', '', { text: 'The safe of 204 sticks' }), 201).json;
    t.match(must(await call<Notes>('GET', ''), 200).json.items, [
      { noteId, businessDate: property.day(0), doneBy: null, doneAt: null },
    ]);
    const later = await call<Notes>('GET', `?date=${property.day(1)}`);
    t.match(must(later, 200).json.items, [{ noteId }], 'the next day reads what is not done');
    t.match(must(await call('PUT', `/${noteId}`, { done: true }), 200).json, { doneBy: String, doneAt: String });
    t.same(must(await call<Notes>('GET', `?date=${property.day(1)}`), 200).json.items, []);
    t.match(must(await call('PUT', `/${noteId}`, { done: false }), 200).json, { doneBy: null });
    must(await call('DELETE', `/${noteId}`), 200);
    isProblem(t, await call('PUT', `/${noteId}`, { done: true }), 404, { code: 'NOTE_NOT_FOUND' });
    isProblem(t, await service.tenants('GET', '/properties/nowhere/shift-notes', { role: 'STAFF' }), 404);
  });

  await group.test('the messages of a stay and what became of them', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 5 });
    await posted(service);
    type Messages = { items: (Json & { messageId: string })[] };
    const [mail] = await until('the mail is sent', 10_000, async () => {
      const { items } = must(await of<Messages>(reservationId, 'GET', '/messages'), 200).json;
      return items[0]?.['status'] === 'SENT' ? items : undefined;
    });
    t.match(mail, { kind: 'CONFIRMATION', channel: 'MAIL', attempts: 1, error: null });
    const other = await property.booked({ from: 7 });
    await posted(service);
    type Listed = { items: { reservationId: string; confirmationNumber: string }[]; nextCursor: string | null };
    const list = async (query: string) =>
      must(await service.tenants<Listed>('GET', `/properties/${property.propertyId}/messages${query}`), 200).json;
    const idsOf = ({ items }: Listed) => items.map(({ reservationId: id }) => id);
    t.same(idsOf(await list('')), [other.reservationId, reservationId], 'newest first');
    const first = await list('?limit=1');
    t.same(idsOf(first), [other.reservationId]);
    t.same(idsOf(await list(`?limit=1&cursor=${encodeURIComponent(first.nextCursor!)}`)), [reservationId]);
    t.same(idsOf(await list(`?q=${other.confirmationNumber.slice(0, 8).toLowerCase()}`)), [other.reservationId]);
    t.same(idsOf(await list(`?q=${reservationId}&kind=CONFIRMATION`)), [reservationId]);
    t.same(idsOf(await list('?kind=REMINDER')), []);
    t.same(idsOf(await list('?status=FAILED')), []);
    const again = (id: string) => of(reservationId, 'POST', `/messages/${id}/send-again`);
    isProblem(t, await again(mail!.messageId), 409, { code: 'INVALID_STATE' });
    isProblem(t, await again('nothing'), 404, { code: 'MESSAGE_NOT_FOUND' });
  });
}
