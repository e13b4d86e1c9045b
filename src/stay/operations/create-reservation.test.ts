import t from 'tap';

import { formatDay } from '../../kernel/rules/dates.ts';
import { repeatRefunds, sendRefunds } from '../../money/operations/send-refunds.ts';
import { quoteRates } from '../../rates/operations/quote-rates.ts';
import { type RatePlan } from '../../rates/rules/rate-plan.ts';
import { partyOfPersons } from '../../rates/rules/stay.ts';
import { errorOf } from '../../testing/actors/running-host.ts';
import { Gate, untilTime } from '../../testing/fake-clock.ts';
import { CALLER, TestFrontDesk, wish } from '../../testing/front-desk.ts';
import { baseRates, DAY, PROPERTY_ID, plan, freshId } from '../../testing/property-world.ts';
import { cancelReservation } from './cancel-reservation.ts';
import { createReservation } from './create-reservation.ts';
import { modifyReservation } from './modify-reservation.ts';
import { reconcilePayments } from './reconcile-payments.ts';

const create = (desk: TestFrontDesk, token?: string, key?: TestFrontDesk['key']) =>
  createReservation(desk.services, CALLER, wish(token), key);

void t.test('a paid create is CONFIRMED, charged once at its exact price, and its rooms are booked', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const { result, replayed } = await create(desk, 'tok_visa', desk.key);
  t.match(result.reservation, {
    status: 'CONFIRMED',
    paid: 22_800,
    payments: [{ status: 'COMPLETED', method: 'CREDIT_CARD' }],
  });
  t.notOk(replayed);
  t.equal(desk.gateway.charges.size, 1);
  t.same(await desk.rooms(), { booked: 1, held: 0 });
  const again = await create(desk, 'tok_visa', desk.key);
  t.match(again, { replayed: true, result: { reservation: { id: result.reservation.id } } });
  t.equal(desk.gateway.charges.size, 1);
});

void t.test('a declined card frees the rooms, leaves no reservation, and its key keeps the 422', async (t) => {
  const desk = await TestFrontDesk.open(t);
  t.equal(await errorOf(create(desk, 'tok_declined', desk.key)), 'PAYMENT_DECLINED');
  t.same(await desk.rooms(), { booked: 0, held: 0 });
  t.equal(desk.running.store.reservations.size, 0);
  t.match([...desk.running.store.payments.values()], [{ payment: { status: 'FAILED' } }]);
  await t.rejects(create(desk, 'tok_declined', desk.key), { code: 'PAYMENT_DECLINED', details: { replayed: true } });
  t.equal(desk.gateway.charges.size, 1, 'the card was not charged again');
});

void t.test('after a lost answer of the provider the same key finds the charge: one payment', async (t) => {
  const desk = await TestFrontDesk.open(t);
  t.equal(await errorOf(create(desk, 'tok_timeout', desk.key)), 'PARTNER_UNAVAILABLE');
  t.same(await desk.rooms(), { booked: 0, held: 1 }, 'the hold stays');
  const { result } = await create(desk, 'tok_timeout', desk.key);
  t.equal(result.reservation.status, 'CONFIRMED');
  t.equal(desk.gateway.charges.size, 1);
  t.same(await desk.rooms(), { booked: 1, held: 0 });
});

void t.test('after a lost answer and without a key the money goes back and the rooms are free', async (t) => {
  const desk = await TestFrontDesk.open(t);
  t.equal(await errorOf(create(desk, 'tok_timeout')), 'PARTNER_UNAVAILABLE');
  await reconcilePayments(desk.services);
  t.equal(desk.gateway.refunds.size, 0, 'not while the request may still run');
  desk.running.clock.pass(15_001);
  await reconcilePayments(desk.services);
  t.same([...desk.gateway.refunds.values()], [22_800]);
  t.same(await desk.rooms(), { booked: 0, held: 0 });
  await reconcilePayments(desk.services);
  t.equal(desk.gateway.refunds.size, 1);
});

