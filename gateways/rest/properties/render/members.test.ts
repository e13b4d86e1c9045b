import t from 'tap';

import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import { roomTypeAnswer } from '../../../../src/properties/contracts/property-answers.ts';
import type { RoomType } from '../../../../src/properties/rules/property.ts';
import type { QuotedRate } from '../../../../src/rates/rules/queries.ts';
import { availabilityItemAnswer, offer } from '../../../../src/revenue/contracts/availability-answers.ts';
import { CELL } from '../../../../src/testing/filled-in.ts';
import { amountNo, sentMembers, wired } from '../../../../src/testing/members.ts';
import { availabilityItem, offerAnswer, renderRoomType } from './property.ts';

void t.test('every member of an availability and of an offer is read where it belongs', async (t) => {
  t.strictSame(
    await sentMembers(CELL, (of) => wired(availabilityItemAnswer, availabilityItem('anchor', of, false))),
    {
      renamed: {
        date: 'day',
        totalRooms: 'total',
        availableRooms: 'available',
        bookedRooms: 'booked',
        heldRooms: 'held',
        blockedRooms: 'blocked',
      },
      computed: { propertyId: 'anchor', status: 'OPEN' },
      dropped: ['rate'],
    },
  );
  const rate = {
    roomType: 'DLX',
    rateCode: 'FLEX',
    currency: 'EUR',
    nightly: [amountNo(1), amountNo(2)],
    total: amountNo(3),
    average: amountNo(4),
    taxes: amountNo(5),
    fees: amountNo(6),
    taxLines: [{ code: 'CITY', name: 'City tax', amount: amountNo(7), included: false }],
  };
  const found = { propertyId: 'anchor', propertyName: 'The Anchor', rate, quoteToken: 'token' };
  const reason = { code: 'PRICE_CHANGED', detail: 'Too dear' };
  t.strictSame(
    await sentMembers({ ...found, reason }, (of) =>
      wired(offer, offerAnswer({ ...of, rate: of.rate as QuotedRate } as never)),
    ),
    {
      renamed: { nightlyRates: 'rate.nightly', totalRate: 'rate.total', averageRate: 'rate.average' },
      computed: { bookable: false },
    },
  );
});

void t.test('every member of a room type is read where it belongs', async (t) => {
  const type: AllMembers<RoomType> = {
    roomType: 'DLX',
    name: 'Deluxe',
    maxAdults: 1,
    maxChildren: 2,
    maxGuests: 3,
    totalRooms: 4,
    amenities: ['balcony', 'bath'],
    rollingRates: undefined,
  };
  t.strictSame(await sentMembers(type, (of) => wired(roomTypeAnswer, renderRoomType(of as RoomType))), {});
});
