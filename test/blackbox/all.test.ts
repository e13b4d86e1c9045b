import tap, { test } from 'tap';

import { agreedPrices } from './groups/agreed-prices.ts';
import { answersRight } from './groups/answers-right.ts';
import { arrivals } from './groups/arrivals.ts';
import { asPromised } from './groups/as-promised.ts';
import { auditTrail } from './groups/audit-trail.ts';
import { badInput } from './groups/bad-input.ts';
import { balances } from './groups/balances.ts';
import { bills } from './groups/bills.ts';
import { bookings } from './groups/bookings.ts';
import { changes } from './groups/changes.ts';
import { chargebacks } from './groups/chargebacks.ts';
import { companies } from './groups/companies.ts';
import { dayUse } from './groups/day-use.ts';
import { dryRuns } from './groups/dry-runs.ts';
import { events } from './groups/events.ts';
import { folios } from './groups/folio.ts';
import { frontDesk } from './groups/front-desk.ts';
import { guarantees } from './groups/guarantees.ts';
import { guestPages } from './groups/guest-pages.ts';
import { guests } from './groups/guests.ts';
import { history } from './groups/history.ts';
import { holds } from './groups/holds.ts';
import { housekeeping } from './groups/housekeeping.ts';
import { inquiries } from './groups/inquiries.ts';
import { invoices } from './groups/invoices.ts';
import { isolation } from './groups/isolation.ts';
import { leaving } from './groups/leaving.ts';
import { lists } from './groups/lists.ts';
import { lookingBack } from './groups/looking-back.ts';
import { maintenances } from './groups/maintenances.ts';
import { notifications } from './groups/notifications.ts';
import { otherCurrencies } from './groups/other-currencies.ts';
import { payments } from './groups/payments.ts';
import { plans } from './groups/plans.ts';
import { pricesHold } from './groups/prices-hold.ts';
import { quotes } from './groups/quotes.ts';
import { rateExamples } from './groups/rate-examples.ts';
import { repeats } from './groups/repeats.ts';
import { reservationExamples } from './groups/reservation-examples.ts';
import { roomBlocks } from './groups/room-blocks.ts';
import { roomWishes } from './groups/room-wishes.ts';
import { rooms } from './groups/rooms.ts';
import { rules } from './groups/rules.ts';
import { selling } from './groups/selling.ts';
import { setUp } from './groups/set-up.ts';
import { taxes } from './groups/taxes.ts';
import { tenantLife } from './groups/tenant-life.ts';
import { versions } from './groups/versions.ts';
import { waitlist } from './groups/waitlist.ts';
import { workspace } from './groups/workspace.ts';
import { yieldOptimization } from './groups/yield.ts';
import { Service } from './service.ts';

/** Forty-eight groups, one after the other. */
tap.setTimeout(600_000);

/**
 * Rules, with one service for all: each group has properties of its own. What moves the clock is in clock.test.ts, what
 * depends on the runtime in edge.test.ts. tap plays files by name, several at a time: this is the longest and comes
 * first.
 */
const service = await Service.start({}, { isWatched: true });
tap.teardown(() => service.remove());

// Both have competitors of every property read: first, while there are few.
void test('yield', (t) => yieldOptimization(t, service));
void test('examples of the rate service', (t) => rateExamples(t, service));
void test('bad input', (t) => badInput(t, service));
void test('events', (t) => events(t, service));
void test('answers say what is so', (t) => answersRight(t, service));
void test('agreed prices', (t) => agreedPrices(t, service));
void test('arrivals', (t) => arrivals(t, service));
void test('inquiries', (t) => inquiries(t, service));
void test('waitlist and walk', (t) => waitlist(t, service));
void test('small promises', (t) => asPromised(t, service));
void test('folio', (t) => folios(t, service));
void test('bills', (t) => bills(t, service));
void test('selling', (t) => selling(t, service));
void test('rate plans', (t) => plans(t, service));
void test('examples of the reservation service', (t) => reservationExamples(t, service));
void test('prices hold', (t) => pricesHold(t, service));
void test('bookings of several rooms', (t) => bookings(t, service));
void test('room blocks of groups', (t) => roomBlocks(t, service));
void test('rules of sale', (t) => rules(t, service));
void test('holds', (t) => holds(t, service));
void test('invoices', (t) => invoices(t, service));
void test('payments', (t) => payments(t, service));
void test('chargebacks', (t) => chargebacks(t, service));
void test('other currencies', (t) => otherCurrencies(t, service));
void test('repeated requests', (t) => repeats(t, service));
void test('quotes and prices', (t) => quotes(t, service));
void test('changes and cancellations', (t) => changes(t, service));
void test('day use and ages of children', (t) => dayUse(t, service));
void test('steps that are tried first', (t) => dryRuns(t, service));
void test('leaving', (t) => leaving(t, service));
void test('balances', (t) => balances(t, service));
void test('companies', (t) => companies(t, service));
void test('guarantees', (t) => guarantees(t, service));
void test('versions', (t) => versions(t, service));
void test('rooms', (t) => rooms(t, service));
void test('room wishes', (t) => roomWishes(t, service));
void test('maintenances', (t) => maintenances(t, service));
void test('housekeeping', (t) => housekeeping(t, service));
void test('lists', (t) => lists(t, service));
void test('taxes', (t) => taxes(t, service));
void test('setting up', (t) => setUp(t, service));
void test('tenants', (t) => isolation(t, service));
void test('pages for guests', (t) => guestPages(t, service));
void test('the life of tenants', (t) => tenantLife(t, service));
void test('guests', (t) => guests(t, service));
void test('the audit trail', (t) => auditTrail(t, service));
void test('history', (t) => history(t, service));
void test('looking back', (t) => lookingBack(t, service));
void test('notifications', (t) => notifications(t, service));
void test('the revenue workspace', (t) => workspace(t, service));
void test('the front desk', (t) => frontDesk(t, service));
