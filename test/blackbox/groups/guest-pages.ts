import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import { pause } from '../waiting.ts';

type Said = { rating: number | null; comment: string | null; answeredAt: string | null };

const FORM = 'application/x-www-form-urlencoded';

/** Pages for guests, who have a link and no account (docs/concepts/rooms.md#housekeeping). */
export async function guestPages(group: Test, service: Service): Promise<void> {
  /** An address may open so many pages a second; a client over the limit waits. */
  const open = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`${service.dev.reservationUrl}${path}`, { headers: { accept: 'text/html' }, ...init });
    if (answer.status !== 429) return answer;
    await pause(Number(answer.headers.get('retry-after')) * 1_000);
    return open(path, init);
  };
  const send = (path: string, fields: Record<string, string>): Promise<Response> =>
    open(path, { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'text/html' } });
  const left = async (language?: string) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 } });
    const rooms = `/properties/${property.propertyId}/rooms`;
    must(await service.tenants('POST', rooms, { body: { roomNumber: '101', roomType: 'DLX', floor: 1 } }), 201);
    const email = `page-${randomUUID().slice(0, 8)}@example.com`;
    const guest = { lastName: 'Page', email, ...(language !== undefined && { language }) };
    const { reservationId, guestInfo } = await property.booked({ from: 0, nights: 1, guest });
    const read = (more = {}) => service.reservations<Said>('GET', `/${reservationId}/survey`, more);
    const arrived = { body: { identificationVerified: true, keyCards: 1 } };
    must(await service.reservations('POST', `/${reservationId}/checkin`, arrived), 200);
    const { json } = must(
      await service.reservations<{ feedback: { surveyUrl: string } }>('POST', `/${reservationId}/checkout`, {
        body: {},
      }),
      200,
    );
    return { reservationId, guestId: guestInfo.guestId, read, surveyUrl: json.feedback.surveyUrl };
  };

  await group.test('a guest rates his stay once, and the property reads it', async (t) => {
    const { read, surveyUrl } = await left();
    t.match(must(await read(), 200).json, { rating: null, comment: null, answeredAt: null });
    const asked = await open(surveyUrl);
    t.equal(asked.status, 200);
    t.match(await asked.text(), /How was your stay\?[\s\S]*<form method="post">/);
    t.match(asked.headers.get('cache-control'), 'no-store');
    t.equal(asked.headers.get('referrer-policy'), 'no-referrer');
    const thanked = await send(surveyUrl, { rating: '4', comment: ' Quiet <b>rooms</b> ' });
    t.equal(thanked.status, 200);
    t.match(await thanked.text(), 'Thank you');
    t.match(must(await read(), 200).json, { rating: 4, comment: 'Quiet <b>rooms</b>', answeredAt: String });
    t.equal((await send(surveyUrl, { rating: '1', comment: 'Again' })).status, 200);
    t.match(must(await read(), 200).json, { rating: 4, comment: 'Quiet <b>rooms</b>' }, 'the first answer stands');
    t.match(await (await open(surveyUrl)).text(), 'Thank you');
    t.match(must(await read({ role: 'VIEWER' }), 200).json, { rating: 4, comment: null });
    isProblem(t, await read({ tenant: 'rival' }), 404);
  });

  await group.test('the pages are in the language of the guest, a dead link in that of the browser', async (t) => {
    const { surveyUrl, reservationId } = await left('pt');
    t.match(await (await open(surveyUrl)).text(), /<html lang="pt">[^]*Como foi a sua estadia\?/);
    t.match(await (await send(surveyUrl, { rating: '4' })).text(), 'Obrigado');
    const { receiptUrl } = must(
      await service.reservations<{ receiptUrl: string }>('GET', `/${reservationId}/invoice`),
      200,
    ).json;
    t.match(await (await open(receiptUrl)).text(), /<html lang="pt">[^]*Recibo: INV-[^]*Saldo/);
    const headers = { accept: 'text/html', 'accept-language': 'fr-CH, en;q=0.5' };
    const dead = await open(`${receiptUrl}x`, { headers });
    t.match([dead.status, await dead.text()], [404, /<html lang="fr">[^]*Ce lien n’ouvre rien/]);
  });

  await group.test('his answers are exported to him, and deleted when he is erased', async (t) => {
    const { guestId, read, surveyUrl } = await left();
    await send(surveyUrl, { rating: '5', comment: 'My room had a view' });
    const path = `${service.dev.reservationUrl}/api/v1/guests/${guestId}`;
    const answer = must(await service.call('GET', `${path}/export`), 200).json;
    t.match(answer, { reservations: [{ survey: { rating: 5, comment: 'My room had a view', answeredAt: String } }] });
    must(await service.call('DELETE', path), 200);
    t.match(must(await read(), 200).json, { rating: 5, comment: null });
    const other = await left();
    must(await service.call('DELETE', `${service.dev.reservationUrl}/api/v1/guests/${other.guestId}`), 200);
    t.equal((await send(other.surveyUrl, { rating: '1', comment: 'I am Page' })).status, 409);
  });

  await group.test('an invalid answer is a problem, and nothing is stored', async (t) => {
    const { read, surveyUrl } = await left();
    for (const fields of [{}, { rating: '0' }, { rating: '6' }, { rating: '2.5' }, { rating: 'x' }])
      t.equal((await send(surveyUrl, fields as Record<string, string>)).status, 400, JSON.stringify(fields));
    t.equal((await send(surveyUrl, { rating: '3', comment: 'x'.repeat(1_001) })).status, 400);
    t.equal((await send(surveyUrl, { rating: '3', stars: '5' })).status, 400);
    t.equal((await send(surveyUrl, { rating: '3', comment: 'x'.repeat(20_000) })).status, 413);
    t.match(must(await read(), 200).json, { rating: null });
  });

  await group.test('links cannot be tried without end', async (t) => {
    const tries = Array.from({ length: 60 }, (_, n) => fetch(`${service.dev.reservationUrl}/survey/k.demo~${n}.00`));
    const refused = (await Promise.all(tries)).filter(({ status }) => status === 429);
    t.ok(refused.length > 0);
    t.match(refused[0]?.headers.get('ratelimit-limit'), /^\d+$/);
  });

  await group.test('a link opens its own page only, and forms go nowhere else', async (t) => {
    const { surveyUrl, reservationId } = await left();
    const wrong = [
      surveyUrl.replace('/survey/', '/receipts/'),
      `${surveyUrl.slice(0, -1)}x`,
      `/survey/${reservationId}`,
    ];
    for (const path of wrong) {
      const answer = await open(path);
      t.equal(answer.status, 404, path);
      t.match(await answer.text(), 'Nothing here');
      const problem = await open(path, { headers: { accept: 'application/json' } });
      t.match(await problem.json(), { code: 'RESERVATION_NOT_FOUND' });
    }
    t.equal((await send(`${surveyUrl.slice(0, -1)}x`, { rating: '3' })).status, 404);
    const { reservationId: coming } = await (await BlackboxProperty.open(service)).booked({ from: 3 });
    isProblem(t, await service.reservations('GET', `/${coming}/survey`, { tenant: 'rival' }), 404);
    const form = { method: 'POST', body: 'a=b', headers: { 'content-type': FORM, authorization: 'Bearer x' } };
    t.equal((await open('/api/v1/reservations', form)).status, 401, 'the token comes first');
    const headers = { 'content-type': FORM };
    isProblem(t, await service.reservations('POST', '', { body: 'a=b', headers }), 415);
  });
}
