import t from 'tap';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import { windowsOf } from '../../../src/money/rules/postings.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  charge,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  envelope,
  freshId,
  modifyCommand,
  paid,
  plainRoom,
  postCommand,
  startPaymentCommand,
  voidCommand,
} from '../../../src/testing/property-world.ts';

const HOUR = 3_600_000;
const COMPANY = freshId();

/** A stay of two nights for 228.00, arriving today; nothing is paid. */
function stay(policies: Partial<Policies> = {}, checkedIn = true, companyId?: string) {
  const scene = Scene.property({ policies: { paymentRequired: false, ...policies } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const booked = bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 }, billing: { card: 'sealed' }, companyId });
  const { id } = scene.accept(booked).reservation;
  if (checkedIn) scene.accept(checkInCommand(id));
  const now = (): Reservation => scene.state.reservations.get(id)!;
  return { scene, id, now };
}

const total = (of: Reservation): number => folioTotals(of).total;

/** Accepts a command, and everything still adds up. */
function accepted<C extends Parameters<Scene['accept']>[0]>({ scene, now }: ReturnType<typeof stay>, command: C) {
  const result = scene.accept(command);
  t.equal(moneyFault(now()), undefined);
  return result;
}

void t.test('a minibar at 23:00 is on the bill of the check-out, with what the desk adds then', async (t) => {
  const here = stay();
  const { scene, id, now } = here;
  scene.pass(8 * HOUR);
  const { posting } = accepted(here, postCommand(id, { taxLines: [{ code: 'TAX', amount: 40 }] }));
  t.match(posting, {
    kind: 'EXTRA',
    description: 'Water',
    quantity: 2,
    unitAmount: 450,
    amount: 900,
    taxes: [{ code: 'TAX', amount: 80 }],
    businessDate: DAY,
    window: 'GUEST',
    by: 'desk',
  });
  t.equal(total(now()), 23_700);
  scene.now += 48 * HOUR;
  scene.accept({ type: 'TICK' });
  const bar = { description: 'Bar', amount: 1_000 };
  const { bill } = accepted(here, checkOutCommand(id, { charges: [bar], forced: true, at: scene.now }));
  t.match(bill, { total: 24_700, additionalCharges: 2_700 });
  t.match(now().charges, [bar, { id: posting.postingId, quantity: 2, amount: 900, day: DAY }], 'as it was posted');
  t.match(windowsOf(now(), scene.state.today), [{ total: 24_700, balance: 24_700 }]);
});

void t.test('a posting changes the version, tells events and the trail, and not the timeline', async (t) => {
  const here = stay();
  const { scene, id, now } = here;
  const before = now();
  const command = postCommand(id);
  accepted(here, command);
  t.match(now(), { version: before.version + 1, timeline: before.timeline });
  const [{ facts }] = scene.last.entries as [(typeof scene.last.entries)[0]];
  t.match(facts, {
    bookings: [['MODIFIED']],
    details: [
      {
        amounts: [22_800, 23_700],
        changes: [
          ['totalAmount', 22_800, 23_700],
          ['posting', null, command.postingId],
        ],
      },
    ],
  });
  t.notMatch(JSON.stringify(facts), 'Water', 'what is typed is in no journal');
  t.match(scene.refuse(postCommand(id, { ifVersion: before.version })), { code: 'STALE_VERSION' });
});

void t.test('a void adds the opposite on its own day, once, and nobody else is taken back', async (t) => {
  const here = stay({}, true, COMPANY);
  const { scene, id, now } = here;
  const water = postCommand(id, { window: 'COMPANY', taxLines: [{ code: 'TAX', amount: 40 }] });
  accepted(here, water);
  scene.now += 24 * HOUR;
  scene.accept({ type: 'TICK' });
  const taken = voidCommand(id, water.postingId);
  const { posting } = accepted(here, taken);
  t.match(posting, {
    amount: -900,
    quantity: -2,
    taxes: [{ amount: -80 }],
    voids: water.postingId,
    window: 'COMPANY',
    businessDate: DAY + 1,
    notes: 'Wrong room',
    by: 'boss',
  });
  t.equal(total(now()), 22_800);
  t.match(
    now().charges,
    [
      { day: DAY, amount: 900 },
      { day: DAY + 1, amount: -900 },
    ],
    'the line stays',
  );
  for (const [postingId, code] of [
    [water.postingId, 'INVALID_STATE'],
    [taken.reversalId, 'INVALID_STATE'],
    [`ROOM-${formatDay(DAY)}`, 'INVALID_STATE'],
    [freshId(), 'POSTING_NOT_FOUND'],
  ] as const)
    t.match(scene.refuse(voidCommand(id, postingId)), { code }, postingId);
  const { attempt } = scene.accept(startPaymentCommand(id, charge()));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(scene.refuse(voidCommand(id, attempt.paymentId)), { code: 'INVALID_STATE' });
});