void t.test('after a lost answer, without a key, the id of a channel finds the booking', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const body = { ...wish('tok_timeout'), source: { channel: 'OTA' as const, externalId: 'OTA-7' } };
  const book = () => createReservation(desk.services, CALLER, body);
  t.equal(await errorOf(book()), 'PARTNER_UNAVAILABLE');
  t.equal(await errorOf(book()), 'IDEMPOTENCY_IN_PROGRESS', 'not while the first one may be paid');
  desk.running.clock.pass(15_001);
  await reconcilePayments(desk.services);
  t.same(await desk.rooms(), { booked: 1, held: 0 });
  t.match(
    [...desk.running.store.reservations.values()],
    [{ reservation: { status: 'CONFIRMED', source: body.source } }],
  );
  t.match([desk.gateway.charges.size, desk.gateway.refunds.size], [1, 0]);
});

void t.test('a crash after the hold: charged ends confirmed, never charged ends free', async (t) => {
  for (const [at, booked] of [
    ['before', 0],
    ['after', 1],
  ] as const) {
    const desk = await TestFrontDesk.open(t);
    const never = new Gate();
    desk.gateway[at] = () => never.opened;
    void create(desk, 'tok_visa', desk.key).catch(() => {});
    await untilTime(async () => (await desk.rooms()).held === 1);
    await untilTime(() => at === 'before' || desk.gateway.charges.size === 1);
    desk.running.crash();
    desk.running.clock.pass(15_001);
    await reconcilePayments(desk.services);
    t.same(
      await desk.rooms(),
      { booked, held: 1 - booked },
      'what is not known to be charged may still be on its way',
    );
    desk.running.clock.pass(105_100);
    await desk.running.host.catchUp();
    await reconcilePayments(desk.services);
    t.same(await desk.rooms(), { booked, held: 0 }, at);
    t.equal(
      desk.running.store.properties.get('acme:anchor')!.holds.size,
      1 - booked,
      'the provider may yet show a charge',
    );
    desk.running.clock.pass(15_000);
    await reconcilePayments(desk.services);
    t.equal(desk.running.store.properties.get('acme:anchor')!.holds.size, 0);
    t.equal(desk.gateway.refunds.size, 0);
    t.same(
      [...desk.running.store.keys.values()].map(({ answer }) => answer !== undefined),
      booked ? [true] : [],
    );
  }
});

void t.test(
  'a slow provider that answers after the reconciler has confirmed: the booking stands, no money goes back',
  async (t) => {
    const desk = await TestFrontDesk.open(t);
    const slow = new Gate();
    desk.gateway.after = () => slow.opened;
    const reply = create(desk, 'tok_visa', desk.key);
    await untilTime(() => desk.gateway.charges.size === 1);
    desk.running.clock.pass(15_001);
    await reconcilePayments(desk.services);
    slow.open();
    t.equal((await reply).result.reservation.status, 'CONFIRMED');
    t.equal(desk.gateway.refunds.size, 0);
    t.same(await desk.rooms(), { booked: 1, held: 0 });
  },
);

void t.test('a provider that charges after the hold was given up: refunded, refused, nothing booked', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const slow = new Gate();
  desk.gateway.before = () => slow.opened;
  const code = errorOf(create(desk, 'tok_visa', desk.key));
  await untilTime(async () => (await desk.rooms()).held === 1);
  desk.running.clock.pass(120_101);
  await desk.running.host.catchUp();
  await reconcilePayments(desk.services);
  slow.open();
  t.equal(await code, 'HOLD_EXPIRED');
  t.same([...desk.gateway.refunds.values()], [22_800]);
  t.same(await desk.rooms(), { booked: 0, held: 0 });
});

void t.test(
  'a hold that expires while it is paid is never confirmed: refunded at once, or later when the provider is down',
  async (t) => {
    for (const down of [false, true]) {
      const desk = await TestFrontDesk.open(t);
      desk.gateway.down = down;
      desk.gateway.after = async () => desk.running.clock.pass(120_000);
      t.equal(await errorOf(create(desk, 'tok_visa', desk.key)), down ? 'PARTNER_UNAVAILABLE' : 'HOLD_EXPIRED');
      desk.running.clock.pass(100);
      await desk.running.host.catchUp();
      t.same(await desk.rooms(), { booked: 0, held: 0 });
      desk.gateway.down = false;
      await reconcilePayments(desk.services);
      t.same([...desk.gateway.refunds.values()], [22_800]);
      t.equal(desk.running.store.properties.get('acme:anchor')!.holds.size, 0);
      t.equal(desk.running.store.reservations.size, 0);
    }
  },
);

