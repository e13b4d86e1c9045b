import tap, { type Test, test } from 'tap';

import { differences, type Reading, readAgain } from '../releases/reading.ts';
import { FIRST_RELEASE } from '../releases/release-data.ts';
import { restored, runOn } from '../releases/restored.ts';
import { auditIsClean } from './audit.ts';
import { advanceClock, BlackboxProperty, must } from './property.ts';
import type { CallOptions } from './service.ts';
import type { Cancelled, Modified, Reservation } from './shapes.ts';

/** A restore and two days of a database that the first release has written (docs/guide/testing.md#data-of-releases). */
tap.setTimeout(300_000);

const { service, expected } = await restored(FIRST_RELEASE.name);
tap.teardown(() => service.remove());
const { scene, reading } = expected;

const properties = (): Promise<BlackboxProperty[]> =>
  Promise.all(scene.propertyIds.map((propertyId) => BlackboxProperty.known(service, propertyId)));
const idOf = (name: string): string => scene.stays[name]!;
const post = <T>(name: string, action: string, body: object = {}, options: CallOptions = {}) =>
  service.reservations<T>('POST', `/${idOf(name)}/${action}`, { body, ...options });
const financial = async (name: string) =>
  must(await service.reservations<Reservation>('GET', `/${idOf(name)}`), 200).json.financial;

type Night = { availableRooms?: number; blockedRooms?: number; availability?: number };
type OfType = Night & { roomType: string; dailyRates?: Night[] };

/** Room 104, which 0.1.0 had put out of order and sold all the same, is off sale: one of DLX less on each night. */
function withoutClosedRoom(before: Reading): Reading {
  const after = structuredClone(before);
  for (const [path, answer] of Object.entries(after)) {
    if (path.includes('asOf=') || !/availability|rates.current/.test(path)) continue;
    const { items = [], rates = [] } = answer as unknown as { items?: OfType[]; rates?: OfType[] };
    for (const night of items.filter(({ roomType }) => roomType === 'DLX')) {
      night.availableRooms! -= 1;
      night.blockedRooms! += 1;
    }
    for (const { dailyRates = [] } of rates.filter(({ roomType }) => roomType === 'DLX'))
      for (const night of dailyRates) night.availability! -= 1;
  }
  return after;
}

async function isSound(t: Test): Promise<void> {
  for (const property of await properties()) await auditIsClean(t, property);
}

void test('a restored backup of the first release comes up', async (t) => {
  await service.up();
  t.match(await runOn(service, 'audit:verify'), { code: 0, output: /every chain is whole/ });
  await isSound(t);
});

void test('everything reads as the first release read it, also as of moments before the upgrade', async (t) => {
  const again = await readAgain(service, reading);
  t.ok(Object.keys(reading).length > 100);
  t.strictSame(differences(again, withoutClosedRoom(reading)), {});
});

void test('terms of before the upgrade hold: a cancel costs what the policy of the booking says', async (t) => {
  const cancel = async (name: string): Promise<Cancelled> =>
    must(await service.reservations<Cancelled>('DELETE', `/${idOf(name)}`, { body: {} }), 200).json;
  const priceOf = async (name: string) => (await financial(name)).totalAmount;
  const strict = await priceOf('nonRefundable');
  const half = await priceOf('ownPolicy');
  t.match(await cancel('nonRefundable'), {
    cancellationPolicy: { policyName: 'NON_REFUNDABLE', penaltyAmount: strict },
    refund: { refundAmount: 0 },
  });
  t.match(await cancel('ownPolicy'), { cancellationPolicy: { policyName: 'TWO_WEEKS', penaltyAmount: 0 } });
  t.ok(half > 0);
  t.match(await cancel('promoted'), { cancellationPolicy: { policyName: 'STANDARD', penaltyAmount: 0 } });
  t.match(await cancel('cousin'), { status: 'CANCELLED' });
});

void test('stays of before the upgrade are changed, checked out, paid and refunded', async (t) => {
  const nights = { modifications: { stayDetails: { nights: 4 } }, modifiedBy: 'desk', reason: 'longer' };
  const longer = must(await service.reservations<Modified>('PUT', `/${idOf('flexible')}`, { body: nights }), 200);
  t.match(longer.json, { changes: { nights: { from: 3, to: 4 } } });
  const left = must(await post<Reservation>('staying', 'checkout', { finalCharges: [{ code: 'MINIBAR' }] }), 200);
  t.match(left.json, { status: 'CHECKED_OUT', finalBill: { additionalCharges: Number } });
  const { paidAmount, totalAmount } = (await financial('cancelledCredit')) as unknown as Record<string, number>;
  t.match({ paidAmount, totalAmount }, { paidAmount: 226, totalAmount: 0 });
  const credit = { amount: 226, reason: 'not used' };
  must(await post('cancelledCredit', 'refunds', credit, { role: 'MANAGER' }), 201);
  t.match(await financial('cancelledCredit'), { paidAmount: 0, balanceDue: 0 });
  must(await post('waived', 'waive-penalty', { reason: 'ill' }, { role: 'MANAGER' }), 200);
  must(await post('pending', 'payments', { method: 'CREDIT_CARD', cardToken: 'tok_visa' }), 201);
  t.match((await service.reservations('GET', `/${idOf('pending')}`)).json, { status: 'CONFIRMED' });
  const open = await service.reservations<{ items: { refundId: string; reservationId: string }[] }>(
    'GET',
    '/refunds',
  );
  const cash = open.json.items.find(({ reservationId }) => reservationId === idOf('cash'))!;
  must(await post('cash', `refunds/${cash.refundId}/pay-out`, { method: 'CASH' }), 200);
  await isSound(t);
});

void test('what was held before the upgrade is booked, and a day passes', async (t) => {
  const [city] = await properties();
  const held = await city!.booked({ from: 30 - 2, more: { holdId: scene.holdId } });
  t.match(held, { status: 'CONFIRMED' });
  must(await advanceClock(service, 86_400), 200);
  t.match((await service.reservations('GET', `/${idOf('arriving')}`)).json, { status: 'NO_SHOW' });
  const reports = `${service.dev.reservationUrl}/api/v1/analytics/reports?propertyId=${city!.propertyId}`;
  const { items } = must(await service.call<{ items: unknown[] }>('GET', reports), 200).json;
  t.equal(items.length, 3, 'a night audit more than before');
  await isSound(t);
  t.match(await runOn(service, 'audit:verify'), { code: 0, output: /every chain is whole/ });
});
