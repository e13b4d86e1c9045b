import t from 'tap';

import { waysToPay } from './ways-to-pay.ts';

const details = { method: 'CREDIT_CARD', billingAddress: null };

t.test('the card on file is offered only where there is one, and to who has given it', async (t) => {
  const offers = (paymentDetails: Parameters<typeof waysToPay>[0]['paymentDetails'], payer: 'GUEST' | 'SHARER') =>
    waysToPay({ companyId: null, paymentDetails }, undefined, payer).includes('CARD_ON_FILE');
  t.notOk(offers(null, 'GUEST'));
  t.notOk(offers(details, 'GUEST'), 'the card was declined');
  t.ok(offers({ ...details, cardOnFile: true }, 'GUEST'));
  t.notOk(offers({ ...details, cardOnFile: true }, 'SHARER'));
});

t.test('an account is offered where a company pays', async (t) => {
  const stay = { companyId: null, paymentDetails: null };
  t.notOk(waysToPay(stay, undefined, 'GUEST').includes('INVOICE'));
  t.ok(waysToPay({ ...stay, companyId: 'c' }, undefined, 'GUEST').includes('INVOICE'));
});
