import t from 'tap';

import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  DAY,
  id,
  modifyCommand,
  plainRoom,
  plan,
  promotion,
  restrict,
  upgradeCommand,
} from '../../../src/testing/property-world.ts';

/** STD at 100.00 a night, and a plan of its own at 10 percent less that is paid at the property. */
function opened(): Scene {
  const scene = Scene.property({ policies: { taxPercent: 0, feePerNight: 0, feePerPersonNight: 0 } });
  const own = { id: id(94), code: 'DESK', adjustmentPercent: -10, guarantee: 'NONE', cancellationPolicy: 'FLEXIBLE' };
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan(own as never), mode: 'create' });
  return scene;
}
const rates = ({ nights }: { nights: { rate: number }[] }): number[] => nights.map(({ rate }) => rate);

void t.test('another plan brings its price, guarantee and terms', async (t) => {
  const scene = opened();
  const { id: one, terms } = scene.accept(bookCommand()).reservation;
  t.equal(terms?.ofPlan, undefined);
  const { reservation, changes } = scene.accept(modifyCommand(one, { rateCode: 'DESK' }));
  t.same(rates(reservation), [9_000, 9_000]);
  t.match(reservation, { cancellationPolicy: 'FLEXIBLE', guarantee: { kind: 'NONE' }, stay: { rateCode: 'DESK' } });
  t.match(changes, { rateCode: { from: 'BAR', to: 'DESK' } });
});

void t.test('the last room stays that of its guest', async (t) => {
  const scene = opened();
  scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY + 10, totalRooms: 1 });
  const { id: one } = scene.accept(bookCommand()).reservation;
  t.same(rates(scene.accept(modifyCommand(one, { rateCode: 'DESK' })).reservation), [9_000, 9_000]);
  t.match(scene.cell(DAY + 5), { booked: 1, held: 0 }, 'and is paid at the property');
});

void t.test('limits of the other plan hold for the whole stay', async (t) => {
  const scene = opened();
  const { id: one } = scene.accept(bookCommand()).reservation;
  scene.accept(restrict({ minStayArrival: 3 }, { rateCode: 'DESK' }));
  t.equal(scene.refuse(modifyCommand(one, { rateCode: 'DESK' })).code, 'MIN_STAY');
  t.equal(scene.refuse(modifyCommand(one, { rateCode: 'NONE' })).code, 'UNKNOWN_RATE_CODE');
});

void t.test('a promotion goes on where it is still on sale', async (t) => {
  const scene = opened();
  scene.accept(promotion());
  const { id: one } = scene.accept(bookCommand({ promoCode: 'TEN' })).reservation;
  const { reservation } = scene.accept(modifyCommand(one, { rateCode: 'DESK' }));
  t.same([rates(reservation), reservation.promoCode], [[8_100, 8_100], 'TEN']);
  t.equal(scene.state.promotions.get('TEN')?.used, 1);
});

void t.test('what a cancellation would have cost is retained, whatever the next plan says', async (t) => {
  const scene = opened();
  scene.accept({
    type: 'PUT_RATE_PLAN',
    plan: plan({ id: id(95), code: 'FIX', cancellationPolicy: 'NON_REFUNDABLE', guarantee: 'NONE' }),
    mode: 'create',
  });
  const { id: one } = scene.accept(bookCommand({ stay: { rateCode: 'FIX' } })).reservation;
  const { reservation } = scene.accept(modifyCommand(one, { rateCode: 'DESK' }));
  t.equal(reservation.status, 'CONFIRMED');
  const { retained } = reservation;
  const ended = scene.accept(cancelCommand(one)).reservation;
  t.equal(ended.cancellation?.penalty ?? 0, retained ?? 0);
});

void t.test(
  'an upgraded stay has the price of its room type under another plan, without the surcharge',
  async (t) => {
    const scene = opened();
    const { id: one } = scene.accept(bookCommand({ stay: { rateCode: 'DESK' } })).reservation;
    const upgraded = scene.accept(upgradeCommand(one, {}, { amountPerNight: 2_000 })).reservation;
    t.same(rates(upgraded), [11_000, 11_000]);
    const changed = scene.accept(modifyCommand(one, { rateCode: 'BAR' })).reservation;
    t.same([rates(changed), changed.bookedRoomType], [[15_000, 15_000], undefined]);
  },
);

void t.test('a company of the former plan goes with it', async (t) => {
  const scene = opened();
  const corporate = plan({ id: id(96), code: 'CO', guarantee: 'COMPANY', companyId: id(7) });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: corporate, mode: 'create' });
  const { id: one, companyId } = scene.accept(bookCommand({ stay: { rateCode: 'CO' } })).reservation;
  t.equal(companyId, id(7));
  const { reservation } = scene.accept(modifyCommand(one, { rateCode: 'DESK' }));
  t.equal(reservation.companyId, undefined);
});

void t.test('a guest in house keeps the plan', async (t) => {
  const scene = opened();
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const stay = { rateCode: 'DESK', checkIn: DAY, checkOut: DAY + 2 };
  const { id: one } = scene.accept(bookCommand({ stay })).reservation;
  scene.accept(checkInCommand(one));
  t.equal(scene.refuse(modifyCommand(one, { rateCode: 'BAR' })).code, 'INVALID_STATE');
});