void t.test('before the check-in only extras are posted; who never comes does not owe them', async (t) => {
  const here = stay({}, false);
  const { scene, id, now } = here;
  t.match(scene.refuse(postCommand(id)), { code: 'INVALID_STATE', message: /price list/ });
  accepted(here, postCommand(id, { code: 'WATER' }));
  t.equal(total(now()), 23_700);
  accepted(here, cancelCommand(id));
  t.match(now(), { status: 'CANCELLED', cancellation: { originalTotal: 23_700 } });
  t.equal(total(now()), 0);
  t.match(scene.refuse(postCommand(id, { code: 'WATER' })), { code: 'INVALID_STATE' });
});

void t.test('what is waited for of an unpaid booking follows its folio', async (t) => {
  const here = stay({ paymentRequired: true, depositPercent: 100 }, false);
  const { scene, id, now } = here;
  const water = postCommand(id, { code: 'WATER' });
  accepted(here, water);
  t.match(now().payments, [{ status: 'PENDING', amount: 23_700 }]);
  const { attempt } = scene.accept(startPaymentCommand(id, { amount: 22_800 }));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(now(), { status: 'PENDING', paid: 22_800 });
  accepted(here, voidCommand(id, water.postingId));
  t.match(now(), { status: 'CONFIRMED', holdExpiresAt: undefined });
  t.match(scene.last.entries[0]!.facts.bookings, [['MODIFIED'], ['CONFIRMED']]);
  t.match([scene.cell(DAY).held, scene.cell(DAY).booked], [0, 1]);
});

void t.test('a closed folio takes nothing: after check-out, and while the check-out is being paid', async (t) => {
  const here = stay();
  const { scene, id, now } = here;
  const water = postCommand(id);
  accepted(here, water);
  const leave = checkOutCommand(id);
  accepted(here, leave);
  t.ok(now().leaving);
  const route = { type: 'ROUTE_FOLIO' as const, reservationId: id, rules: [], by: 'desk' };
  const all = [postCommand(id), voidCommand(id, water.postingId), route];
  for (const command of all) t.match(scene.refuse(command), { code: 'INVALID_STATE' });
  accepted(here, endPaymentCommand(id, paid(now().payments.at(-1)!)));
  t.equal(now().status, 'CHECKED_OUT');
  for (const command of all) t.match(scene.refuse(command), { code: 'INVALID_STATE' });
});

void t.test('a folio has 500 postings, and each of them can be taken back', async (t) => {
  const { scene, id, now } = stay();
  const postings = Array.from({ length: 500 }, () => postCommand(id, { unitAmount: 1, quantity: 1 }));
  for (let from = 0; from < 500; from += 100)
    scene.batch(...postings.slice(from, from + 100).map((command) => envelope(command)));
  t.equal(now().charges!.length, 500);
  t.match(scene.refuse(postCommand(id)), { code: 'FOLIO_FULL' });
  scene.accept(voidCommand(id, postings[7]!.postingId));
  t.match(scene.refuse(postCommand(id)), { code: 'FOLIO_FULL' }, 'also when one was taken back');
  t.equal(total(now()), 22_800 + 499);
});

void t.test('an amount that cannot be stored is refused, and nothing is stored', async (t) => {
  const { scene, id, now } = stay();
  const before = now();
  t.match(scene.refuse(postCommand(id, { unitAmount: 9_999_999_999, quantity: 99 })), { code: 'VALIDATION_FAILED' });
  t.equal(now(), before);
  const { draft } = scene.batch(envelope(postCommand(id, { dryRun: true })));
  t.same([draft.reservations.put(), now()], [[], before], 'a dry run neither');
});

void t.test('a window that nobody pays is refused: nothing is posted, routed or paid to it', async (t) => {
  const { scene, id, now } = stay();
  const before = now();
  for (const window of ['COMPANY', 'CHANNEL'] as const) {
    const refused = (command: Parameters<Scene['accept']>[0], pointer: string) =>
      t.match(scene.refuse(command), {
        code: 'VALIDATION_FAILED',
        details: { errors: [{ pointer, code: 'NO_PAYER' }] },
      });
    refused(postCommand(id, { window }), '/window');
    refused({ ...startPaymentCommand(id), window }, '/window');
    const rules = [
      { kind: 'EXTRA' as const, window: 'GUEST' as const },
      { kind: 'ROOM' as const, window },
    ];
    refused({ type: 'ROUTE_FOLIO', reservationId: id, rules, by: 'desk' }, '/rules/1/window');
  }
  t.match(scene.refuse(startPaymentCommand(id, { method: 'INVOICE' })), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/method', code: 'NO_ACCOUNT' }] },
  });
  t.equal(now(), before, 'nothing is stored');
});

