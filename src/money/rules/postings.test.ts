import t from 'tap';

import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import { charge, reservation } from '../../testing/property-world.ts';
import { type FolioCharge, folioTotals } from './folio.ts';
import { moneyFault } from './money-fault.ts';
import { penaltyOfDay } from './penalty.ts';
import { costLines, folioOf, windowsOf } from './postings.ts';

const nights = [
  { day: 1, rate: 10_000, taxes: 1_000, fees: 300 },
  { day: 2, rate: 12_000, taxes: 1_200, fees: 300 },
];
const stay = { checkIn: 1, checkOut: 3 };
const bar: FolioCharge = { description: 'Bar', amount: 900, day: 1, id: 'bar', kind: 'EXTRA', quantity: 2 };
const breakfast = { description: 'Breakfast', code: 'BRK', amount: 2_140, day: 2, id: 'brk', kind: 'EXTRA' as const };
const taxes = [{ code: 'TAX', amount: 140 }];

function guest(changed: Partial<Omit<Reservation, 'stay'>> = {}): Reservation {
  return reservation({ status: 'CHECKED_IN', stay, nights, ...changed });
}

const dayAt = (at: number): number => Math.floor(at / 10);

/** Kinds and amounts of each window. */
function shown(of: Reservation, today: number): [string, [string, number][]][] {
  return folioOf(of, today, dayAt).map(({ window, postings }) => [
    window,
    postings.map(({ kind, amount }) => [kind, amount]),
  ]);
}

t.test('nights that are over are posted, those to come are expected', async (t) => {
  const paid = charge({ amount: 24_800, status: 'COMPLETED', processedAt: 12 });
  const of = guest({ charges: [bar], payments: [paid], paid: 24_800 });
  t.same(shown(of, 1), [
    [
      'GUEST',
      [
        ['EXTRA', 900],
        ['PAYMENT', 24_800],
      ],
    ],
  ]);
  t.same(shown(of, 2), [
    [
      'GUEST',
      [
        ['ROOM', 11_000],
        ['FEE', 300],
        ['EXTRA', 900],
        ['PAYMENT', 24_800],
      ],
    ],
  ]);
  const [window] = folioOf(of, 2, dayAt);
  t.match(window, { total: 12_200, paid: 24_800, balance: -12_600, expectedTotal: 25_700 });
  t.match(window!.postings[0], { businessDate: 1, taxes: [{ code: 'TAX', amount: 1_000 }], unitAmount: 11_000 });
  t.match(window!.postings[2], { quantity: 2, postingId: 'bar', typed: true });
  t.match(windowsOf({ ...of, status: 'CHECKED_OUT' }, -Infinity), [{ total: 25_700, expectedTotal: 25_700 }]);
});

t.test('postings sum to the total, whatever became of the stay', async (t) => {
  const ending = (changed: Partial<Cancellation>) =>
    ({ cancellationId: 'c', policyName: 'STANDARD', day: 0, penalty: 5_000, ...changed }) as Cancellation;
  const waived = [
    { day: 0, amount: 1_000 },
    { day: 4, amount: 700 },
    { day: 4, amount: 301 },
  ];
  const goodwill = { description: 'Goodwill', amount: -90_000, day: 1, code: 'CREDIT', goodwill: true as const };
  const cases = [
    guest(),
    guest({ charges: [bar, { ...breakfast, taxLines: taxes }] }),
    guest({ charges: [goodwill, bar] }),
    guest({ retained: 40_000, charges: [bar] }),
    guest({ retained: 40_000, charges: [goodwill, bar, { ...bar, id: 'v', amount: -900, voids: 'bar' }] }),
    guest({ status: 'CANCELLED', cancellation: ending({ waived }) }),
    guest({ status: 'NO_SHOW', cancellation: ending({ penalty: 0, waived }) }),
    guest({ status: 'CANCELLED', cancellation: ending({ penalty: 0 }) }),
  ];
  for (const of of cases) {
    const lines = costLines(of, 0);
    const sum = (amounts: number[]): number => amounts.reduce((all, one) => all + one, 0);
    const { total, taxes: due } = folioTotals(of);
    t.equal(sum(lines.map(({ amount }) => amount)), total);
    const ofNights = lines.filter(({ kind }) => kind !== 'EXTRA');
    t.equal(sum(ofNights.flatMap((line) => line.taxes.map(({ amount }) => amount))), due);
    t.equal(moneyFault(of), undefined);
  }
});

