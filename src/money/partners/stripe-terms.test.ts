import t from 'tap';

import { incrementOf, isCurrency } from '../../kernel/rules/money.ts';
import { stripeAmount } from './stripe-terms.ts';

t.test('amounts of a currency are charged exactly, in the units of the provider', async (t) => {
  const all = Intl.supportedValuesOf('currency').filter(isCurrency);
  t.ok(all.length > 100, `${all.length}`);
  for (const currency of all) {
    const amount = 1_234_567 * incrementOf(currency);
    const sent = stripeAmount(amount, currency);
    if (currency === 'ISK' || currency === 'UGX') t.equal(sent, amount, currency);
    else t.equal(sent, 1_234_567, currency);
  }
});
