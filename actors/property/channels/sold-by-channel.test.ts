import fc from 'fast-check';
import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import { totals } from '../../../src/money/rules/night.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import { bookCommand, cancelCommand, DAY, modifyCommand, restrict } from '../../../src/testing/property-world.ts';

const message = { hash: 'h1' };
const isAsBefore = false;
const STAY: Partial<Stay> = { checkIn: DAY + 5, checkOut: DAY + 7 };
const sold = (more: object = {}, stay: Partial<Stay> = {}): CommandOf<'BOOK'> =>
  bookCommand({
    stay: { ...STAY, ...stay },
    sold: { message, isAsBefore, ...more },
    source: { channel: 'OTA', medium: 'BEDS', externalId: `x-${Math.random()}` },
  });
const changed = (id: string, stay: Partial<Stay>, more: object = {}): CommandOf<'MODIFY'> =>
  modifyCommand(id, stay, { sold: { message: { hash: 'h2' }, isAsBefore, ...more } });

t.test('what a channel has sold is booked at its price, whatever restrictions and guarantees say', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ stopSell: true }, { start: DAY, end: DAY + 9 }));
  t.equal(scene.refuse(bookCommand({ stay: STAY })).code, 'STOP_SELL');
  const { reservation } = scene.accept(sold({ total: 33_333 }));
  t.match(reservation, { status: 'CONFIRMED', paid: 0, guarantee: { kind: 'NONE', releaseHour: null } });
  t.equal(folioTotals(reservation).total, 33_333, 'all of it is in the total');
  t.equal(moneyFault(reservation), undefined);
  t.same(reservation.source.overbooked, undefined);
  const byNight = scene.accept(sold({ nightly: [9_000, 9_500] })).reservation;
  t.same(
    byNight.nights.map(({ rate }) => rate),
    [9_000, 9_500],
  );
  t.ok(folioTotals(byNight).total > 18_500, 'taxes and fees come on top');
  t.equal(scene.cell(DAY + 5).booked, 2);
});

t.test('a night that is sold out is overbooked for a channel alone, and says so', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  for (let n = 0; n < 3; n++) scene.accept(bookCommand({ stay: { checkIn: DAY + 6, checkOut: DAY + 7 } }));
  const { reservation } = scene.accept(sold());
  t.same(reservation.source.overbooked, [DAY + 6]);
  t.match(scene.cell(DAY + 6), { booked: 4, available: 0 });
  t.equal(scene.refuse(bookCommand({ stay: STAY })).code, 'ROOM_NOT_AVAILABLE', 'nobody else is sold it');
  const moved = scene.accept(changed(reservation.id, { checkIn: DAY + 5, checkOut: DAY + 8 })).reservation;
  t.same(moved.source.overbooked, [DAY + 6], 'a night that it has already stays what it was');
  const away = scene.accept(changed(reservation.id, { checkIn: DAY + 8, checkOut: DAY + 9 })).reservation;
  t.equal(away.source.overbooked, undefined);
  t.same(
    [5, 6, 7, 8].map((n) => scene.cell(DAY + n).booked),
    [0, 3, 0, 1],
  );
});

t.test('a stay that the desk moves is overbooked no more on the nights that it has given up', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  for (const n of [5, 6])
    for (let k = 0; k < 3; k++) scene.accept(bookCommand({ stay: { checkIn: DAY + n, checkOut: DAY + n + 1 } }));
  const { reservation } = scene.accept(sold());
  t.same(reservation.source.overbooked, [DAY + 5, DAY + 6]);
  const requests = scene.accept(modifyCommand(reservation.id, {}, { specialRequests: ['quiet'] })).reservation;
  t.same(requests.source.overbooked, [DAY + 5, DAY + 6], 'it is where it was');
  const shorter = scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 6 })).reservation;
  t.same(shorter.source.overbooked, [DAY + 5]);
  const moved = scene.accept(modifyCommand(reservation.id, { roomType: 'DLX' })).reservation;
  t.equal(moved.source.overbooked, undefined);
  t.match(moved.source, { message: { hash: 'h1' }, medium: 'BEDS' }, 'what else is known of its sale stays');
  const said = { message: { hash: 'h4' }, isAsBefore: true };
  t.equal(scene.accept(changed(reservation.id, {}, said)).reservation.source.overbooked, undefined);
});

t.test('a channel changes and cancels what it has sold, without fees of the change', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(sold({ total: 20_000 }));
  const dearer = scene.accept(changed(reservation.id, {}, { total: 21_000 })).reservation;
  t.equal(folioTotals(dearer).total, 21_000, 'the price alone is a change');
  t.match(dearer.source.message, { hash: 'h2' });
  const cancelled = scene.accept(cancelCommand(reservation.id)).reservation;
  t.equal(cancelled.status, 'CANCELLED');
  t.equal(scene.cell(DAY + 5).booked, 0);
  t.equal(scene.refuse(sold({}, { roomType: 'NONE' })).code, 'UNKNOWN_ROOM_TYPE');
});