t.test('waivers and collections of a penalty have their own taxes, on whatever day they are', async (t) => {
  const ending = {
    cancellationId: 'c',
    policyName: 'STANDARD',
    day: 0,
    penalty: 11_600,
    waived: [
      { day: 0, amount: 300 },
      { day: 0, amount: 1_000 },
      { day: 2, amount: 11_300 },
      { day: 2, amount: -5_000 },
      { day: 3, amount: 5_000 },
    ],
  };
  const of = guest({ status: 'CANCELLED', cancellation: ending as unknown as Cancellation });
  const lines = costLines(of, 0);
  t.equal(lines.length, 6);
  for (const { amount, taxes: inside } of lines) {
    t.equal(inside.length, 1);
    t.ok(Math.abs(inside[0]!.amount - amount / 11) <= 1, `${inside[0]!.amount} of ${amount}`);
  }
  for (const day of [0, 2, 3]) {
    const ofDay = lines.filter(({ businessDate }) => businessDate === day).flatMap((line) => line.taxes);
    const sum = ofDay.reduce((all, { amount }) => all + amount, 0);
    t.equal(sum, penaltyOfDay(of.cancellation!, of.nights, day, 'EUR').taxes, 'as in the revenue of the day');
  }
});

t.test('postings of nights are named by their dates', async (t) => {
  const days = guest({ nights: [{ day: 20_800, rate: 10_000, taxes: 1_000, fees: 300 }] });
  t.same(
    costLines(days, 0).map(({ postingId }) => postingId),
    ['ROOM-2026-12-13', 'FEE-2026-12-13'],
  );
});

t.test('postings come on top of the retained amount of a changed stay', async (t) => {
  const retained = guest({ retained: 30_000 });
  t.equal(folioTotals(retained).total, 30_000);
  t.equal(folioTotals({ ...retained, charges: [bar] }).total, 30_900, 'no minibar is free');
  t.match(shown({ ...retained, charges: [bar] }, 1), [['GUEST', [['EXTRA', 900]]]], 'retained when the stay ends');
});

t.test('a window pays what is routed to it, or posted, or whose payer it is', async (t) => {
  const payments = [
    charge({ paymentId: 'a', amount: 22_000, status: 'COMPLETED' }),
    charge({ paymentId: 'b', amount: 500, status: 'COMPLETED' }),
    charge({ paymentId: 'c', type: 'REFUND', chargeId: 'a', amount: 1_000, status: 'PENDING' }),
    charge({ paymentId: 'd', amount: 7, status: 'FAILED' }),
  ];
  const routing = [{ kind: 'ROOM' as const, window: 'COMPANY' as const }];
  const charges = [bar, { ...breakfast, window: 'CHANNEL' as const }];
  const of = guest({
    status: 'CHECKED_OUT',
    charges,
    payments,
    paid: 21_500,
    routing,
    paymentWindows: { a: 'COMPANY' },
  });
  t.same(
    windowsOf(of, 3).map(({ window, total, paid, balance }) => [window, total, paid, balance]),
    [
      ['GUEST', 1_500, 500, 1_000],
      ['COMPANY', 24_200, 21_000, 3_200],
      ['CHANNEL', 2_140, 0, 2_140],
    ],
  );
  t.equal(moneyFault(of), undefined);
  const invoiced = { ...guest({ charges: [bar] }), guarantee: { kind: 'COMPANY' as const }, companyId: 'c' };
  t.same(
    windowsOf(invoiced, 3).map(({ window, total }) => [window, total]),
    [
      ['GUEST', 900],
      ['COMPANY', 24_800],
    ],
    'who guarantees the booking pays for the room, the guest for the rest',
  );
  t.same(
    windowsOf(guest({ nights: [], routing }), 3).map(({ window }) => window),
    ['GUEST', 'COMPANY'],
  );
});

t.test('a posting that was taken back says by which one', async (t) => {
  const reversal = { ...bar, id: 'v', amount: -900, quantity: -2, day: 2, voids: 'bar', notes: 'Wrong room' };
  const of = guest({ charges: [bar, reversal] });
  const [{ postings }] = folioOf(of, 1, dayAt) as [ReturnType<typeof folioOf>[0]];
  t.match(postings, [
    { postingId: 'bar', amount: 900, voidedBy: 'v', businessDate: 1 },
    { postingId: 'v', amount: -900, voids: 'bar', businessDate: 2, notes: 'Wrong room' },
  ]);
});

t.test('amounts that do not add up are a fault', async (t) => {
  const reversal = { ...bar, id: 'v', amount: -900, voids: 'bar' };
  t.equal(moneyFault(guest({ charges: [bar, reversal] })), undefined);
  for (const charges of [
    [bar, { ...reversal, amount: -899 }],
    [bar, reversal, { ...reversal, id: 'w' }],
    [bar, { ...reversal, voids: 'other' }],
    [bar, reversal, { ...bar, id: 'w', voids: 'v' }],
  ])
    t.match(moneyFault(guest({ charges })), /was taken back/);
});

t.test('a payment counts on the date on which it was posted, at whatever hour the date rolls now', async (t) => {
  const paid = charge({ amount: 24_800, status: 'COMPLETED', processedAt: 12 });
  const of = guest({ payments: [paid], paid: 24_800 });
  const days = (one: Reservation): number[] =>
    folioOf(one, 1, dayAt).flatMap(({ postings }) => postings.map(({ businessDate }) => businessDate));
  t.same(days({ ...of, posted: { money: { [paid.paymentId]: 2 } } }), [2]);
  t.same(days(of), [1], 'of a release before, which has not noted it');
});
