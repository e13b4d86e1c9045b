import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page, Reservation } from '../shapes.ts';

type Profile = {
  guestId: string;
  phone: string | null;
  version: number;
  consent: { marketingByMail: boolean; at: string; by: string } | null;
  merged: { guestId: string; email: string }[];
  history: { reservations: number };
};
type Merge = {
  lines: { field: string; takes: string }[];
  reservations: number;
  notes: number;
  guest: Profile | null;
};
type Note = { noteId: string; text: string };

/** Merged profiles, consent, notes and versions (docs/reference/guests.md#guests). */
export async function guestMerges(group: Test, service: Service): Promise<void> {
  const call = <T = Profile>(method: string, path: string, options: CallOptions = {}) =>
    service.call<T>(method, `${service.dev.reservationUrl}/api/v1/guests${path}`, { role: 'MANAGER', ...options });

  await group.test('two profiles of one person are merged, and either id and address leads to one', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 6 } });
    const lastName = `m${randomUUID().slice(0, 8)}`;
    const digits = String(Date.now()).slice(-9);
    const surviving = { firstName: 'Mia', lastName, email: `mia.${lastName}@example.com` };
    const other = { firstName: 'Mya', lastName, email: `mya.${lastName}@example.com`, phone: `+34 ${digits}` };
    const [first, second] = [await property.booked({ guest: surviving }), await property.booked({ guest: other })];
    const [id, from] = [first.guestInfo.guestId, second.guestInfo.guestId];
    must(await call('PUT', `/${from}`, { body: { consent: { marketingByMail: true } } }), 200);
    must(await call<Note>('POST', `/${from}/notes`, { body: { text: 'Quiet room' } }), 201);

    const path = `/${id}/merge`;
    isProblem(t, await call('POST', path, { role: 'STAFF', body: { from } }), 403);
    isProblem(t, await call('POST', path, { body: { from: id } }), 400);
    isProblem(t, await call('POST', path, { body: { from: randomUUID() } }), 404, { code: 'GUEST_NOT_FOUND' });
    const plan = must(await call<Merge>('POST', `${path}?dryRun=true`, { body: { from } }), 200).json;
    t.match(plan, { reservations: 2, notes: 1, guest: null });
    t.same(
      plan.lines.filter(({ takes }) => takes === 'OTHER').map(({ field }) => field),
      ['phone', 'marketingByMail'],
    );
    t.equal(must(await call('GET', `/${from}`), 200).json.guestId, from, 'nothing is stored by a dry run');

    for (const _ of ['first', 'repeat']) {
      const merged = must(await call<Merge>('POST', path, { body: { from } }), 200).json;
      t.match(merged.guest, { guestId: id, phone: other.phone, consent: { marketingByMail: true } });
      t.match(merged.guest!.merged, [{ guestId: from, email: other.email }]);
      t.equal(merged.guest!.history.reservations, 2);
    }
    t.equal(must(await call('GET', `/${from}`), 200).json.guestId, id);
    for (const one of [id, from]) {
      const stays = must(await call<Page<Reservation>>('GET', `/${one}/reservations`), 200).json;
      t.same(
        stays.items.map(({ reservationId }) => reservationId),
        [second.reservationId, first.reservationId],
      );
      const listed = await service.reservations<Page<Reservation>>('GET', `?guestId=${one}`);
      t.equal(listed.json.items.length, 2);
    }
    t.match(must(await call<Page<Note>>('GET', `/${id}/notes`), 200).json.items, [{ text: 'Quiet room' }]);
    t.equal((await property.booked({ guest: other })).guestInfo.guestId, id, 'a booking with the old address');
    for (const q of [`0034${digits}`, `mya.${lastName}`, digits.slice(2)]) {
      const { items } = must(await call<Page<Profile>>('GET', `?q=${encodeURIComponent(q)}`), 200).json;
      t.same(
        items.map(({ guestId }) => guestId),
        [id],
        q,
      );
    }
    const url = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${id}`;
    const trail = await service.call<Page<{ action: string }>>('GET', url, { role: 'ADMIN' });
    t.ok(must(trail, 200).json.items.some(({ action }) => action === 'MERGED'));
    const exported = must(await call<{ reservations: unknown[]; notes: Note[] }>('GET', `/${from}/export`), 200).json;
    t.equal(exported.reservations.length, 3);
    t.match(exported.notes, [{ text: 'Quiet room' }]);
  });

  await group.test('the second of two editors sees what the first has done', async (t) => {
    const property = await BlackboxProperty.open(service);
    const lastName = `v${randomUUID().slice(0, 8)}`;
    const guest = { firstName: 'Vera', lastName, email: `${lastName}@example.com` };
    const path = `/${(await property.booked({ guest })).guestInfo.guestId}`;
    const read = must(await call('GET', path), 200);
    t.equal(read.headers.etag, `"${read.json.version}"`);
    const headers = { 'if-match': String(read.headers.etag) };
    const changed = must(await call('PUT', path, { headers, body: { phone: '+49 1' } }), 200);
    t.equal(changed.headers.etag, `"${read.json.version + 1}"`);
    isProblem(t, await call('PUT', path, { headers, body: { phone: '+49 2' } }), 412, { code: 'STALE_VERSION' });
    t.equal(must(await call('GET', path), 200).json.phone, '+49 1');
  });

  await group.test('a note is written once under its key, and deleted by its author or a manager', async (t) => {
    const property = await BlackboxProperty.open(service);
    const lastName = `n${randomUUID().slice(0, 8)}`;
    const guest = { firstName: 'Nora', lastName, email: `${lastName}@example.com` };
    const path = `/${(await property.booked({ guest })).guestInfo.guestId}/notes`;
    const staff = { role: 'STAFF', headers: { 'idempotency-key': randomUUID() } } as const;
    for (const _ of ['first', 'repeat']) must(await call<Note>('POST', path, { ...staff, body: { text: 'A' } }), 201);
    const { items } = must(await call<Page<Note>>('GET', path, { role: 'STAFF' }), 200).json;
    t.equal(items.length, 1);
    isProblem(t, await call('GET', path, { role: 'VIEWER' }), 403);
    isProblem(t, await call('POST', path, { role: 'STAFF', body: { text: '' } }), 400, { pointers: ['/text'] });
    must(await call('DELETE', `${path}/${items[0]!.noteId}`), 200);
    isProblem(t, await call('DELETE', `${path}/${items[0]!.noteId}`), 404, { code: 'NOTE_NOT_FOUND' });
  });
}
