import t from 'tap';

import type { Caller } from '../../kernel/rules/caller.ts';
import { negated } from '../../kernel/rules/money.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withArchive } from '../../testing/archive.ts';
import {
  bookCommand,
  charge,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  noShowCommand,
  NOW,
  paid,
  plainRoom,
  postCommand,
  startPaymentCommand,
  stayWish,
} from '../../testing/property-world.ts';
import type { NightAudit, OtherCurrency } from '../rules/night-audit.ts';
import { databaseAnalytics } from '../storage/analytics.ts';
import { databaseDayReports } from '../storage/day-reports.ts';
import { databaseOtbByDay } from '../storage/otb-by-day.ts';
import { databaseSoldRevenue } from '../storage/sold-revenue.ts';
import { nightAudit } from './night-audit.ts';
import { readRevenueReport, readStayReport } from './read-day-report.ts';

const world = await withArchive(t);
const { admin } = world.test;
const analytics = databaseAnalytics(world.database);
const dayBooks = databaseOtbByDay(world.database);
const dayReports = databaseDayReports(world.database);
const BOSS = { tenantId: 'acme', subject: 'boss', role: 'MANAGER' } as Caller;
const DATES = [DAY, DAY + 1, DAY + 2, DAY + 3];

const property = await Stored.property(world.store, 'acme', NOW);
const { scene } = property;
const { propertyId } = property.to;
const services = {
  ...world.servicesOf({ scene } as never),
  clock: { now: () => scene.now },
  analytics,
  dayBooks,
  dayReports,
};

/** Moves to the next 03:00 of the property. */
const rolled = (): void => scene.endDay();

function paidStay(command: ReturnType<typeof bookCommand>): string {
  const { id } = scene.accept(command).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id));
  scene.accept(endPaymentCommand(id, paid(attempt, scene.now)));
  return id;
}

/** A booking by a token that promises the price of now in the currency of now. */
function promised(nights: number) {
  const { today } = scene.state;
  const { roomType, ...query } = stayWish({ checkIn: today, checkOut: today + nights });
  const rate = scene.view.quote(query, scene.now).rates.find((one) => one.roomType === roomType)!;
  const quote = { quoteId: freshId(), expiresAt: scene.now + 900_000, nightly: rate.nightly };
  const stay = { checkIn: today, checkOut: today + nights };
  return bookCommand({ quote: { ...quote, charges: scene.view.charges }, stay });
}

const MINIBAR = { taxLines: [{ code: 'BAR', amount: 40, included: true as const }] };
const stays: Record<string, string> = {};

/** Four days, on the second of which the property changes from euros to dollars. */
async function live(): Promise<void> {
  const rooms = ['101', '102', '103', '104'].map((number) => plainRoom(number));
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  stays['before'] = paidStay(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 1 } }));
  scene.accept(checkInCommand(stays['before']));
  scene.accept(postCommand(stays['before'], MINIBAR));
  rolled();
  scene.accept(checkOutCommand(stays['before'], { forced: true }));
  const [staying, missing] = [promised(2), promised(1)];
  const now = scene.state.property!;
  scene.accept({ type: 'UPDATE_PROPERTY', property: { ...now, metadata: { ...now.metadata, currency: 'USD' } } });
  stays['staying'] = paidStay(staying);
  stays['missing'] = paidStay(missing);
  stays['dollars'] = paidStay(bookCommand({ stay: { checkIn: DAY + 1, checkOut: DAY + 3 } }));
  for (const name of ['staying', 'dollars']) {
    scene.accept(checkInCommand(stays[name]!));
    scene.accept(postCommand(stays[name]!, MINIBAR));
  }
  rolled();
  scene.accept(noShowCommand(stays['missing']));
  for (const name of ['before', 'staying', 'dollars']) {
    const by = { refundId: freshId(), amount: 700, reason: 'noise', by: 'boss' };
    scene.accept({ type: 'GIVE_REFUND', reservationId: stays[name]!, goodwill: true, ...by });
  }
  const { attempt } = scene.accept(startPaymentCommand(stays['staying'], charge({ amount: 200 })));
  scene.accept(endPaymentCommand(stays['staying'], paid(attempt, scene.now)));
  rolled();
  for (const name of ['staying', 'dollars']) scene.accept(checkOutCommand(stays[name]!, { forced: true }));
  rolled();
  const outcomes = new Set(await property.write());
  if (outcomes.size !== 1 || !outcomes.has('committed')) throw new Error([...outcomes].join());
  await nightAudit(services, property.to, DAY + 4);
}

/** Amounts by currency, without those of 0. */
class Purse {
  readonly #amounts = new Map<string, number>();

  add(currency: string, amount: number): void {
    this.#amounts.set(currency, (this.#amounts.get(currency) ?? 0) + amount);
  }

