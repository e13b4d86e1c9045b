import t from 'tap';

import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import { charge, DAY, paid, reservation } from '../../testing/property-world.ts';
import { earnedTogether, noShowPosting, postingDaysAfter, postingsOn } from './posting-days.ts';

const night = (day: number) => ({ day, rate: 10_000, taxes: 1_000, fees: 400 });
const BY_TAX = [
  { group: 'ROOM', code: 'TAX', net: 10_000, tax: 1_000 },
  { group: 'FEE', code: 'FEES', net: 0, tax: 400 },
];
const EARNED = { nights: 1, rooms: 10_000, extras: 400, penalties: 0, taxes: 1_000, fees: 400, byTax: BY_TAX };

const missed = (cancellationId: string, penalty: number, waived?: Cancellation['waived']): Cancellation => ({
  cancellationId,
  reason: 'OTHER',
  cancelledBy: 'desk',
  policyName: 'STANDARD',
  deadline: null,
  penalty,
  ...(waived && { waived }),
  refundEligible: false,
  refund: 0,
  refundId: null,
  cancelledAt: 0,
  day: DAY,
});

/** A stay of two nights from DAY on, through changes on the given business dates. */
class History {
  now: Reservation | undefined;

  on(today: number, change: Partial<Omit<Reservation, 'stay'>>): this {
    const before = this.now;
    const nights = [night(DAY), night(DAY + 1)];
    const after = { ...(before ?? reservation({ stay: { checkIn: DAY, checkOut: DAY + 2 }, nights })), ...change };
    const posted = postingDaysAfter(before, after, today);
    this.now = posted === undefined ? after : { ...after, posted };
    return this;
  }

  /** Postings of each of four days; no-shows count on the day on which their audit finds them. */
  days(marked: readonly number[] = []): number[][] {
    return [DAY, DAY + 1, DAY + 2, DAY + 3].map((day) => {
      const due = marked.flatMap((on, index) =>
        on === day ? (noShowPosting(this.now!, marked.length - 1 - index) ?? []) : [],
      );
      const { rooms, extras, penalties, taxes } = earnedTogether([...postingsOn(this.now!, day), ...due]);
      return [rooms, extras, penalties, taxes];
    });
  }
}

const NONE = [0, 0, 0, 0];
const A_NIGHT = [10_000, 400, 0, 1_000];

void t.test('a stay is posted night by night, and its charges when the guest leaves', async (t) => {
  const stay = new History().on(DAY, {}).on(DAY, { status: 'CHECKED_IN' });
  t.equal(stay.now!.posted, undefined, 'nothing has to be said of it');
  const charges = [{ description: 'Bar', amount: 700, day: DAY + 2 }];
  stay.on(DAY + 2, { status: 'CHECKED_OUT', charges });
  t.same(stay.days(), [A_NIGHT, A_NIGHT, [0, 700, 0, 0], NONE]);
  const credit = { description: 'Goodwill', amount: -200, day: DAY + 3, afterwards: true as const };
  t.same(stay.on(DAY + 3, { charges: [...charges, credit] }).days(), [
    A_NIGHT,
    A_NIGHT,
    [0, 700, 0, 0],
    [0, -200, 0, 0],
  ]);
});

void t.test('a night that comes or goes when it is over is posted today, with its own day', async (t) => {
  const stay = new History().on(DAY, {}).on(DAY + 1, { status: 'CHECKED_IN' });
  t.same(stay.now!.posted, { late: [{ kind: 'STAY', of: DAY, day: DAY + 1, ...EARNED }] });
  t.same(stay.days(), [NONE, [20_000, 800, 0, 2_000], NONE, NONE]);
  t.same(postingsOn(stay.now!, DAY + 1), [
    { of: DAY + 1, ...EARNED },
    { of: DAY, ...EARNED },
  ]);
  stay.on(DAY + 3, { nights: [night(DAY)], status: 'CHECKED_OUT' });
  t.same(stay.days().slice(1), [[20_000, 800, 0, 2_000], NONE, [-10_000, -400, 0, -1_000]]);
  stay.on(DAY + 4, { charges: [{ description: 'Forgotten', amount: 50, day: DAY + 3 }] });
  t.same(stay.days()[3], [-10_000, -400, 0, -1_000], 'the day of the departure is over');
  t.same(postingsOn(stay.now!, DAY + 4), [{ of: DAY + 3, nights: 0, rooms: 0, extras: 50, penalties: 0, taxes: 0 }]);
});

