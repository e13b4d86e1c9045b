import t from 'tap';
import { reservation } from '../testing/property-world.ts';
import { assertMoney, billOf, folioTotals, moneyFault, received } from './folio.ts';
import type { Payment } from './reservation.ts';

const nights = [
  { day: 1, rate: 10_000, taxes: 1_000, fees: 300 },
  { day: 2, rate: 12_000, taxes: 1_200, fees: 300 },
];
const charges = [
  { description: 'Minibar', amount: 1_250, day: 2 },
  { description: 'Complaint', amount: -500, day: 2 },
];
const payment = (changed: Partial<Payment>): Payment => ({
  ...{ paymentId: 'p', type: 'CHARGE', amount: 1_000, method: 'CASH', status: 'COMPLETED', createdAt: 0 },
  ...changed,
});

void t.test('the bill is nights, taxes, fees and all that was charged besides', async (t) => {
  t.same(folioTotals({ nights, charges }), { base: 22_000, taxes: 2_200, fees: 1_350, total: 25_550 });
  t.same(billOf({ nights, charges, paid: 24_800 }), {
    ...{ roomCharges: 22_000, additionalCharges: 1_350, taxes: 2_200, total: 25_550, balance: 750 },
  });
  t.equal(billOf({ nights, paid: 30_000 }).balance, -5_200);
});

void t.test('money that is there is what was charged less what goes back', async (t) => {
  const all = [
    payment({}),
    payment({ status: 'PENDING' }),
    payment({ status: 'FAILED' }),
    payment({ status: 'REFUNDED' }),
    payment({ type: 'REFUND', amount: 300, status: 'PROCESSING' }),
    payment({ type: 'REFUND', amount: 50, status: 'FAILED' }),
  ];
  t.equal(received(all), 700);
  const stay = { checkIn: 1, checkOut: 3 };
  const sound = reservation({ paid: 700, payments: all, nights, stay });
  t.doesNotThrow(() => assertMoney(sound));
  t.throws(() => assertMoney({ ...sound, paid: 701 }), /701 is paid, its payments say 700/);
  t.throws(() => assertMoney({ ...sound, paid: -1, payments: [payment({ type: 'REFUND', amount: 1 })] }));
  for (const wrong of [[nights[0]!], [...nights, { ...nights[0]!, day: 3 }], nights.toReversed(), []])
    t.match(moneyFault({ ...sound, nights: wrong }), /its nights are not those of its stay/);
  t.match(moneyFault({ ...sound, nights: [nights[0]!, { ...nights[1]!, taxes: 0.5 }] }), /its nights/);
});
