import t from 'tap';

import { folioTotals } from '../../../src/money/rules/folio.ts';
import { reservation } from '../../../src/testing/property-world.ts';
import { compact, type Markup } from '../html.ts';
import { textsFor } from '../texts.ts';
import { stayPrice } from './stay-price.ts';

const night = { rate: 14_800, taxes: 1_036, fees: 300 };
const nights = [
  { day: 20_604, ...night },
  { day: 20_605, ...night },
];
const names = new Map<string, string>();

/** Rows of a breakdown: names, and amounts in cents. */
function rowsIn(markup: Markup): [string, number][] {
  const found = compact(markup).matchAll(/<th scope="row">([^<]*)<\/th>\s*<td>([^<]*)<\/td>/g);
  return [...found].map(([, name, amount]) => [name!, Number(amount!.replaceAll(/[^\d-]/g, ''))]);
}

void t.test('the parts of a price add up to it, with extras and with what is retained', async (t) => {
  const spa = { code: 'SPA', description: 'Spa', day: 20_604, amount: 3_075 };
  const voided = { description: 'Bar', day: 20_604, amount: 900 };
  const charges = [spa, spa, voided, { ...voided, amount: -900 }];
  for (const retained of [0, 90_000]) {
    const stay = reservation({ nights, charges, retained, currency: 'EUR' });
    const { total } = folioTotals(stay);
    for (const language of ['en', 'de', 'fr', 'es', 'pt']) {
      const rows = rowsIn(stayPrice(textsFor(language, undefined, false), stay, { taxes: [], names }));
      const parts = rows.slice(0, -1);
      t.same(rows.at(-1)![1], total, 'the last line is the price');
      t.equal(
        parts.reduce((sum, [, amount]) => sum + amount, 0),
        total,
        `${language}, ${retained} retained`,
      );
      t.match(
        parts.find(([name]) => name === 'Spa'),
        ['Spa', 6_150],
        'one line for what was taken twice',
      );
      t.notOk(
        parts.some(([name]) => name === 'Bar'),
        'what was voided has none',
      );
    }
  }
  const kept = reservation({ nights, retained: 90_000, currency: 'EUR' });
  const german = rowsIn(stayPrice(textsFor('de', undefined, false), kept, { taxes: [], names }));
  t.ok(german.some(([name]) => name === 'Nach den Bedingungen einbehalten'));
});