void t.test('the room is the company’s, the rest is the guest’s, and each pays its own', async (t) => {
  const here = stay({}, true, COMPANY);
  const { scene, id, now } = here;
  const rules = (['ROOM', 'FEE'] as const).map((kind) => ({ kind, window: 'COMPANY' as const }));
  t.match(accepted(here, { type: 'ROUTE_FOLIO', reservationId: id, rules, by: 'desk' }), { rules });
  t.match(scene.last.entries[0]!.facts.details, [{ changes: [['routing', null, 'ROOM COMPANY, FEE COMPANY']] }]);
  accepted(here, postCommand(id));
  const pay = (window: 'GUEST' | 'COMPANY' | undefined, amount = 0) => ({
    ...startPaymentCommand(id, { amount }),
    ...(window && { window }),
  });
  t.match(scene.refuse(pay('GUEST', 901)), { code: 'VALIDATION_FAILED' });
  const own = scene.accept(pay(undefined)).attempt;
  t.equal(own.amount, 900, 'all that the guest owes');
  t.match(scene.refuse(pay('GUEST')), { code: 'INVALID_STATE' }, 'it is being paid');
  const other = scene.accept(pay('COMPANY')).attempt;
  t.equal(other.amount, 22_800);
  for (const attempt of [own, other]) accepted(here, endPaymentCommand(id, paid(attempt)));
  t.match(
    windowsOf(now(), DAY + 2).map(({ window, total: owed, balance }) => [window, owed, balance]),
    [
      ['GUEST', 900, 0],
      ['COMPANY', 22_800, 0],
    ],
  );
  accepted(here, {
    type: 'GIVE_REFUND',
    reservationId: id,
    refundId: freshId(),
    amount: 800,
    paymentId: other.paymentId,
    reason: 'noise',
    by: 'boss',
  });
  t.match(windowsOf(now(), DAY + 2), [{ paid: 900 }, { paid: 22_000 }], 'a refund is of the window of its charge');
  t.match(scene.refuse(pay('GUEST')), { code: 'INVALID_STATE' });
  accepted(here, { type: 'ROUTE_FOLIO', reservationId: id, rules: [], by: 'desk' });
  t.match(now(), { routing: undefined });
  t.equal(total(now()), 23_700, 'routing moves lines, no total');
});

void t.test('a company takes over at the check-out what was routed to it, whoever guarantees the stay', async (t) => {
  const here = stay({}, true, COMPANY);
  const { scene, id, now } = here;
  const rules = [{ kind: 'EXTRA' as const, window: 'COMPANY' as const }];
  accepted(here, { type: 'ROUTE_FOLIO', reservationId: id, rules, by: 'desk' });
  accepted(here, postCommand(id));
  const { attempt } = scene.accept({ ...startPaymentCommand(id), window: 'GUEST' });
  accepted(here, endPaymentCommand(id, paid(attempt)));
  scene.pass(48 * HOUR);
  scene.accept({ type: 'TICK' });
  const left = accepted(here, checkOutCommand(id, { at: scene.now }));
  t.equal(left.attempt, undefined, 'the card of the guest is not charged for it');
  t.match(now().payments.at(-1), { method: 'INVOICE', amount: 900 });
  t.match(windowsOf(now(), scene.state.today), [
    { window: 'GUEST', total: 22_800, balance: 0 },
    { window: 'COMPANY', total: 900, paid: 900, balance: 0 },
  ]);
});

void t.test('what a guest has paid of a window that a company takes over goes back to the guest', async (t) => {
  for (const bar of [0, 2_000]) {
    const here = stay({}, true, COMPANY);
    const { scene, id, now } = here;
    const { attempt } = scene.accept(startPaymentCommand(id));
    accepted(here, endPaymentCommand(id, paid(attempt)));
    if (bar > 0) accepted(here, postCommand(id, { quantity: 1, unitAmount: bar }));
    const rules = [{ kind: 'ROOM' as const, window: 'COMPANY' as const }];
    accepted(here, { type: 'ROUTE_FOLIO', reservationId: id, rules, by: 'desk' });
    scene.pass(48 * HOUR);
    scene.accept({ type: 'TICK' });
    const left = accepted(here, checkOutCommand(id, { at: scene.now }));
    t.equal(left.attempt, undefined, 'the card is not charged');
    // Two nights with taxes are the company's, their fees and the bar the guest's.
    t.match(left.refunds, [{ chargeId: attempt.paymentId, amount: 22_000 - bar }]);
    t.match(now().payments.at(-1), { method: 'INVOICE', amount: 22_000 });
    t.match(windowsOf(now(), scene.state.today), [
      { window: 'GUEST', total: 800 + bar, balance: 0 },
      { window: 'COMPANY', total: 22_000, paid: 22_000, balance: 0 },
    ]);
  }
});

void t.test('a change and an early departure keep what was posted', async (t) => {
  const here = stay({ earlyDepartureNights: 1 });
  const { scene, id, now } = here;
  const water = postCommand(id);
  accepted(here, water);
  accepted(here, modifyCommand(id, { nights: 3 }));
  t.equal(total(now()), 3 * 11_400 + 900);
  accepted(here, modifyCommand(id, { nights: 1 }));
  t.equal(total(now()), 2 * 11_400 + 900, 'the minibar comes on top of what is retained');
  accepted(here, checkOutCommand(id, { forced: true, at: scene.now }));
  t.equal(total(now()), 2 * 11_400 + 900);
});
