import tap, { test } from 'tap';

import { heldAnswers, heldTokens } from './groups/held-answers.ts';
import { manyQuotes } from './groups/many-quotes.ts';
import { Service } from './service.ts';

tap.setTimeout(300_000);

const service = await Service.start();
tap.teardown(() => service.remove());

void test('many quotes in one request', (t) => manyQuotes(t, service));
void test('answers that a client holds', (t) => heldAnswers(t, service));
void test('tokens of answers that a client holds', (t) => heldTokens(t, service));
