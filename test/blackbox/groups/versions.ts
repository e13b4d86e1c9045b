import type { Test } from 'tap';

import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

type Paths = { paths: Record<string, Record<string, unknown>> };

/** What is about a stay and is not the stay. */
const PAPERS =
  /\/(history|survey|invoice(\/mail)?|guest-verification|refunds\/.+|notes(\/.+)?|payment-links(\/.+)?|stay-page(\/.+)?|messages(\/.+)?)$/;
const ONE = /^\/api\/v1\/(admin\/)?reservations(\/\{reservationId\}.*)?$/;

/**
 * Every answer about one reservation has its version at that time, as its `ETag`
 * (docs/reference/api.md#versions).
 */
export async function versions(group: Test, service: Service): Promise<void> {
  const url = service.dev.reservationUrl;
  const policies = { autoConfirmation: false };
  const property = await BlackboxProperty.open(service, { policies });
  for (const roomNumber of ['101', '102'])
    must(
      await service.tenants('POST', `/properties/${property.propertyId}/rooms`, {
        body: { roomNumber, roomType: 'DLX', floor: 1 },
      }),
      201,
    );
  must(await property.price('STD', 0, 9, 80), 200);
  const seen = new Set<string>();

  /** Changes a reservation step by step; the version of each answer is the one that it made. */
  const lives = async (t: Test, body: unknown, steps: [method: string, path: string, body?: unknown][]) => {
    let id = '';
    let postingId = '';
    let paymentId = '';
    let version = 0;
    for (const [method, path, asked] of [['POST', '', body] as const, ...steps]) {
      const isAdmin = path.startsWith('admin:');
      const below = isAdmin ? path.slice('admin:'.length) : path;
      const root = `${url}/api/v1/${isAdmin ? 'admin/' : ''}reservations`;
      const place = `${root}${id && `/${id}`}${below.replace('{postingId}', postingId).replace('{paymentId}', paymentId)}`;
      const answer = await service.call<{ reservationId: string; postingId?: string }>(method, place, {
        body: asked,
        role: isAdmin ? 'ADMIN' : 'MANAGER',
      });
      const named = `${method} ${root.slice(url.length)}${id && '/{reservationId}'}${below}`;
      seen.add(named);
      t.match(answer.status, /^20[01]$/, `${named}: ${answer.text.slice(0, 200)}`);
      const [, etag] = /^"(\d+)"$/.exec(answer.headers.etag ?? '') ?? [];
      t.ok(Number(etag) > version || (method === 'GET' && Number(etag) >= version), `${named} has ${etag}`);
      id ||= answer.json.reservationId;
      postingId = answer.json.postingId ?? postingId;
      const read = await property.read(id);
      paymentId = read.json.financial.paymentDetails?.[0]?.paymentId ?? '';
      version = versionOf(read.headers.etag);
      // Money that goes back makes a version of its own, a moment later.
      t.ok(Number(etag) <= version, `${named} has no future version`);
    }
  };

  await group.test('a stay, from its booking to its end', async (t) => {
    await lives(t, property.wish({ from: 0 }), [
      ['POST', '/confirm', {}],
      ['GET', ''],
      ['POST', '/comp', { reason: 'noise' }],
      ['DELETE', '/comp', {}],
      ['PUT', '', { modifications: { specialRequests: ['one'] }, reason: 'asked', modifiedBy: 'desk' }],
      ['PUT', '/room', { roomNumber: '101' }],
      ['POST', '/checkin', { identificationVerified: true }],
      ['POST', '/undo-checkin', {}],
      ['POST', '/checkin', { identificationVerified: true }],
      ['POST', '/folio/postings', { description: 'Water', unitAmount: 4.5 }],
      ['POST', '/folio/postings/{postingId}/void', { reason: 'Wrong room' }],
      ['PUT', '/folio/routing', { rules: [{ kind: 'EXTRA', window: 'GUEST' }] }],
      ['GET', '/folio'],
      ['POST', '/checkout', {}],
    ]);
    await lives(t, property.wish({ from: 0, nights: 1 }), [
      ['POST', '/confirm', {}],
      ['POST', 'admin:/assign-room', { roomNumber: '102' }],
      ['POST', '/checkin', { identificationVerified: true }],
      ['POST', 'admin:/force-checkout', {}],
    ]);
    await lives(t, property.wish({ from: 0, nights: 1, roomType: 'STD' }), [
      ['POST', '/confirm', {}],
      ['POST', '/upgrade', { roomType: 'DLX', amountPerNight: 20 }],
      ['POST', '/no-show'],
      ['POST', '/reinstate', { reason: 'He came' }],
    ]);
  });

  await group.test('a stay that is paid later, and cancelled', async (t) => {
    await lives(t, property.wish({ from: 1, card: null }), [
      ['POST', '/payments', { method: 'CASH' }],
      ['POST', '/confirm', {}],
      ['DELETE', '', {}],
      ['POST', '/refunds', { amount: 1, reason: 'noise' }],
      ['POST', '/waive-penalty', { reason: 'ill' }],
    ]);
  });

  await group.test('a guest who is sent to another hotel', async (t) => {
    await lives(t, property.wish({ from: 0, roomType: 'STD' }), [
      ['POST', '/confirm', {}],
      ['POST', '/walk', { to: 'The Crown', reason: 'A burst pipe' }],
    ]);
  });

  await group.test('a stay whose payment is taken back', async (t) => {
    await lives(t, property.wish({ from: 5 }), [
      ['POST', '/payments/{paymentId}/chargeback', { reason: 'fraud', amount: 10 }],
      ['POST', '/payments/{paymentId}/chargeback/win', { reason: 'he was there' }],
      ['POST', '/payments/{paymentId}/chargeback', { reason: 'again', amount: 20 }],
      ['POST', '/payments/{paymentId}/chargeback/close', { reason: 'not worth it', writeOff: true }],
    ]);
  });

  await group.test('no route is left out', async (t) => {
    const { json } = must(await service.call<Paths>('GET', `${url}/v3/api-docs`, { authorization: null }), 200);
    const routes = Object.entries(json.paths).flatMap(([path, methods]) =>
      ONE.test(path) && !PAPERS.test(path)
        ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
        : [],
    );
    const list = 'GET /api/v1/reservations';
    t.same(routes.filter((route) => route !== list).toSorted(), [...seen].toSorted());
  });
}

function versionOf(etag = ''): number {
  return Number(etag.slice(1, -1));
}
