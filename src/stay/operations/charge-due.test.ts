import t from 'tap';

import { SealedText } from '../../kernel/operations/sealed-text.ts';
import { paymentBody } from '../../money/contracts/payments.ts';
import { takePayment } from '../../money/operations/take-payment.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import { CALLER, TestFrontDesk, wish } from '../../testing/front-desk.ts';
import { freshId, plan, PROPERTY_ID } from '../../testing/property-world.ts';
import { cancelReservation } from './cancel-reservation.ts';
import { chargeDues } from './charge-due.ts';
import { createReservation } from './create-reservation.ts';
import { listDeskTasks } from './list-desk-tasks.ts';
import { markNoShows } from './mark-no-show.ts';
import { reconcileAttempts } from './reconcile-attempts.ts';
import { releaseUnclaimed } from './release-unclaimed.ts';

const DAY_MS = 86_400_000;
const AT_ONCE = { reason: 'GUEST_REQUEST', refundRequested: true } as const;

async function open(own: Partial<RatePlan>, t: Parameters<typeof TestFrontDesk.open>[0], cardToken = 'tok_visa') {
  const desk = await TestFrontDesk.open(t);
  const of = plan({ id: freshId(), code: 'OWN', ...own });
  await desk.running.send({ type: 'PUT_RATE_PLAN', mode: 'create', plan: of });
  const body = wish(cardToken === 'NONE' ? undefined : cardToken, { rateCode: 'OWN' });
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

const LATER = { guarantee: 'PREPAY' as const, depositSchedule: [{ percent: 100, due: { daysBefore: 4 } }] };

t.test('a card that our keys do not open is no failed try, and is charged once they do', async (t) => {
  const { desk, id, now, pass, due } = await open(LATER, t);
  let unreadable = 0;
  desk.services.metricEvents.on('cardUnreadable', () => (unreadable += 1));
  const ours = desk.services.sealed;
  desk.services.sealed = new SealedText([{ id: 'k2', secret: new Uint8Array(32).fill(2) }]);
  for (let day = 0; day < 4; day++) {
    await pass(1);
    t.equal(await due(), false, 'the job of the day is not done');
  }
  t.match(await now(), { status: 'CONFIRMED', paid: 0, payments: [] });
  t.equal(unreadable, 4);
  const reservations = { ...desk.services.reservations, list: async () => ({ items: [await now()] }) };
  const query = { propertyId: PROPERTY_ID.propertyId, limit: 50 };
  const tasks = async () => (await listDeskTasks({ ...desk.services, reservations }, CALLER, query)).items;
  desk.running.clock.pass(DAY_MS / 4);
  t.match(await tasks(), [
    { kind: 'PAYMENT_NOT_TRIED', reservation: { id }, payment: { amount: 22_800, triesLeft: 3 } },
  ]);
  desk.services.sealed = ours;
  t.equal(await due(), true);
  t.match(await now(), { status: 'CONFIRMED', paid: 22_800 });
  t.same(await tasks(), []);
});

t.test(
  'an attempt that never reaches the provider is no failed try, and is made again on the same day',
  async (t) => {
    const { desk, now, pass, due } = await open(LATER, t);
    for (let day = 0; day < 4; day++) {
      desk.gateway.before = () => Promise.reject(new Error('the process is gone'));
      await pass(1);
      await due();
      t.match((await now()).payments.at(-1), { status: 'PROCESSING' });
      if (day === 3) desk.gateway.before = async () => {};
      desk.running.clock.pass(121_000);
      await reconcileAttempts(desk.services);
    }
    const { status, paid, payments, timeline } = await now();
    t.match([status, paid], ['CONFIRMED', 22_800]);
    t.equal(timeline.filter(({ event }) => event === 'PAYMENT_FAILED').length, 0);
    t.same(new Set(payments.map((one) => one.status)), new Set(['CANCELLED', 'COMPLETED']));
  },
);

t.test('attempts that get lost again and again are left to the job of the next day', async (t) => {
  const { desk, now, pass, due } = await open(LATER, t);
  desk.gateway.before = () => Promise.reject(new Error('the process is gone'));
  await pass(1);
  await due();
  for (let nth = 0; nth < 20; nth++) {
    desk.running.clock.pass(121_000);
    await reconcileAttempts(desk.services);
  }
  const { status, payments } = await now();
  t.equal(status, 'CONFIRMED');
  t.ok(payments.length <= 6, `${payments.length} attempts`);
});

const IN_PARTS = {
  guarantee: 'PREPAY' as const,
  depositSchedule: [
    { percent: 30, due: { at: 'BOOKING' as const } },
    { percent: 70, due: { daysBefore: 4 } },
  ],
};

t.test('without a card the stay is cancelled in the run of the third day', async (t) => {
  const { desk, id, now, pass, due } = await open(IN_PARTS, t, 'NONE');
  await takePayment(desk.services, CALLER, id, paymentBody.parse({ method: 'CASH', amount: 68.4 }));
  for (const status of ['CONFIRMED', 'CONFIRMED', 'CANCELLED']) {
    await pass(1);
    await due();
    t.equal((await now()).status, status);
  }
  t.match(await now(), { cancellation: { reason: 'NO_PAYMENT' } });
});

t.test(
  'a job that comes after the arrival cancels by the terms of the third failure, and makes no no-show',
  async (t) => {
    const { desk, id, now, pass } = await open({ ...IN_PARTS, cancellationPolicy: 'FLEXIBLE' }, t, 'NONE');
    await takePayment(desk.services, CALLER, id, paymentBody.parse({ method: 'CASH', amount: 68.4 }));
    // The process goes before it can cancel.
    for (let day = 0; day < 3; day++) {
      await pass(1);
      const ids = { paymentId: freshId(), cancellationId: freshId(), refundId: freshId() };
      await desk.running.send({ type: 'CHARGE_DUE', reservationId: id, ...ids });
    }
    t.equal((await now()).status, 'CONFIRMED');
    await pass(2.63);
    const view = await desk.services.properties.view(PROPERTY_ID);
    const reservations = {
      ...desk.services.reservations,
      ids: async (_: string, { status }: { status?: string }) => ({ items: status === 'CONFIRMED' ? [id] : [] }),
    };
    await markNoShows({ ...desk.services, reservations }, PROPERTY_ID, view.businessDate);
    t.match(await now(), {
      status: 'CANCELLED',
      paid: 0,
      cancellation: { reason: 'NO_PAYMENT', penalty: 0, refund: 6_840 },
    });
  },
);

t.test('a failed instalment is a task of the desk until it is paid or the stay is cancelled', async (t) => {
  for (const card of ['tok_visa', 'NONE']) {
    const { desk, id, now, pass, due } = await open(IN_PARTS, t, card);
    if (card === 'NONE')
      await takePayment(desk.services, CALLER, id, paymentBody.parse({ method: 'CASH', amount: 68.4 }));
    desk.gateway.before = async (request) => void (request.cardToken = 'tok_declined');
    const reservations = { ...desk.services.reservations, list: async () => ({ items: [await now()] }) };
    const query = { propertyId: PROPERTY_ID.propertyId, limit: 50 };
    const tasks = async () => (await listDeskTasks({ ...desk.services, reservations }, CALLER, query)).items;
    await pass(1);
    await due();
    t.match(await tasks(), [
      { kind: 'PAYMENT_FAILED', reservation: { id }, payment: { amount: 15_960, triesLeft: 2 } },
    ]);
    const events = [...desk.running.store.properties.values()][0]!.journal
      .flatMap(({ facts }) => facts.bookings ?? [])
      .map(([event]) => event);
    t.ok(events.includes('PAYMENT_FAILED'), 'the guest is notified of it');
    await pass(1);
    await due();
    t.match(await tasks(), [{ kind: 'PAYMENT_FAILED', payment: { triesLeft: 1 } }]);
    if (card === 'NONE') await takePayment(desk.services, CALLER, id, paymentBody.parse({ method: 'CASH' }));
    else {
      await pass(1);
      await due();
    }
    t.same(await tasks(), []);
  }
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
