import t from 'tap';

import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  DAY,
  group,
  id,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';

const NIGHTS = { checkIn: DAY + 5, checkOut: DAY + 7 };
const HALF = { kind: 'PERCENT' as const, value: 50 };
const terms = {
  cancellation: { freeUntilHours: 500, penalty: HALF },
  earlyDeparture: { kind: 'NONE' as const, value: 0 },
  noShow: HALF,
  change: 'NOT_ALLOWED' as const,
};

void t.test('a booking of a group has the terms and the guarantee of the group, frozen', async (t) => {
  const scene = Scene.property();
  const { groupId } = scene.accept(group(2, { agreed: { terms, guarantee: 'COMPANY', companyId: id(7) } }));
  const { reservation } = scene.accept(bookCommand({ groupId, stay: { ...NIGHTS, rateCode: 'NRF' } }));
  t.match(reservation, {
    status: 'CONFIRMED',
    guarantee: { kind: 'COMPANY' },
    companyId: id(7),
    terms: { ...terms, ofPlan: 'GROUP' },
  });
  const { cancellation } = scene.accept(cancelCommand(reservation.id)).reservation;
  t.equal(cancellation!.penalty, 9_200, 'half of two nights with taxes and fees');
});

void t.test('a deposit of a group is charged by its own schedule', async (t) => {
  const scene = Scene.property();
  const depositSchedule = [{ percent: 20, due: { at: 'BOOKING' as const } }];
  const { groupId } = scene.accept(group(2, { agreed: { guarantee: 'PREPAY', depositSchedule } }));
  const { attempt, reservation } = scene.accept(startBookingCommand({ groupId, stay: NIGHTS }));
  t.match([reservation.guarantee, attempt.amount], [{ kind: 'PREPAY', schedule: depositSchedule }, 3_680]);
});

void t.test('a group that has agreed on nothing has what the property has', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  const { groupId } = scene.accept(group(1));
  const { reservation } = scene.accept(bookCommand({ groupId, stay: { ...NIGHTS, rateCode: 'NRF' } }));
  t.match(reservation, { guarantee: { kind: 'NONE' }, terms: { change: 'FREE', ofPlan: undefined } });
});
