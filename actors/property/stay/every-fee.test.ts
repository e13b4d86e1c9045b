import t from 'tap';

import { SignedText } from '../../../src/kernel/operations/signed-text.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { AMOUNT_POLICIES, type FeePolicy, type Policies } from '../../../src/properties/rules/property.ts';
import type { Tax } from '../../../src/properties/rules/tax.ts';
import { QuoteTokens, verifyQuote } from '../../../src/rates/operations/quote-token.ts';
import { chargesBooked, type NightCharges } from '../../../src/rates/rules/night-charges.ts';
import { type Party, partyOfPersons, type Stay } from '../../../src/rates/rules/stay.ts';
import { type ExplicitHold, heldNights, promisedRates } from '../../../src/stay/rules/hold.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  DAY,
  modifyCommand,
  placeHoldCommand,
  property,
  PROPERTY_ID,
  stayWish,
} from '../../../src/testing/property-world.ts';

/** Something of every member: a new one does not compile before it is here. */
const ALL: Required<Party> = { adults: 2, children: 1, childAges: [15] };
const VAT: Tax = { code: 'VAT', name: 'VAT', kind: 'PERCENT', value: 10, included: true, on: 'ALL' };
const signed = new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]);

const FEE_POLICIES = AMOUNT_POLICIES.filter((name) => name !== 'costPerOccupiedRoom');
const none = Object.fromEntries(FEE_POLICIES.map((name) => [name, 0])) as Record<FeePolicy, number>;
const onlyWith = (policy: FeePolicy, taxes: Tax[]): Partial<Policies> => {
  return { ...none, taxPercent: 0, taxes, paymentRequired: false, [policy]: 333 };
};

/** Fees of a stay that is booked as it is. */
function feesOf(policies: Partial<Policies>, stay: Partial<Stay>): number {
  return totals(Scene.property({ policies }).accept(bookCommand({ stay })).reservation.nights).fees;
}

/** A fee that is charged at one door and not at another is the wrong price of one of them. */
for (const policy of FEE_POLICIES)
  for (const taxes of [[], [VAT]]) {
    const policies = onlyWith(policy, taxes);
    const fees = feesOf(policies, ALL);
    const where = `${policy}, ${taxes.length} taxes of the property`;

    void t.test(`${where}: what is quoted, promised and held is what is booked`, async (t) => {
      const scene = Scene.property({ policies });
      const { roomType, ...query } = stayWish(ALL);
      const rate = scene.view.quote(query, scene.now).rates.find((one) => one.roomType === roomType)!;
      t.ok(fees > 0, 'it is charged');
      t.equal(rate.fees, fees, 'quoted');
      const hold = scene.accept(placeHoldCommand(1, ALL)) as ExplicitHold;
      t.equal(totals(heldNights(hold, promisedRates(hold, hold.terms), ALL)).fees, fees, 'held');
      const token = new QuoteTokens(signed, PROPERTY_ID, query, scene.now, scene.view.charges).of(rate);
      scene.accept({ type: 'UPDATE_PROPERTY', property: property({ policies: { ...policies, [policy]: 777 } }) });
      const quote = verifyQuote(signed, token, PROPERTY_ID, stayWish(ALL));
      const sold = [bookCommand({ stay: ALL, quote }), bookCommand({ stay: ALL, fromHold: hold.id })];
      for (const command of sold) t.equal(totals(scene.accept(command).reservation.nights).fees, fees, 'booked');
    });

    void t.test(`${where}: a change costs what the stay that results costs`, async (t) => {
      const scene = Scene.property({ policies });
      const { id } = scene.accept(bookCommand({ stay: partyOfPersons(1) })).reservation;
      const changes: Partial<Stay>[] = [
        ALL,
        { checkIn: DAY + 4 },
        { checkIn: DAY + 6, checkOut: DAY + 9 },
        { checkIn: DAY + 10, checkOut: DAY + 11 },
        partyOfPersons(1),
      ];
      for (const change of changes) {
        const { nights, stay } = scene.accept(modifyCommand(id, change)).reservation;
        t.equal(totals(nights).fees, feesOf(policies, stay), JSON.stringify(change));
      }
    });
  }

void t.test('a hold and a booking that were stored before there was a fee owe nothing of it', async (t) => {
  const policies = Object.fromEntries(FEE_POLICIES.map((name) => [name, 333]));
  const hold = Scene.property({ policies: { ...policies, taxes: [] } }).accept(
    placeHoldCommand(1, ALL),
  ) as ExplicitHold;
  const before = ({ charges }: ExplicitHold['terms'], fee: string): NightCharges =>
    Object.fromEntries(Object.entries(charges).filter(([name]) => name !== fee)) as NightCharges;
  const rates = promisedRates(hold, hold.terms);
  const { fees } = totals(heldNights(hold, rates, ALL));
  for (const fee of FEE_POLICIES.filter((name) => name in hold.terms.charges)) {
    const charges = before(hold.terms, fee);
    const held = heldNights({ ...hold, terms: { ...hold.terms, charges } }, rates, ALL);
    t.ok(totals(held).fees < fees, fee);
    const taxedBy = [{ from: DAY, charges: { ...charges, currency: 'EUR' } }];
    t.equal(chargesBooked(taxedBy, DAY)?.[fee as keyof NightCharges], 0, fee);
  }
});

void t.test('taxes that are on extras alone are no part of a quote, as they are none of a booking', async (t) => {
  const scene = Scene.property({ policies: onlyWith('feePerNight', [{ ...VAT, on: 'EXTRA' }]) });
  const { roomType, ...query } = stayWish();
  const rate = scene.view.quote(query, scene.now).rates.find((one) => one.roomType === roomType)!;
  const { nights } = scene.accept(bookCommand()).reservation;
  t.same([rate.taxes, rate.fees, rate.taxLines], [0, totals(nights).fees, nights[0]!.taxLines]);
});