void t.test('a charge that the provider shows only after the hold has expired goes back', async (t) => {
  const desk = await TestFrontDesk.open(t);
  desk.gateway.find = async () => undefined;
  t.equal(await errorOf(create(desk, 'tok_timeout', desk.key)), 'PARTNER_UNAVAILABLE');
  desk.running.clock.pass(120_000 + 14_999);
  await desk.running.host.catchUp();
  await reconcilePayments(desk.services);
  t.equal(desk.gateway.refunds.size, 0);
  desk.gateway.find = async (attemptId) => desk.gateway.charges.get(attemptId);
  await reconcilePayments(desk.services);
  t.same([...desk.gateway.refunds.values()], [22_800]);
  t.equal(desk.running.store.properties.get('acme:anchor')!.holds.size, 0);
});

void t.test('without a card the create is PENDING with its hold', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const { result } = await create(desk);
  t.equal(result.reservation.status, 'PENDING');
  t.same(await desk.rooms(), { booked: 0, held: 1 });
  desk.running.clock.pass(900_100);
  desk.running.crash();
  await reconcilePayments(desk.services);
  t.same(await desk.rooms(), { booked: 0, held: 0 }, 'the sweep activated the passive property');
});

void t.test('a new guest who books twice in one moment gets both bookings under one profile', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const body = () => createReservation(desk.services, CALLER, wish('tok_visa', {}, 'twice@example.com'));
  const both = await Promise.all([body(), body()]);
  t.same(
    both.map(({ result }) => result.reservation.status),
    ['CONFIRMED', 'CONFIRMED'],
  );
  t.equal(both[0].result.reservation.guest.guestId, both[1].result.reservation.guest.guestId);
});

void t.test('a repeat in the same moment gets IDEMPOTENCY_IN_PROGRESS', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const codes = await Promise.all([1, 2].map(() => errorOf(create(desk, 'tok_visa', desk.key))));
  t.same(codes, ['accepted', 'IDEMPOTENCY_IN_PROGRESS']);
});

void t.test(
  'a quote token books at its price, once; its repeat under the key is answered even after it expired',
  async (t) => {
    const desk = await TestFrontDesk.open(t);
    const query = {
      propertyId: PROPERTY_ID.propertyId,
      checkIn: DAY + 5,
      checkOut: DAY + 7,
      roomType: 'STD',
      rateCode: 'BAR',
      ...partyOfPersons(2),
      explain: false,
    };
    const { tokens } = await quoteRates(desk.services, CALLER, query);
    await desk.running.send(baseRates('STD', 99_900));
    const quoted = (key?: TestFrontDesk['key'], changed = {}) =>
      createReservation(desk.services, CALLER, wish('tok_visa', { quoteToken: tokens[0], ...changed }), key);
    t.equal(await errorOf(quoted(undefined, { adults: 1 })), 'QUOTE_EXPIRED', 'for another stay');
    t.equal((await quoted(desk.key)).result.reservation.paid, 22_800);
    t.equal(await errorOf(quoted()), 'QUOTE_EXPIRED', 'used');
    desk.running.clock.pass(16 * 60_000);
    t.match(await quoted(desk.key), { replayed: true });
    const { tokens: others } = await quoteRates(desk.services, CALLER, query);
    desk.running.clock.pass(15 * 60_000);
    t.equal(
      await errorOf(createReservation(desk.services, CALLER, wish('tok_visa', { quoteToken: others[0] }))),
      'QUOTE_EXPIRED',
    );
  },
);

void t.test('a quote token that is being paid with is used, also for a process that starts then', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const query = {
    propertyId: PROPERTY_ID.propertyId,
    checkIn: DAY + 5,
    checkOut: DAY + 7,
    roomType: 'STD',
    rateCode: 'BAR',
    ...partyOfPersons(2),
    explain: false,
  };
  const { tokens } = await quoteRates(desk.services, CALLER, query);
  const body = wish('tok_timeout', { quoteToken: tokens[0] });
  t.equal(await errorOf(createReservation(desk.services, CALLER, body)), 'PARTNER_UNAVAILABLE');
  desk.running.crash();
  t.equal(
    await errorOf(createReservation(desk.services, CALLER, wish('tok_visa', { quoteToken: tokens[0] }))),
    'QUOTE_EXPIRED',
  );
});

