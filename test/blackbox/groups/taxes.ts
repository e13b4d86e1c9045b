import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, propertyBody } from '../property.ts';
import type { Service } from '../service.ts';
import type { Reservation } from '../shapes.ts';

type Line = { code: string; name?: string; amount: number; included: boolean };
type Taxed = {
  financial: { taxLines: Line[]; breakdown: { roomRate: number; taxes: number; taxLines: Line[] }[] };
};
type Rate = { totalRate: number; taxes: number; fees: number; taxLines: Line[]; quoteToken: string };
type Bill = { finalBill: { taxLines: Line[] } };

const VAT = { code: 'VAT', name: 'Value added tax', kind: 'PERCENT', value: 10, included: true, on: 'ALL' };
const CITY = {
  code: 'CITY',
  name: 'City tax',
  kind: 'PER_PERSON_NIGHT',
  value: 2.5,
  included: false,
  on: 'ROOM',
  minAge: 14,
  maxNights: 2,
};
const TAXES = [VAT, CITY];

const inShort = (lines: Line[]): string => lines.map(({ code, amount }) => `${code} ${amount}`).join(', ');

/** Taxes of a property (docs/reference/set-up.md#taxes). */
export async function taxes(group: Test, service: Service): Promise<void> {
  await group.test(
    'taxes are set with the policies; what makes no sense is refused and nothing is stored',
    async (t) => {
      const property = await BlackboxProperty.open(service, { policies: { taxPercent: 5, taxes: TAXES } });
      const path = `/properties/${property.propertyId}`;
      const read = () => service.tenants<{ metadata: { policies: object }; effectiveTaxes: object[] }>('GET', path);
      const { json } = must(await read(), 200);
      t.match(json.metadata.policies, { taxPercent: 5, taxes: TAXES });
      t.match(json.effectiveTaxes, [{ code: 'TAX', kind: 'PERCENT', value: 5 }, VAT, CITY]);
      const put = (...wrong: object[]) =>
        service.tenants('PUT', path, { body: propertyBody(property.propertyId, { taxes: wrong }) });
      const dated = { ...VAT, from: '2027-06-30' };
      for (const [wrong, member] of [
        [[{ ...CITY, minAge: -1 }], '0/minAge'],
        [[{ ...CITY, minAge: 40 }], '0/minAge'],
        [[{ ...VAT, value: 101 }], '0/value'],
        [[{ ...VAT, kind: 'PER_ROOM' }], '0/kind'],
        [[{ ...CITY, included: true }], '0/included'],
        [[VAT, CITY, VAT], '2/code'],
        [[{ ...VAT, to: '2027-06-30' }, dated], '1/from'],
      ] as const) {
        const pointers = [`/metadata/policies/taxes/${member}`];
        isProblem(t, await put(...wrong), 400, { code: 'VALIDATION_FAILED', pointers });
      }
      t.match((await read()).json.metadata.policies, { taxPercent: 5, taxes: TAXES });
    },
  );

  await group.test('quote, hold and search say what the booking costs, whatever the taxes become', async (t) => {
    const property = await BlackboxProperty.open(service, { policies: { taxes: TAXES } });
    const rate = (await property.quoted(30, 3)) as unknown as Rate;
    t.match(rate, { totalRate: 300, taxes: 0, fees: 10 });
    t.same(rate.taxLines, [
      { code: 'VAT', name: VAT.name, amount: 27.27, included: true },
      { code: 'CITY', name: CITY.name, amount: 10, included: false },
    ]);
    const nights = { checkIn: property.day(30), checkOut: property.day(33), adults: 2, children: 1 };
    const search = { ...nights, roomType: 'DLX', propertyIds: [property.propertyId], rateCodes: ['BAR'] };
    const found = await service.tenants<{ items: Rate[] }>('POST', '/availability/search', { body: search });
    t.match(found.json.items, [{ totalRate: 300, fees: 10, taxLines: [{ code: 'VAT' }, { code: 'CITY' }] }]);
    const body = { propertyId: property.propertyId, roomType: 'DLX', rooms: 1, ...nights };
    const hold = await service.reservations<{ price: Rate; holdId: string }>('POST', '/holds', { body });
    t.match(hold.json.price, {
      totalRate: 300,
      taxes: 0,
      fees: 10,
      totalAmount: 310,
      taxLines: found.json.items[0]!.taxLines.map(({ code, amount }) => ({ code, amount })),
    });
    const changed = propertyBody(property.propertyId, { taxes: [{ ...VAT, value: 20, included: false }] });
    must(await service.tenants('PUT', `/properties/${property.propertyId}`, { body: changed }), 200);
    const ofToken = await property.booked({ nights: 3, stay: { quoteToken: rate.quoteToken } });
    const ofHold = await property.booked({ nights: 3, stay: { children: 1 }, more: { holdId: hold.json.holdId } });
    const fresh = await property.booked({ nights: 3 });
    const totals = [ofToken, ofHold, fresh].map(({ financial }) => financial.totalAmount);
    t.same(totals, [310, 310, 360], 'the promised price, and the one of now');
    await addsUp(t, property, 28, 8);
  });

  await group.test('every night and every bill has its taxes by code; a penalty has no city tax', async (t) => {
    const property = await BlackboxProperty.open(service, {
      policies: { taxes: TAXES, freeCancellationHours: 8_760 },
    });
    const { reservationId } = await property.booked({ nights: 3 });
    const of = async () => (await property.read(reservationId)).json as Reservation & Taxed;
    const { financial } = await of();
    t.match(financial, { baseAmount: 272.73, taxes: 27.27, fees: 10, totalAmount: 310 });
    t.same(
      financial.breakdown.map(({ roomRate, taxLines }) => `${roomRate}: ${inShort(taxLines)}`),
      ['90.91: VAT 9.09, CITY 5', '90.91: VAT 9.09, CITY 5', '90.91: VAT 9.09'],
    );
    t.same(
      financial.taxLines.map(({ name }) => name),
      [VAT.name, CITY.name],
    );
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    const ended = (await of()).financial;
    t.match(ended, { totalAmount: 105, fees: 0 });
    t.equal(inShort(ended.taxLines), `VAT ${ended.taxes}`);
    const invoice = await service.reservations<{ taxLines: Line[]; taxes: number }>(
      'GET',
      `/${reservationId}/invoice`,
    );
    t.same(invoice.json.taxLines, ended.taxLines);
  });

  await group.test('extras have the taxes of the property, unless they have one of their own', async (t) => {
    const property = await BlackboxProperty.open(service, {
      policies: { taxes: [...TAXES, { ...VAT, code: 'FOOD', name: 'Food', value: 5, included: false, on: 'EXTRA' }] },
    });
    const base = `/properties/${property.propertyId}`;
    const rooms = { body: { roomNumber: '101', roomType: 'DLX', floor: 1 } };
    must(await service.tenants('POST', `${base}/rooms`, rooms), 201);
    const priced = (code: string, body: object) =>
      service.tenants<{ grossPrice: number }>('PUT', `${base}/services/${code}`, { body: { name: code, ...body } });
    t.equal(must(await priced('BREAKFAST', { price: 11 }), 200).json.grossPrice, 11.55);
    t.equal(must(await priced('PARKING', { price: 10, taxPercent: 20 }), 200).json.grossPrice, 12);
    const { reservationId } = await property.booked({ from: 0, nights: 1 });
    must(
      await service.reservations('POST', `/${reservationId}/checkin`, { body: { identificationVerified: true } }),
      200,
    );
    const body = { finalCharges: [{ code: 'BREAKFAST' }, { code: 'PARKING' }] };
    const { json } = must(await service.reservations<Bill>('POST', `/${reservationId}/checkout`, { body }), 200);
    t.match(json.finalBill, { additionalCharges: 5 + 11.55 + 12, totalAmount: 100 + 5 + 11.55 + 12 });
    t.equal(inShort(json.finalBill.taxLines), 'VAT 10.09, CITY 5, FOOD 0.55, TAX 2');
    const invoice = await service.reservations<{ taxLines: Line[] }>('GET', `/${reservationId}/invoice`);
    t.equal(inShort(invoice.json.taxLines), inShort(json.finalBill.taxLines));
  });
}