t.test('a guest who comes after the arrival night is booked while a night is left', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(sold({ total: 20_000 }, { checkIn: DAY - 1, checkOut: DAY + 1 }));
  t.equal(folioTotals(reservation).total, 20_000);
  t.equal(scene.cell(DAY).booked, 1);
  const longer = scene.accept(changed(reservation.id, { checkOut: DAY + 2 }, { total: 30_000 })).reservation;
  t.match(longer.stay, { checkIn: DAY - 1, checkOut: DAY + 2 });
  const over = scene.refuse(sold({ total: 10_000 }, { checkIn: DAY - 1, checkOut: DAY }));
  t.match(over.details.errors, [{ pointer: '/checkIn', code: 'IN_THE_PAST' }]);
  const own = bookCommand({ stay: { checkIn: DAY - 1, checkOut: DAY + 1 } });
  t.equal(scene.refuse(own).code, 'VALIDATION_FAILED', 'nobody else books it');
});

t.test('a channel changes the plan as it has sold it, on sale or not, and no deposit is due', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(sold({ total: 20_000 }));
  const other = scene.accept(changed(reservation.id, { rateCode: 'GONE' }, { total: 21_000 })).reservation;
  t.match(other, { status: 'CONFIRMED', stay: { rateCode: 'GONE' }, guarantee: { kind: 'NONE', releaseHour: null } });
  t.equal(folioTotals(other).total, 21_000);
  const { guarantee } = scene.accept(changed(reservation.id, { rateCode: 'BAR' }, { total: 21_000 })).reservation;
  t.match(guarantee, { kind: 'NONE', releaseHour: null });
});

t.test('a total has its taxes and fees in it, also after the desk has changed the stay', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(sold({ total: 20_000 }, { adults: 2 }));
  const fewer = scene.accept(modifyCommand(reservation.id, { adults: 1 })).reservation;
  const partOf = ({ nights }: Reservation) => nights.map(({ rate, taxes }) => [rate, taxes]);
  t.same(partOf(fewer), partOf(reservation), 'rates and taxes on them stay; what is for each person follows');
  t.ok(folioTotals(fewer).total <= 20_000);
  const again = scene.accept(changed(reservation.id, { adults: 2 }, { total: 22_000 })).reservation;
  t.equal(folioTotals(again).total, 22_000);
  const shorter = scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 6 })).reservation;
  t.equal(folioTotals(shorter).total, 11_000);
  const longer = scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 7 })).reservation;
  t.ok(folioTotals(longer).total > 21_000, 'a night of the desk has taxes and fees on top');
});

const taxes = fc.record({
  taxPercent: fc.integer({ min: 0, max: 3_000 }).map((hundredths) => hundredths / 100),
  feePerNight: fc.integer({ min: 0, max: 1_000 }),
  feePerPersonNight: fc.integer({ min: 0, max: 500 }),
});

t.test('whatever the taxes and fees, they are parts of a total to the cent', async () => {
  fc.assert(
    fc.property(
      taxes,
      fc.integer({ min: 0, max: 90_000 }),
      fc.integer({ min: 1, max: 5 }),
      (policies, total, nights) => {
        const scene = Scene.property({ policies });
        const { reservation } = scene.accept(sold({ total }, { checkOut: DAY + 5 + nights }));
        const sums = totals(reservation.nights);
        if (sums.total !== total || moneyFault(reservation) !== undefined) return false;
        return reservation.nights.every(({ rate, taxes: tax, fees }) => {
          const most = (rate * policies.taxPercent) / 100;
          return fees === 0 ? tax <= most + 1 : Math.abs(tax - most) <= 1;
        });
      },
    ),
  );
});

t.test('what the channel has not changed stays as the desk has changed it', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(sold({ total: 20_000 }));
  const other = scene.accept(modifyCommand(reservation.id, { roomType: 'DLX' }, { sold: undefined })).reservation;
  const again = {
    sold: { message: { hash: 'h3' }, isAsBefore: true, total: 20_000, collectedBy: 'CHANNEL' as const },
  };
  const after = scene.accept(modifyCommand(reservation.id, {}, { ...again, specialRequests: ['quiet'] })).reservation;
  t.equal(after.stay.roomType, 'DLX');
  t.same(after.nights, other.nights);
  t.match(after, {
    specialRequests: ['quiet'],
    source: { message: { hash: 'h3' }, collectedBy: 'CHANNEL' },
    guarantee: { kind: 'CHANNEL' },
  });
});