void t.test('the refund of a cancel reaches the provider after the commit and is noted', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const { id } = (await create(desk, 'tok_visa')).result.reservation;
  const body = { reason: 'GUEST_REQUEST' as const, refundRequested: true };
  const { result } = await cancelReservation(desk.services, CALLER, id, body, { key: { ...desk.key, key: 'key-2' } });
  t.equal(result.reservation.cancellation?.refund, 22_800);
  const settled = async () => (await desk.services.reservations.get('acme', id))!.reservation.payments.at(-1);
  await untilTime(async () => (await settled())?.status === 'COMPLETED');
  t.same([...desk.gateway.refunds.values()], [22_800]);
  t.match(await cancelReservation(desk.services, CALLER, id, body, { key: { ...desk.key, key: 'key-2' } }), {
    replayed: true,
  });
  t.equal(desk.gateway.refunds.size, 1);
});

void t.test('a refund that the provider did not take is sent again under the same id', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const { id } = (await create(desk, 'tok_visa')).result.reservation;
  desk.gateway.down = true;
  const { result } = await modifyReservation(
    desk.services,
    CALLER,
    id,
    { modifications: { stayDetails: { nights: 1 }, guestInfo: {} } },
    { dryRun: false },
  );
  t.equal(result.refund, 11_400);
  t.equal(desk.gateway.refunds.size, 0);
  desk.gateway.down = false;
  await sendRefunds(desk.services, PROPERTY_ID, id);
  await sendRefunds(desk.services, PROPERTY_ID, id);
  t.same([...desk.gateway.refunds.values()], [11_400]);
});

void t.test('a refund that a crash left behind is sent by the sweep, once', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const { id } = (await create(desk, 'tok_visa')).result.reservation;
  desk.gateway.down = true;
  await cancelReservation(desk.services, CALLER, id, { reason: 'GUEST_REQUEST', refundRequested: true });
  desk.running.crash();
  desk.gateway.down = false;
  desk.running.clock.pass(10 * 60_000);
  await repeatRefunds(desk.services);
  await repeatRefunds(desk.services);
  t.same([...desk.gateway.refunds.values()], [22_800]);
  t.match((await desk.services.reservations.get('acme', id))!.reservation.payments.at(-1), { status: 'COMPLETED' });
});

void t.test('unpaid reservations on one card are bounded where cards are real, and paid ones never', async (t) => {
  let night = DAY + 5;
  const guaranteed = (token: string) => ({
    ...wish(undefined, { checkIn: formatDay(++night), checkOut: formatDay(++night) }),
    paymentDetails: { method: 'INVOICE' as const, cardToken: token },
  });
  const desk = await TestFrontDesk.open(t);
  const asked: string[] = [];
  let others = 19;
  desk.services.sales.openHoldsOfCard = async (_elsewhere, card) => (asked.push(card), others);
  await createReservation(desk.services, CALLER, guaranteed('pm_1'));
  t.same(asked, [], "tokens of the simulator are everybody's");
  desk.gateway.hasRealCards = true;
  await createReservation(desk.services, CALLER, guaranteed('pm_1'));
  await createReservation(desk.services, CALLER, guaranteed('pm_2'));
  t.equal(new Set(asked).size, 2, 'each card for itself');
  t.notMatch(asked.join(' '), /pm_/, 'the token is not stored beside the encrypted one');
  others = 20;
  t.equal(await errorOf(createReservation(desk.services, CALLER, guaranteed('pm_1'))), 'QUOTA_EXCEEDED');
  t.equal((await create(desk, 'pm_1')).result.reservation.status, 'CONFIRMED', 'who pays is not counted');
});