void t.test('a no-show that is taken back takes its penalty back on that day, however often', async (t) => {
  const stay = new History().on(DAY, {}).on(DAY + 1, { status: 'NO_SHOW', cancellation: missed('a', 11_000) });
  t.same(stay.days([DAY]), [[0, 0, 10_000, 1_000], NONE, NONE, NONE]);
  stay.on(DAY + 1, { status: 'CONFIRMED', cancellation: undefined });
  t.same(stay.days([DAY]), [[0, 0, 10_000, 1_000], [0, 0, -10_000, -1_000], NONE, NONE]);
  stay.on(DAY + 2, { status: 'NO_SHOW', cancellation: missed('b', 22_000) });
  const waived = { ...missed('b', 20_900), waived: [{ day: DAY + 3, amount: 1_100 }] };
  stay.on(DAY + 3, { cancellation: waived });
  const days = stay.days([DAY, DAY + 2]);
  t.same(days[0], [0, 0, 10_000, 1_000]);
  t.same(days[1], [0, 0, -10_000, -1_000]);
  t.same(days.slice(2), [
    [0, 0, 20_000, 2_000],
    [0, 0, -1_000, -100],
  ]);
  stay.on(DAY + 3, { status: 'CONFIRMED', cancellation: undefined });
  const sums = stay.days([DAY, DAY + 2]).map(([, , penalties]) => penalties!);
  t.equal(
    sums.reduce((all, one) => all + one, 0),
    0,
  );
  t.same(sums.slice(0, 3), [10_000, -10_000, 20_000], 'days that are over stay as they are');
});

void t.test('a cancellation that is taken back on its own day has earned nothing', async (t) => {
  const stay = new History().on(DAY, {}).on(DAY, { status: 'NO_SHOW', cancellation: missed('a', 11_000) });
  t.same(stay.on(DAY, { status: 'CONFIRMED', cancellation: undefined }).days([DAY]), [NONE, NONE, NONE, NONE]);
});

void t.test('a cancellation that is taken back on a later day lowers that day', async (t) => {
  const stay = new History().on(DAY, {}).on(DAY, { status: 'CANCELLED', cancellation: missed('a', 11_000) });
  t.same(stay.days()[0], [0, 0, 10_000, 1_000]);
  stay.on(DAY + 1, { status: 'CONFIRMED', cancellation: undefined });
  t.same(stay.days(), [[0, 0, 10_000, 1_000], [0, 0, -10_000, -1_000], NONE, NONE]);
});

void t.test('money counts when it was recorded, whenever the provider had it', async (t) => {
  const attempt = charge({ amount: 500 });
  const stay = new History().on(DAY, { payments: [attempt] });
  t.equal(stay.now!.posted, undefined);
  stay.on(DAY + 2, { payments: [paid(attempt, 0)] }).on(DAY + 3, { paid: 500 });
  t.same(stay.now!.posted, { money: { [attempt.paymentId]: DAY + 2 } });
});

void t.test('what a day earned is known by its taxes, and what is taken back takes them back', async (t) => {
  const minibar = { description: 'Bar', amount: 1_130, day: DAY, id: 'a', kind: 'EXTRA' as const };
  const taxed = { ...minibar, taxLines: [{ code: 'BAR', amount: 130, included: true as const }] };
  const stay = new History().on(DAY, {}).on(DAY, { status: 'CHECKED_IN', charges: [taxed] });
  const [earned] = postingsOn(stay.now!, DAY);
  t.same(earned, {
    ...EARNED,
    of: DAY,
    extras: 1_530,
    byTax: [...BY_TAX, { group: 'EXTRA', code: 'BAR', net: 1_000, tax: 130 }],
  });
  stay.on(DAY + 1, { nights: [night(DAY + 1)] });
  const taken = postingsOn(stay.now!, DAY + 1).find(({ of }) => of === DAY)!;
  t.match(taken, { rooms: -10_000, fees: -400, byTax: [{ code: 'TAX', net: -10_000, tax: -1_000 }, { tax: -400 }] });
  const missing = new History().on(DAY, {}).on(DAY, { status: 'CANCELLED', cancellation: missed('a', 11_000) });
  t.match(postingsOn(missing.now!, DAY), [{ byTax: [{ group: 'PENALTY', code: 'TAX', net: 10_000, tax: 1_000 }] }]);
});
