import t, { type Test } from 'tap';

import { SignedText } from '../../kernel/operations/signed-text.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { PROPERTY_ID, NOW, stayWish } from '../../testing/property-world.ts';
import type { QuotedRate } from '../rules/queries.ts';
import { stayKey } from '../rules/stay.ts';
import { QUOTE_LIFE_MS, QuoteTokens, verifyQuote } from './quote-token.ts';

const signed = new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]);
const STAY = stayWish();
const PRICE = { nightly: [100, 20_050] };
const CHARGES = { currency: 'EUR', taxPercent: 7.25, feePerNight: 150, feePerPersonNight: 0 };

function token(changed: Partial<QuotedRate> = {}, by = signed): string {
  const { roomType, rateCode } = STAY;
  return new QuoteTokens(by, PROPERTY_ID, STAY, NOW, CHARGES).of({
    roomType,
    rateCode,
    ...PRICE,
    ...changed,
  } as QuotedRate);
}

function isRefused(t: Test, work: () => unknown, name: string): void {
  t.throws(work, { code: 'QUOTE_EXPIRED' }, name);
}

void t.test('a token that belongs to somebody is opened by nobody else', async (t) => {
  const [one, other] = [signed.ownedBy('acme agent-1'), signed.ownedBy('acme agent-2')];
  t.match(verifyQuote(one, token({}, one), PROPERTY_ID, STAY), { nightly: [100, 20_050] });
  for (const [by, opener] of [
    [one, other],
    [one, signed],
    [signed, one],
  ] as const)
    isRefused(t, () => verifyQuote(opener, token({}, by), PROPERTY_ID, STAY), 'of another owner');
});

void t.test('a token says what was promised, until when, under an id of its own', (t) => {
  const tokens = new QuoteTokens(signed, PROPERTY_ID, STAY, NOW, CHARGES);
  const { roomType, rateCode } = STAY;
  const rate = { roomType, rateCode, ...PRICE } as QuotedRate;
  const [first, second] = [tokens.of(rate), tokens.of(rate)].map((one) =>
    verifyQuote(signed, one, PROPERTY_ID, STAY),
  );
  t.match(first, { expiresAt: NOW + QUOTE_LIFE_MS, nightly: [100, 20_050] });
  t.not(first!.quoteId, second!.quoteId);
  t.end();
});

void t.test('a token is worth nothing for any other stay', (t) => {
  const mine = token();
  for (const other of [
    { checkIn: STAY.checkIn + 1 },
    { checkOut: STAY.checkOut + 1 },
    { adults: 7 },
    { children: 7 },
  ])
    isRefused(t, () => verifyQuote(signed, mine, PROPERTY_ID, { ...STAY, ...other }), JSON.stringify(other));
  isRefused(t, () => verifyQuote(signed, mine, PROPERTY_ID, { ...STAY, roomType: 'DLX' }), 'room type');
  isRefused(t, () => verifyQuote(signed, mine, PROPERTY_ID, { ...STAY, rateCode: 'NRF' }), 'rate code');
  isRefused(t, () => verifyQuote(signed, mine, { ...PROPERTY_ID, propertyId: 'other' }, STAY), 'property');
  isRefused(t, () => verifyQuote(signed, mine, { ...PROPERTY_ID, tenantId: 'other' }, STAY), 'tenant');
  t.end();
});

void t.test('codes with spaces cannot be read as other codes', (t) => {
  const mine = token({ rateCode: 'A 1 B', roomType: 'C' });
  verifyQuote(signed, mine, PROPERTY_ID, { ...STAY, rateCode: 'A 1 B', roomType: 'C' });
  isRefused(t, () => verifyQuote(signed, mine, PROPERTY_ID, { ...STAY, rateCode: 'A', roomType: '1 B C' }), 'moved');
  t.end();
});

void t.test('a changed letter, another purpose or an unknown key make it foreign', (t) => {
  const mine = token();
  for (let at = 0; at < mine.length; at += 1) {
    const changed = mine.slice(0, at) + (mine[at] === '1' ? '2' : '1') + mine.slice(at + 1);
    t.throws(() => verifyQuote(signed, changed, PROPERTY_ID, STAY), DomainError, `at ${at}`);
  }
  t.equal(signed.open('cursor', signed.sign('quote', 'x')), undefined);
  const old = new SignedText([{ id: 'k0', secret: new Uint8Array(32).fill(2) }]);
  isRefused(t, () => verifyQuote(signed, token({}, old), PROPERTY_ID, STAY), 'key');
  t.end();
});

void t.test('a text under an older key is still ours', (t) => {
  const older = { id: 'k1', secret: new Uint8Array(32).fill(1) };
  const both = new SignedText([{ id: 'k2', secret: new Uint8Array(32).fill(3) }, older]);
  t.equal(both.open('quote', signed.sign('quote', 'x')), 'x');
  t.match(both.sign('quote', 'x'), /^k2\./);
  t.end();
});

void t.test(
  'taxes of the property that hold during the stay are promised; an earlier release refuses the token',
  (t) => {
    const rule = { code: 'CITY_1', kind: 'PER_PERSON_NIGHT', value: 250, included: false, on: 'ROOM' } as const;
    const taxes = [
      { ...rule, minAge: 14, maxNights: 7, from: STAY.checkIn - 1, to: STAY.checkOut },
      { ...rule, code: 'VAT', kind: 'PERCENT', value: 7.25, included: true } as const,
    ];
    const over = { ...rule, to: STAY.checkIn - 1 };
    const { roomType, rateCode } = STAY;
    for (const promoCode of [undefined, 'SUMMER']) {
      const rate = { roomType, rateCode, promoCode, ...PRICE } as QuotedRate;
      const charges = { ...CHARGES, taxes: [...taxes, over] };
      const taxed = new QuoteTokens(signed, PROPERTY_ID, STAY, NOW, charges).of(rate);
      const read = verifyQuote(signed, taxed, PROPERTY_ID, STAY);
      t.same(read, { ...read, nightly: PRICE.nightly, promoCode, charges: { ...CHARGES, taxes } });
      t.ok(taxed.length < 600, 'short enough for a query');
      const { tenantId, propertyId } = PROPERTY_ID;
      const bound = `${tenantId} ${propertyId} ${stayKey(STAY)} 3 BAR STD`;
      t.equal(signed.open('quote', taxed, bound), undefined, 'as 0.1.0 opens it');
      const untaxed = new QuoteTokens(signed, PROPERTY_ID, STAY, NOW, { ...CHARGES, taxes: [over] }).of(rate);
      t.ok(signed.open('quote', untaxed, bound), 'where none holds there is nothing that it could miss');
    }
    t.end();
  },
);

void t.test('taxes, fees and currency are promised with the rates; a token of an earlier release has none', (t) => {
  t.same(verifyQuote(signed, token(), PROPERTY_ID, STAY).charges, CHARGES);
  const { tenantId, propertyId } = PROPERTY_ID;
  const bound = `${tenantId} ${propertyId} ${stayKey(STAY)} 3 BAR STD`;
  const older = signed.sign('quote', `run-1-0~${NOW}~100_20050~SUMMER`, bound);
  const read = { quoteId: 'run-1-0', expiresAt: NOW, nightly: [100, 20_050], promoCode: 'SUMMER' };
  t.same(verifyQuote(signed, older, PROPERTY_ID, STAY), read);
  // An earlier release reads the same parts of a token of this release.
  const [id, , nightly] = token().split('.')[1]!.split('~');
  t.same([nightly, id!.includes('~')], ['100_20050', false]);
  t.end();
});
