import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { type Message, outbox } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import { until } from '../waiting.ts';

type Sent = { messageId: string | null; to: string };
type Listed = { items: { messageId: string; kind: string; status: string }[] };

/** Mails that staff send about a stay (docs/reference/invoices.md#by-mail). */
export async function stayMails(group: Test, service: Service): Promise<void> {
  const mail = (id: string, body: object, options: CallOptions & { query?: string } = {}) =>
    service.reservations<Sent>('POST', `/${id}/invoice/mail${options.query ?? ''}`, { body, ...options });
  const mailed = (reservationId: string, kind = 'INVOICE'): Promise<Message[]> =>
    until(`${kind} is sent`, 30_000, async () => {
      const { items } = await outbox(service, `?reservationId=${reservationId}`);
      const found = items.filter((one) => one.kind === kind);
      return found.length > 0 ? found : undefined;
    });

  await group.test('an invoice is mailed once, with its lines and the link of the receipt', async (t) => {
    const property = await BlackboxProperty.open(service, { policies: { taxPercent: 10 } });
    const { reservationId } = await property.booked({ from: 1 });
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    const dry = must(await mail(reservationId, {}, { query: '?dryRun=true' }), 202).json;
    t.match(dry, { to: String, messageId: null });
    const headers = { 'idempotency-key': randomUUID() };
    const first = must(await mail(reservationId, {}, { headers }), 202);
    const again = must(await mail(reservationId, {}, { headers }), 202);
    t.same([again.text, again.headers['idempotency-replayed']], [first.text, 'true']);
    isProblem(t, await mail(reservationId, { to: 'other@example.com' }, { headers }), 422, {
      code: 'IDEMPOTENCY_MISMATCH',
    });
    const sent = await mailed(reservationId);
    t.equal(sent.length, 1);
    const [{ to, subject, text, html }] = sent as [Message];
    t.equal(to, first.json.to);
    t.match(subject, /^Invoice INV-\d{4}-000001, /);
    t.match(text, /Cancellation fee +EUR 100\.00/);
    t.match(text, /Total +EUR 110\.00/);
    const link = /Your receipt: (\S+)/.exec(text)?.[1];
    t.ok(html?.includes(`href="${link}"`));
    const page = await fetch(new URL(link!, service.dev.reservationUrl));
    t.match(await page.text(), /Receipt: INV-/);
    const { items } = must(await service.reservations<Listed>('GET', `/${reservationId}/messages`), 200).json;
    t.match(
      items.find(({ kind }) => kind === 'INVOICE'),
      { messageId: first.json.messageId },
    );
  });

  await group.test('it goes to the address that is given, and is refused without any', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 1 });
    isProblem(t, await mail(reservationId, {}, { role: 'VIEWER' }), 403);
    isProblem(t, await mail(reservationId, { to: 'nobody' }), 400, { pointers: ['/to'] });
    isProblem(t, await mail(reservationId, { window: 'SHARER' }), 400);
    isProblem(t, await mail(randomUUID(), {}), 404, { code: 'RESERVATION_NOT_FOUND' });
    const before = (await property.read(reservationId)).text;
    must(await mail(reservationId, { to: 'books@example.com' }), 202);
    t.equal((await property.read(reservationId)).text, before, 'the stay is as it was');
    t.match(await mailed(reservationId), [{ to: 'books@example.com', subject: /^Pro forma invoice / }]);
    const walkIn = { guest: { email: '' }, from: 0, more: { source: { channel: 'WALKIN' } } };
    const nobody = must(await property.book(walkIn), 201).json.reservationId;
    isProblem(t, await mail(nobody, {}), 422, { code: 'NO_MAIL_ADDRESS' });
    isProblem(t, await mail(nobody, {}, { query: '?dryRun=true' }), 422, { code: 'NO_MAIL_ADDRESS' });
    must(await mail(nobody, { to: 'walk.in@example.com' }), 202);
  });
}
