import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { messages } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

type Letter = { kind: string; language: string; isOwn: boolean; own: object; standard: object; version: number };
type Kinds = { language: string; kinds: { kind: string; values: string[]; letters: Letter[] }[] };
type Preview = { subject: string; text: string; html: string };
type Trail = { items: { action: string; before: object; after: object }[] };

/** Letters with own texts of a property (docs/reference/letters.md#letters). */
export async function letters(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const path = `/properties/${property.propertyId}/letters`;
  const put = (name: string, body: unknown, headers: Record<string, string> = {}) =>
    service.tenants<Letter>('PUT', `${path}/${name}`, { body, headers });

  await group.test('every kind of letter is listed in five languages, with what its texts can name', async (t) => {
    const { json } = must(await service.tenants<Kinds>('GET', path), 200);
    t.equal(json.language, 'en');
    t.equal(json.kinds.length, 16);
    const confirmation = json.kinds.find(({ kind }) => kind === 'CONFIRMATION');
    t.ok(confirmation?.values.includes('confirmationNumber'));
    t.same(
      confirmation?.letters.map(({ language }) => language),
      ['en', 'de', 'fr', 'es', 'pt'],
    );
    t.match(confirmation?.letters[1], { isOwn: false, version: 0, own: {}, standard: { subject: /Reservierung/ } });
    isProblem(t, await service.tenants('GET', '/properties/nowhere/letters'), 404, { code: 'PROPERTY_NOT_FOUND' });
  });

  await group.test('own texts are what guests get, are audited, and are taken back', async (t) => {
    const own = { subject: 'Bis bald, {guest}', opening: "Alles über l'{property}." };
    const headers = { 'idempotency-key': randomUUID(), 'if-match': '"0"' };
    const first = must(await put('CONFIRMATION/de', own, headers), 200);
    t.match(first.json, { isOwn: true, version: 1, own: { ...own, opening: 'Alles über l’{property}.' } });
    t.equal(first.headers.etag, '"1"');
    t.equal(must(await put('CONFIRMATION/de', own, headers), 200).text, first.text, 'a repeat changes it once');
    isProblem(t, await put('CONFIRMATION/de', own, { 'if-match': '"0"' }), 412, { code: 'STALE_VERSION' });

    const { reservationId } = await property.booked({ guest: { firstName: 'Zoé', language: 'de' } });
    const [mail] = await messages(service, reservationId, 1);
    t.match(mail?.subject, /^Bis bald, Zoé /);
    t.match(mail?.text, /^Alles über l’.*\.$/m);
    t.match(mail?.text, 'Bitte halten Sie Ihre Buchungsnummer bereit');

    const reset = must(await service.tenants<Letter>('DELETE', `${path}/CONFIRMATION/de`), 200);
    t.match(reset.json, { isOwn: false, own: {}, version: 2 });
    const about = `entity=letter&propertyId=${property.propertyId}`;
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?${about}`;
    const { items } = must(await service.call<Trail>('GET', trail), 200).json;
    t.equal(items.length, 2);
    t.match(items, [
      { action: 'RESET', before: { subject: own.subject }, after: {} },
      { action: 'CHANGED', before: {}, after: { subject: own.subject } },
    ]);
    const resets = must(await service.call<Trail>('GET', `${trail}&action=reset`), 200).json.items;
    t.same(
      resets.map(({ action }) => action),
      ['RESET'],
    );
  });

  await group.test('texts that cannot be used are refused with the place and what to do', async (t) => {
    const refused = async (body: object, error: object) => {
      const answer = await put('REMINDER/en', body);
      isProblem(t, answer, 400);
      t.match(answer.json, { errors: [error] });
    };
    await refused({ subject: 'Hi {deposit}' }, { pointer: '/subject', code: 'UNKNOWN_VALUE', detail: /\{arrival\}/ });
    await refused({ opening: 'Dear {guest' }, { pointer: '/opening', code: 'UNREADABLE', detail: /both braces/ });
    await refused({ closing: 'a <b>bold</b> word' }, { pointer: '/closing', code: 'HTML', detail: /plain text/ });
    await refused({ closing: '{arrival, date, short}' }, { pointer: '/closing', code: 'FORMAT' });
    await refused({ subject: 'x'.repeat(201) }, { pointer: '/subject' });
    await refused({ subject: 'one\ntwo' }, { pointer: '/subject', code: 'CONTROL_CHARACTER' });
    await refused({ opening: 'bell \u0007' }, { pointer: '/opening', code: 'CONTROL_CHARACTER' });
    isProblem(t, await put('REMINDER/en', {}), 400);
    isProblem(t, await put('REMINDER/it', { subject: 'Ciao' }), 404, { code: 'LETTER_NOT_FOUND' });
    isProblem(t, await put('BIRTHDAY/en', { subject: 'Hi' }), 404, { code: 'LETTER_NOT_FOUND' });
  });

  await group.test('a preview has an invented guest, and stores nothing', async (t) => {
    const preview = (kind: string, body: object) =>
      service.tenants<Preview>('POST', `${path}/${kind}/preview`, { body });
    const { json } = must(await preview('WALK', { language: 'fr', closing: 'À bientôt, {guest} & <3.' }), 200);
    t.match(json.html, '<html lang="fr">');
    t.match(json.text, 'Bonjour Alex Sample,');
    t.match(json.html, '<p>À bientôt, Alex Sample &#38; &#60;3.</p>');
    isProblem(t, await preview('WALK', { language: 'fr', closing: '{nobody}' }), 400);
    const { kinds } = must(await service.tenants<Kinds>('GET', path), 200).json;
    t.ok(kinds.every(({ letters: all }) => all.every(({ isOwn }) => !isOwn)));
  });
}