  get all(): Record<string, number> {
    const names = [...this.#amounts.keys()].toSorted();
    return Object.fromEntries(
      names.map((name) => [name, this.#amounts.get(name)!]).filter(([, amount]) => amount !== 0),
    );
  }
}

let audits: NightAudit[] = [];

t.before(async () => {
  await live();
  const { items } = await analytics.list('acme', { propertyId, from: DAY, to: DAY + 3 }, 9);
  audits = items.map(({ content }) => content).toSorted((a, b) => a.date - b.date);
});

/** Money of an audit in each currency. */
const partsOf = (audit: NightAudit): Omit<OtherCurrency, 'roomNights'>[] => [audit, ...(audit.otherCurrencies ?? [])];

t.test('the days of each currency sum to its invoices and credit notes', async (t) => {
  const [earned, invoiced, moved, completed] = [new Purse(), new Purse(), new Purse(), new Purse()];
  for (const part of audits.flatMap(partsOf)) {
    earned.add(part.currency, part.revenue.total);
    moved.add(part.currency, part.money.paid - part.money.refunds.amount);
  }
  const { rows } = await admin.query<{ currency: string; cents: number }>(
    `select currency, sum(total * 100)::int as cents from invoice_documents group by 1`,
  );
  for (const { currency, cents } of rows) invoiced.add(currency, cents);
  for (const id of Object.values(stays)) {
    const { currency, payments } = scene.state.reservations.get(id)!;
    for (const { type, status, amount } of payments)
      if (status === 'COMPLETED') completed.add(currency, type === 'CHARGE' ? amount : negated(amount));
  }
  t.same(Object.keys(earned.all), ['EUR', 'USD']);
  t.same(earned.all, invoiced.all);
  t.same(moved.all, completed.all);
});

t.test('a date is in the currency of its end, and its figures have no amount of another', async (t) => {
  t.same(
    audits.map(({ currency }) => currency),
    ['EUR', 'USD', 'USD', 'USD'],
    'a date that is audited after the change too',
  );
  const [first, second] = audits as [NightAudit, NightAudit];
  t.match(first, { house: { roomsSold: 1, adr: 10_000 }, revenue: { rooms: 10_000, total: 11_400 + 900 } });
  t.notOk(first.otherCurrencies);
  t.match(second, {
    house: { roomsSold: 2, otherCurrencyRooms: 1, roomRevenue: 10_000, adr: 10_000 },
    revenue: { rooms: 10_000 },
    money: { paid: 22_800 },
    otherCurrencies: [{ currency: 'EUR', roomNights: 1, revenue: { rooms: 10_000, penalties: 10_364 } }],
  });
  t.match(second.otherCurrencies![0]!.byTax, [
    { group: 'ROOM', code: 'TAX', net: 10_000, tax: 1_000 },
    { group: 'FEE', code: 'FEES', tax: 400 },
    { group: 'EXTRA', code: 'BAR' },
    { group: 'PENALTY', code: 'TAX' },
  ]);
});

t.test('the revenue report of a date says the same in each currency', async (t) => {
  for (const [index, date] of DATES.entries()) {
    const report = await readRevenueReport(services, BOSS, { propertyId, date });
    const audit = audits[index]!;
    t.equal(report.currency, audit.currency);
    const [reported, audited] = [new Purse(), new Purse()];
    reported.add(report.currency, report.totals.gross);
    for (const { currency, sum } of report.otherCurrencies) reported.add(currency, sum.gross);
    for (const { currency, revenue } of partsOf(audit)) audited.add(currency, revenue.total);
    t.same(reported.all, audited.all);
  }
});

t.test('totals of a list are by currency, and each stay says its own', async (t) => {
  const list = await readStayReport(services, BOSS, 'arrivals', { propertyId, date: DAY + 1, limit: 10 });
  t.same(list.items.map(({ currency }) => currency).sort(), ['EUR', 'USD']);
  const mine = list.items.find(({ currency }) => currency === 'USD');
  t.match(list, { currency: 'USD', totals: { stays: 2, total: mine!.total, paid: mine!.paid } });
  const other = list.items.find(({ currency }) => currency === 'EUR');
  t.match(list.otherCurrencies, [{ currency: 'EUR', stays: 1, total: other!.total, balance: other!.balance }]);
});

t.test('nights of another currency are no revenue of the property in the analysis of its rates', async (t) => {
  const sold = await databaseSoldRevenue(world.database)(property.to, DAY + 1, DAY + 2);
  t.same(
    sold.map(({ day, rooms }) => [day, rooms]).toSorted(([a], [b]) => a! - b!),
    [
      [DAY + 1, 1],
      [DAY + 2, 1],
    ],
  );
});

t.test('payments are stored in the currency of their stay', async (t) => {
  const { rows } = await admin.query(
    `select count(*)::int as wrong from payments p join reservations r on r.id = p.reservation_id
     where p.currency <> r.currency`,
  );
  t.same(rows, [{ wrong: 0 }]);
});
