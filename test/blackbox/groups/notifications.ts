import type { Test } from 'tap';

import { messages, outbox, posted } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

type Health = { components: Record<string, { status: string }> };

/** Notifications of guests by mail and SMS; in development they are stored for `GET /dev/outbox`. */
export async function notifications(group: Test, service: Service): Promise<void> {
  await group.test('a paid booking is confirmed by mail, in plain text and in HTML', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId, confirmationNumber, guestInfo } = await property.booked();
    const [mail] = await messages(service, reservationId, 1);
    t.match(mail, { channel: 'MAIL', kind: 'CONFIRMATION', to: guestInfo.email, reservationId });
    t.equal(mail?.subject, `Your reservation ${confirmationNumber} at A house of the suite is confirmed`);
    for (const sent of [confirmationNumber, 'Type DLX', 'EUR 200.00', 'free of charge until', guestInfo.lastName]) {
      t.ok(mail?.text.includes(sent), `the text contains ${sent}`);
      t.ok(mail?.html?.includes(sent), `the HTML contains ${sent}`);
    }
    t.match(mail?.html, /^<!doctype html>/);
    t.ok(Math.abs(Date.parse(mail?.sentAt ?? '') - Date.now()) < 400 * 86_400_000);
    await posted(service);
    t.equal((await messages(service, reservationId, 1)).length, 1, 'once');
  });
  await group.test(
    'a guest is written to in the language of the booking, else in that of the property',
    async (t) => {
      const property = await BlackboxProperty.open(service, { policies: { language: 'fr' } });
      const { reservationId, guestInfo } = await property.booked({ guest: { language: 'de' } });
      t.match((await property.read(reservationId)).json, { guestInfo: { language: 'de' } });
      const [mail] = await messages(service, reservationId, 1);
      t.match(mail?.html, '<html lang="de">');
      t.match(mail?.text, `Guten Tag ${guestInfo.firstName} ${guestInfo.lastName},`);
      const other = await property.booked({ from: 40 });
      t.match((await messages(service, other.reservationId, 1))[0]?.html, '<html lang="fr">');
      isProblem(t, await property.book({ from: 50, guest: { language: 'it' } }), 400, {
        pointers: ['/guestInfo/language'],
      });
    },
  );
  await group.test('a hold is not notified, but its end is', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = must(await property.book({ card: null }), 201).json;
    await posted(service);
    t.same((await outbox(service, `?reservationId=${reservationId}`)).items, []);
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    t.match(await messages(service, reservationId, 1), [{ kind: 'CANCELLATION' }]);
  });
  await group.test('a declined card sends no notification', async (t) => {
    const property = await BlackboxProperty.open(service);
    isProblem(t, await property.book({ card: 'tok_declined', guest: { email: 'declined@example.com' } }), 422);
    await posted(service);
    t.notOk((await outbox(service, '?limit=200')).items.some(({ to }) => to === 'declined@example.com'));
  });
  await group.test('a change and a cancellation are notified, each once and in order', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ guest: { phone: '+49 170 1234567' } });
    const body = { modifications: { stayDetails: { checkOut: property.day(33) } } };
    must(await service.reservations('PUT', `/${reservationId}`, { body }), 200);
    must(await service.reservations('PUT', `/${reservationId}?dryRun=true`, { body }), 200);
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    isProblem(t, await service.reservations('DELETE', `/${reservationId}`), 409);
    await posted(service);
    const sent = await messages(service, reservationId, 6);
    const kinds = ['CONFIRMATION', 'MODIFICATION', 'CANCELLATION'];
    const of = (channel: string) => sent.filter((message) => message.channel === channel);
    t.same(
      of('MAIL')
        .map(({ kind }) => kind)
        .sort(),
      kinds.toSorted(),
    );
    t.same(
      of('SMS')
        .map(({ kind }) => kind)
        .sort(),
      kinds.toSorted(),
    );
    t.ok(of('SMS').every(({ to, subject, html }) => to === '+49 170 1234567' && subject === null && html === null));
    const changed = of('MAIL').find(({ kind }) => kind === 'MODIFICATION');
    t.match(changed?.text, /Nights: +3\n/);
    t.match(of('MAIL').find(({ kind }) => kind === 'CANCELLATION')?.text, /Refund: +EUR 200\.00/);
  });
  await group.test('the outbox is for ADMIN, shows the own tenant, and has pages', async (t) => {
    const property = await BlackboxProperty.open(service);
    await property.booked();
    await property.booked();
    await posted(service);
    const url = `${service.dev.reservationUrl}/dev/outbox`;
    isProblem(t, await service.call('GET', url, { authorization: null }), 401);
    isProblem(t, await service.call('GET', url, { role: 'MANAGER' }), 403);
    isProblem(t, await service.call('GET', `${url}?limit=201`), 400);
    isProblem(t, await service.call('GET', `${url}?cursor=made-up`), 400);
    const first = await outbox(service, '?limit=1');
    const second = await outbox(service, `?limit=1&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
    t.not(first.items[0]?.id, second.items[0]?.id);
    t.ok((first.items[0]?.sentAt ?? '') >= (second.items[0]?.sentAt ?? ''));
    const foreign = await outbox(service, '', { tenant: 'rival' });
    const all = new Set((await outbox(service, '?limit=200')).items.map(({ id }) => id));
    t.ok(all.size >= 2);
    t.notOk(foreign.items.some(({ id }) => all.has(id)));
  });
  await group.test('health reports the channels', async () => {
    // Answers of health are cached for a second.
    await until('health reports accepted messages', 60_000, async () => {
      const { json } = await service.call<Health>('GET', `${service.dev.reservationUrl}/actuator/health`);
      const { mail, sms } = json.components;
      return (mail?.status === 'UP' && sms?.status === 'UP') || undefined;
    });
  });
}