void t.test(
  'holds of a subject at other properties bound what it books unpaid, and nothing that is paid',
  async (t) => {
    const desk = await TestFrontDesk.open(t);
    const asked: string[] = [];
    let others = { holds: 99, roomNights: 0 };
    desk.services.sales.heldUnpaid = async (_elsewhere, subject) => (asked.push(subject), others);
    const refused: string[] = [];
    desk.services.metricEvents.on('holdRefused', (bound) => refused.push(bound));
    const unpaid = (more = {}) =>
      createReservation(desk.services, CALLER, { ...wish(), paymentDetails: undefined, ...more });
    const { reservation } = (await unpaid()).result;
    t.equal(reservation.status, 'PENDING');
    others = { holds: 0, roomNights: 1_000 };
    t.equal(await errorOf(unpaid()), 'QUOTA_EXCEEDED');
    t.same(refused, ['subject-room-nights']);
    t.same(asked, [CALLER.subject, CALLER.subject]);
    t.equal((await create(desk, 'pm_1')).result.reservation.status, 'CONFIRMED');
    t.equal(asked.length, 2, 'paid creates are not checked');
    desk.services.holdLimits = { holds: 0, roomNights: 0 };
    t.equal((await unpaid()).result.reservation.status, 'PENDING');
    t.equal(asked.length, 2, 'nobody is where there is no limit');
  },
);

t.test('a plan decides whether a card is charged with the booking, or only taken as a guarantee', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const sell = (code: string, own: Partial<RatePlan>) =>
    desk.running.send({ type: 'PUT_RATE_PLAN', mode: 'create', plan: plan({ id: freshId(), code, ...own }) });
  await sell('CARD', { guarantee: 'CARD' });
  await sell('DESK', { guarantee: 'NONE' });
  await sell('HALF', { guarantee: 'PREPAY', depositSchedule: [{ percent: 50, due: { at: 'BOOKING' } }] });
  const book = async (rateCode: string, card: string) =>
    (await createReservation(desk.services, CALLER, wish(card, { rateCode }))).result.reservation;
  for (const rateCode of ['CARD', 'DESK']) {
    const reservation = await book(rateCode, 'tok_visa');
    t.match(reservation, { status: 'CONFIRMED', paid: 0, payments: [], billing: { isCardTaken: true } });
    t.equal(desk.services.sealed.open(reservation.billing!.card!, reservation.id), 'taken tok_visa');
  }
  t.equal(desk.gateway.charges.size, 0);
  t.equal(await errorOf(book('CARD', 'tok_declined')), 'PAYMENT_DECLINED');
  t.match(await book('HALF', 'tok_visa'), { status: 'CONFIRMED', paid: 11_400 });
  t.same(await desk.rooms(), { booked: 3, held: 0 });
});

void t.test('a booking is put on the account of a company that is there and active', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const known = new Map([
    ['00000000-0000-4000-8000-000000000001', { active: true }],
    ['00000000-0000-4000-8000-000000000002', { active: false }],
  ]);
  const [active, inactive] = [...known.keys()];
  const nobody = '00000000-0000-4000-8000-000000000003';
  desk.services.companies = { get: async (_: string, companyId: string) => known.get(companyId) } as never;
  const corporate = plan({ id: freshId(), code: 'CORP', adjustmentPercent: 0, guarantee: 'COMPANY' });
  const put = (companyId?: string) =>
    desk.running.send({ type: 'PUT_RATE_PLAN', plan: { ...corporate, companyId }, mode: 'replace' });
  await desk.running.send({ type: 'PUT_RATE_PLAN', plan: corporate, mode: 'create' });
  const book = (companyId?: string) =>
    createReservation(desk.services, CALLER, { ...wish(undefined, { rateCode: 'CORP' }), companyId });
  t.match((await book(active)).result.reservation, { status: 'CONFIRMED', companyId: active });
  await t.rejects(book(nobody), { code: 'COMPANY_NOT_FOUND' });
  const blames = (pointer: string) => ({ code: 'VALIDATION_FAILED', details: { errors: [{ pointer }] } });
  await t.rejects(book(inactive), blames('/companyId'));
  await put(inactive);
  await t.rejects(book(), blames('/stayDetails/rateCode'));
  await put(nobody);
  await t.rejects(book(), { code: 'COMPANY_NOT_FOUND' });
  t.equal((await book(active)).result.reservation.status, 'CONFIRMED', 'who is named comes first');
  t.equal(desk.running.store.reservations.size, 2, 'nothing else is stored');
});
