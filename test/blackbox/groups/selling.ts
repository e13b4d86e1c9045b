import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty } from '../property.ts';
import type { Service } from '../service.ts';

const RUSH = 400;

/** No cell is ever sold beyond its rooms, however many want it at once. */
export async function selling(group: Test, service: Service): Promise<void> {
  await group.test(`of ${RUSH} who want the last rooms at once, as many get one as there are rooms`, async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 25 } });
    const answers = await Promise.all(Array.from({ length: RUSH }, () => property.bookUntilDecided()));
    const sold = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    t.equal(sold.length, 25);
    t.equal(sold.length + refused.length, RUSH, 'nobody got another answer');
    const [first] = refused;
    if (first) isProblem(t, first, 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.match(first?.headers['x-property-seq'], /^\d+$/, 'an error says which state it was decided on');
    t.equal(new Set(sold.map(({ json }) => json.confirmationNumber)).size, 25, 'confirmation numbers differ');
    t.equal(new Set(sold.map(({ headers }) => headers['x-property-seq'])).size, 25, 'each has a seq of its own');
    t.same(await property.left(30, 2), [0, 0]);
    await addsUp(t, property, 28, 6);
  });
  await group.test('stays that overlap never take more rooms than there are on any night', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 4, STD: 6 } });
    const booked: string[] = [];
    const buyers = Array.from({ length: 24 }, async (_, buyer) => {
      for (let round = 0; round < 8; round += 1) {
        const at = (buyer * 7 + round * 5) % 12;
        const roomType = (buyer + round) % 2 === 0 ? 'DLX' : 'STD';
        const answer = await property.book({ from: 30 + at, nights: 1 + ((buyer + round) % 5), roomType });
        if (answer.status === 201) booked.push(answer.json.reservationId);
        const given = round % 3 === 2 ? booked.shift() : undefined;
        if (given) await service.reservations('DELETE', `/${given}`);
      }
    });
    await Promise.all(buyers);
    for (const cell of await property.cells(28, 22)) {
      if (cell.bookedRooms > cell.totalRooms) t.fail(`oversold: ${JSON.stringify(cell)}`);
    }
    await addsUp(t, property, 28, 22);
  });
  await group.test('a sold-out type stays in the quote, not bookable and without a token', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1, STD: 1 } });
    await property.booked({ from: 31, nights: 1 });
    const { json } = await property.quote(30, 3);
    const dlx = json.rates.find(({ roomType }) => roomType === 'DLX');
    t.match(dlx, { bookable: false, dailyRates: [{ availability: 1 }, { availability: 0 }, { availability: 1 }] });
    t.notOk(dlx?.quoteToken);
    t.ok(json.rates.find(({ roomType }) => roomType === 'STD')?.quoteToken);
    isProblem(t, await property.book({ from: 30, nights: 3 }), 409, { code: 'ROOM_NOT_AVAILABLE' });
  });
  await group.test('the quote of a stay sums up, and the booking costs what was quoted', async (t) => {
    const policies = { taxPercent: 7.5, feePerNight: 3.5, feePerPersonNight: 1.25 };
    const property = await BlackboxProperty.open(service, { price: 99.99, policies });
    const rate = await property.quoted(30, 3);
    t.match(rate, {
      currency: 'EUR',
      rateType: 'BASE',
      totalRate: 299.97,
      averageRate: 99.99,
      taxes: 22.5,
      fees: 18,
    });
    t.match((await property.quote(30, 3)).text, /"totalRate":299\.97[,}]/);
    const { json } = await property.book({ nights: 3 });
    t.match(json.financial, {
      baseAmount: 299.97,
      taxes: 22.5,
      fees: 18,
      totalAmount: 340.47,
      paymentStatus: 'PAID',
    });
    t.match(json, { status: 'CONFIRMED', confirmationNumber: /^[0-9A-HJKMNP-TV-Z]{10}$/ });
    t.match(json.stayDetails, { nights: 3, roomType: 'DLX', roomNumber: 'TBA' });
    const read = await property.read(json.reservationId);
    t.match(read.json, { status: 'CONFIRMED', financial: json.financial, stayDetails: { adults: 2, children: 0 } });
    t.match(read.text, /"totalAmount":340\.47[,}]/);
  });
}
