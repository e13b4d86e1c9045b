import t from 'tap';

import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { createReservation } from '../../stay/operations/create-reservation.ts';
import { releaseUnclaimed } from '../../stay/operations/release-unclaimed.ts';
import { CALLER, TestFrontDesk, wish } from '../../testing/front-desk.ts';
import { freshId, plan, PROPERTY_ID } from '../../testing/property-world.ts';
import { chargeDues } from './charge-due.ts';

const DAY_MS = 86_400_000;
const AT_ONCE = { reason: 'GUEST_REQUEST', refundRequested: true } as const;

async function open(own: Partial<RatePlan>, t: Parameters<typeof TestFrontDesk.open>[0]) {
  const desk = await TestFrontDesk.open(t);
  const of = plan({ id: freshId(), code: 'OWN', ...own });
  await desk.running.send({ type: 'PUT_RATE_PLAN', mode: 'create', plan: of });
  const body = wish('tok_visa', { rateCode: 'OWN' });
  const { id } = (await createReservation(desk.services, CALLER, body)).result.reservation;
  const now = async () => (await desk.services.reservations.get('acme', id))!.reservation;
  const pass = async (days: number) => {
    desk.running.clock.pass(days * DAY_MS);
    await desk.running.send({ type: 'TICK' });
  };
  return { desk, id, now, pass, due: () => chargeDues(desk.services, PROPERTY_ID) };
}

t.test('the daily job charges what is due once, however often it runs', async (t) => {
  const { desk, now, pass, due } = await open(
    { guarantee: 'PREPAY', depositSchedule: [{ percent: 50, due: { daysBefore: 2 } }] },
    t,
  );
  await due();
  t.match(await now(), { status: 'CONFIRMED', paid: 0 });
  await pass(3);
  await Promise.all([due(), due()]);
  await due();
  t.match(await now(), { status: 'CONFIRMED', paid: 11_400 });
  t.equal(desk.gateway.charges.size, 1);
});

t.test('a card that fails on three days cancels the stay', async (t) => {
  const { desk, now, pass, due } = await open(
    { guarantee: 'PREPAY', depositSchedule: [{ percent: 100, due: { daysBefore: 4 } }] },
    t,
  );
  desk.gateway.before = async (request) => void (request.cardToken = 'tok_declined');
  for (const status of ['CONFIRMED', 'CONFIRMED', 'CANCELLED']) {
    await pass(1);
    await due();
    t.equal((await now()).status, status);
  }
  t.equal(desk.gateway.charges.size, 3);
  t.match(await now(), { cancellation: { reason: 'NO_PAYMENT' } });
});

t.test('a late cancellation charges the card that was taken', async (t) => {
  const { desk, id, now, pass } = await open({ guarantee: 'CARD' }, t);
  await pass(4);
  await cancelReservation(desk.services, CALLER, id, { ...AT_ONCE, description: undefined });
  while ((await now()).cancellation?.owed) await new Promise((done) => setTimeout(done, 1));
  t.match(await now(), { status: 'CANCELLED', paid: 11_400, cancellation: { penalty: 11_400 } });
});

t.test('an unclaimed room is released at its hour, and one run too early changes nothing', async (t) => {
  const { desk, now, pass } = await open({ guarantee: 'NONE', releaseHour: '18:00' }, t);
  await releaseUnclaimed(desk.services);
  t.equal((await now()).status, 'CONFIRMED');
  await pass(5.5);
  await releaseUnclaimed(desk.services);
  t.match(await now(), { status: 'CANCELLED', cancellation: { reason: 'RELEASED' } });
});
