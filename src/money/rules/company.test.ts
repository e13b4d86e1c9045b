import t from 'tap';

import { accountsOf, balancesOf, entryText, mustBeEven } from './company.ts';

void t.test('charges raise a balance, refunds and payments lower it, in each currency by itself', (t) => {
  t.same(
    balancesOf([
      { kind: 'CHARGE', amount: 50_000, currency: 'USD' },
      { kind: 'CHARGE', amount: 30_000, currency: 'EUR' },
      { kind: 'REFUND', amount: 10_000, currency: 'EUR' },
      { kind: 'PAYMENT', amount: 25_000, currency: 'EUR' },
    ]),
    [
      { currency: 'EUR', balance: -5_000 },
      { currency: 'USD', balance: 50_000 },
    ],
  );
  t.same(balancesOf([]), []);
  t.end();
});

void t.test('a company owes what is on its own account, and what its channel has collected', (t) => {
  t.same(accountsOf({ companyId: 'c1' }), ['company:c1']);
  t.same(accountsOf({ companyId: 'c1', channel: 'OTA' }), ['company:c1', 'channel:OTA']);
  t.end();
});

void t.test('an open balance, either way, is settled first', (t) => {
  mustBeEven([], 'it goes');
  mustBeEven([{ currency: 'EUR', balance: 0 }], 'it goes');
  const open = [
    { currency: 'EUR', balance: 12_350 },
    { currency: 'JPY', balance: 0 },
    { currency: 'USD', balance: -100 },
  ];
  const message = 'Its balance is 123.50 EUR, -1.00 USD; settle it before it goes.';
  t.throws(() => mustBeEven(open, 'it goes'), { code: 'INVALID_STATE', message });
  t.end();
});

void t.test('a line says what it is about', (t) => {
  const entry = { entryId: 'e', at: 0, businessDate: 0, propertyId: 'p', amount: 1, currency: 'EUR' };
  const stay = { ...entry, confirmationNumber: 'ABC' };
  t.equal(entryText({ ...stay, kind: 'CHARGE' }), 'Stay ABC');
  t.equal(entryText({ ...stay, kind: 'REFUND' }), 'Refund of stay ABC');
  t.equal(entryText({ ...entry, kind: 'PAYMENT', method: 'CASH' }), 'Payment received (CASH)');
  t.end();
});
