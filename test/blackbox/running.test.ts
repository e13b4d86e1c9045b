import tap, { test } from 'tap';
import { badInput } from './groups/bad-input.ts';
import { changes } from './groups/changes.ts';
import { clock } from './groups/clock.ts';
import { edge } from './groups/edge.ts';
import { history } from './groups/history.ts';
import { isolation } from './groups/isolation.ts';
import { lists } from './groups/lists.ts';
import { live } from './groups/live.ts';
import { pages } from './groups/pages.ts';
import { payments } from './groups/payments.ts';
import { quotes } from './groups/quotes.ts';
import { repeats } from './groups/repeats.ts';
import { plans } from './groups/plans.ts';
import { rules } from './groups/rules.ts';
import { selling } from './groups/selling.ts';
import { setUp } from './groups/set-up.ts';
import { Service } from './service.ts';

/** One service for all: each group has properties of its own. The clock goes last, since it only goes forward. */
const service = await Service.start();
tap.teardown(() => service.remove());

void test('bad input', (t) => badInput(t, service));
void test('the edge', (t) => edge(t, service));
void test('selling', (t) => selling(t, service));
void test('rate plans', (t) => plans(t, service));
void test('rules of sale', (t) => rules(t, service));
void test('payments', (t) => payments(t, service));
void test('repeated requests', (t) => repeats(t, service));
void test('quotes and prices', (t) => quotes(t, service));
void test('changes and cancellations', (t) => changes(t, service));
void test('lists', (t) => lists(t, service));
void test('setting up', (t) => setUp(t, service));
void test('tenants', (t) => isolation(t, service));
void test('history', (t) => history(t, service));
void test('live', (t) => live(t, service));
void test('documents and health', (t) => pages(t, service));
void test('the clock', (t) => clock(t, service));
