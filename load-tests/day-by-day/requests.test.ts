import { test } from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import { paymentBody } from '../../src/money/contracts/payments.ts';
import {
  cancelBody,
  checkInBody,
  checkOutBody,
  createBody,
  modifyBody,
} from '../../src/stay/contracts/reservations.ts';
import { planReplay } from '../replay/plan.ts';
import type { Account } from './ledger.ts';
import { simulatedDays, type DayEvent, mannerOf } from './life.ts';
import { madeUpBookings } from './made-up.ts';
import { dueFor, requestOf } from './requests.ts';

/** Far in the future: schemas reject days that are past by the real clock. */
const TODAY = dayOf('2082-11-20');
const BODIES = {
  create: createBody,
  amend: modifyBody,
  cancel: cancelBody,
  checkIn: checkInBody,
  checkOut: checkOutBody,
  pay: paymentBody,
};

const account = (more: Partial<Account> = {}): Account => ({
  row: 1,
  reservationId: 'one',
  status: 'CONFIRMED',
  roomType: 'A',
  rateCode: 'BAR',
  checkIn: TODAY + 1,
  checkOut: TODAY + 3,
  total: 21_801,
  paid: 0,
  ...more,
});

const all: DayEvent[] = simulatedDays(planReplay(madeUpBookings(200, 20), TODAY)).flatMap(
  ({ departures, others }) => [...departures, ...others],
);
const first = (kind: DayEvent['kind'], fits: (event: DayEvent) => boolean = () => true): DayEvent =>
  all.find((event) => event.kind === kind && fits(event))!;

void test('every request has a body that the service takes', async (t) => {
  for (const event of all) {
    const status = event.kind === 'checkOut' ? 'CHECKED_IN' : 'CONFIRMED';
    const request = requestOf(event, account({ status }), 'house')!;
    if (event.kind === 'noShow') t.equal(request.body, undefined);
    else t.match(BODIES[event.kind].safeParse(request.body), { success: true }, JSON.stringify(request));
  }
});

void test("requests that are impossible in the booking's state are not made", async (t) => {
  t.equal(requestOf(first('amend'), undefined, 'house'), undefined, 'it was refused');
  t.equal(requestOf(first('checkIn'), account({ status: 'PENDING' }), 'house'), undefined);
  t.equal(requestOf(first('checkOut'), account({ status: 'NO_SHOW' }), 'house'), undefined);
  t.equal(requestOf(first('pay'), account({ paid: 21_801 }), 'house'), undefined, 'nothing is due');
  t.equal(requestOf(first('cancel'), account({ status: 'CANCELLED' }), 'house'), undefined, 'it has expired');
});

void test('a guest with a balance is checked out by force, others normally', async (t) => {
  const owes = ({ planned }: DayEvent): boolean => mannerOf(planned.booking) === 'OWED';
  const there = account({ status: 'CHECKED_IN' });
  t.match(requestOf(first('checkOut', owes), there, 'house'), {
    path: '/api/v1/admin/reservations/one/force-checkout',
  });
  t.match(
    requestOf(
      first('checkOut', (event) => !owes(event)),
      there,
      'house',
    ),
    {
      path: '/api/v1/reservations/one/checkout',
    },
  );
});

void test('a deposit is half of the price, a cent more where it is odd', async (t) => {
  t.equal(dueFor('DEPOSIT', account()), 10_901);
  t.equal(dueFor('DEPOSIT', account({ paid: 10_000 })), 901, 'an amendment has raised the price');
  t.equal(dueFor('DEPOSIT', account({ paid: 10_901 })), undefined);
  t.equal(dueFor('REST', account({ paid: 10_901 })), 10_900);
  t.match(requestOf(first('pay'), account(), 'house')?.body, { method: 'BANK_TRANSFER', amount: 109.01 });
});
