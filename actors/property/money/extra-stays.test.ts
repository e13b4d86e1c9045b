import t from 'tap';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { plain, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bedCommand,
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  undoCheckInCommand,
  compCommand,
  DAY,
  envelope,
  freshId,
  modifyCommand,
  noShowCommand,
  plainRoom,
  postCommand,
  reinstateCommand,
  upgradeCommand,
  voidCommand,
  walkCommand,
} from '../../../src/testing/property-world.ts';

const HOUR = 3_600_000;
const BED = 2_000;
/** Every night of two guests. */
const NIGHT = 11_400;
const extraStock = { BED: 2 };

/** A property with rooms, whose beds are counted by night from its business date of the beginning. */
function hotel(policies: Partial<Policies> = {}) {
  const scene = Scene.property({ policies: { paymentRequired: false, ...policies } });
  const rooms = [...['101', '102', '103'].map((one) => plainRoom(one)), plainRoom('201', { roomType: 'DLX' })];
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  const book = (nights: number, from = 0): string =>
    scene.accept(bookCommand({ stay: { checkIn: DAY + from, checkOut: DAY + from + nights } })).reservation.id;
  const arrive = (nights: number): string => {
    const id = book(nights);
    scene.accept(checkInCommand(id));
    return id;
  };
  const bed = (id: string, quantity = 1) => scene.accept(bedCommand(id, { quantity })).posting;
  const now = (id: string): Reservation => scene.state.reservations.get(id)!;
  /** Beds that are taken on the nights from a day on, and whether all amounts add up. */
  const taken = (nights = 4, from = 0): number[] => {
    for (const { id } of scene.last.draft.reservations.put()) t.equal(moneyFault(now(id)), undefined);
    return Array.from({ length: nights }, (_, nth) => scene.view.extrasTaken('BED', DAY + from + nth));
  };
  const modify = (id: string, stay: Parameters<typeof modifyCommand>[1], more = {}) =>
    modifyCommand(id, stay, { modifiedBy: 'desk', reason: 'asked', extraStock, ...more });
  const until = (day: number, hour: number) => {
    scene.now = day * 24 * HOUR + (hour - 2) * HOUR;
    scene.accept({ type: 'TICK' });
  };
  return { scene, book, arrive, bed, now, taken, modify, until };
}

const total = (of: Reservation): number => folioTotals(of).total;
const lines = ({ charges = [] }: Reservation) =>
  charges.map(({ description, quantity, amount, day }) => [description, quantity, amount, day - DAY]);

void t.test('a bed is taken on every night of the stay, and costs each of them', async (t) => {
  const { scene, book, bed, now, taken } = hotel();
  const id = book(3, 1);
  const posting = bed(id);
  t.match(posting, {
    description: 'Extra bed, 3 nights',
    quantity: 3,
    unitAmount: BED,
    amount: 3 * BED,
    taxes: [{ code: 'TAX', amount: 600 }],
    perNight: { quantity: 1, from: DAY + 1, to: DAY + 3 },
  });
  t.same(taken(5), [0, 1, 1, 1, 0]);
  t.equal(total(now(id)), 3 * NIGHT + 3 * BED);
  t.match(scene.last.entries[0]!.facts.setup, [
    {
      kind: 'extraStay',
      id: posting.postingId,
      before: null,
      after: { reservationId: id, code: 'BED', quantity: 1 },
    },
  ]);
  t.match(bed(book(1, 1)), { description: 'Extra bed, 1 night', quantity: 1 });
  t.same(taken(5), [0, 2, 1, 1, 0]);
  scene.accept(postCommand(id, { code: 'WATER' }));
  t.equal(scene.state.extraStays.size, 2, 'what has no stock is not counted');
});

void t.test('of two who want the last bed in one batch one gets it', async (t) => {
  const { scene, book, bed, taken } = hotel();
  const [one, two, three] = [book(2), book(2, 1), book(3)];
  bed(one);
  const { outcomes } = scene.batch(envelope(bedCommand(two)), envelope(bedCommand(three)));
  t.match(outcomes, [
    { kind: 'accepted' },
    {
      kind: 'refused',
      error: {
        code: 'EXTRA_NOT_AVAILABLE',
        details: { date: formatDay(DAY + 1), extra: { extra: { code: 'BED', left: 0 } } },
      },
    },
  ]);
  t.same(taken(), [1, 2, 1, 0]);
  const before = plain(scene.state);
  t.match(scene.refuse(bedCommand(book(1, 2), { quantity: 2 })), { details: { extra: { extra: { left: 1 } } } });
  t.equal(scene.state.extraStays.size, 2);
  t.same(plain(scene.state).extraStays, before.extraStays);
  t.match(
    scene.refuse(bedCommand(book(1, 3), { quantity: 3 })),
    { code: 'EXTRA_NOT_AVAILABLE' },
    'more than there are',
  );
  t.match(bed(book(1, 3), 2), { description: '2 x Extra bed, 1 night', quantity: 2, amount: 2 * BED });
});

void t.test('a smaller stock takes nothing away, and gives nothing more until enough are back', async (t) => {
  const { scene, book, bed, taken, modify } = hotel();
  const [one, two, three] = [book(2), book(2), book(2)];
  bed(one);
  bed(two);
  const last = bedCommand(three, { stock: 1 });
  t.match(scene.refuse(last), { code: 'EXTRA_NOT_AVAILABLE', details: { extra: { extra: { left: 0 } } } });
  t.same(taken(), [2, 2, 0, 0]);
  scene.accept(modify(one, { nights: 1 }, { extraStock: { BED: 1 } }));
  t.same(taken(), [2, 1, 0, 0], 'a shorter stay needs no bed that is not there');
  scene.accept(cancelCommand(one));
  t.match(scene.refuse(last), { code: 'EXTRA_NOT_AVAILABLE' });
  scene.accept(cancelCommand(two));
  scene.accept(last);
  t.same(taken(), [1, 1, 0, 0]);
});

void t.test('every end of a stay, and a void, gives the beds back in its commit', async (t) => {
  const ends: Record<string, (id: string, here: ReturnType<typeof hotel>, postingId: string) => void> = {
    cancel: (id, { scene }) => scene.accept(cancelCommand(id)),
    'no-show': (id, { scene }) => scene.accept(noShowCommand(id)),
    walk: (id, { scene }) => scene.accept(walkCommand(id)),
    'check-out': (id, { scene }) => {
      scene.accept(checkInCommand(id));
      scene.accept(checkOutCommand(id, { forced: true }));
    },
    void: (id, { scene }, postingId) => scene.accept(voidCommand(id, postingId)),
    'void in house': (id, { scene }, postingId) => {
      scene.accept(checkInCommand(id));
      scene.accept(voidCommand(id, postingId));
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    const here = hotel();
    const id = here.book(3);
    const { postingId } = here.bed(id, 2);
    t.same(here.taken(), [2, 2, 2, 0]);
    end(id, here, postingId);
    t.same(here.taken(), [0, 0, 0, 0], name);
    t.equal(here.scene.state.extraStays.size, 0);
    const { changes } = here.scene.sealed.at(-1)!;
    t.same([changes.extraStays, changes.extraStaysRemoved], [[], [postingId]], 'its row goes');
    t.match(here.scene.last.entries[0]!.facts.setup?.at(-1), { kind: 'extraStay', after: null });
  }
});

void t.test('an unpaid booking that expires gives its beds back', async (t) => {
  const { scene, book, bed, taken, now } = hotel({ paymentRequired: true });
  const id = book(2);
  bed(id);
  t.match(now(id), { status: 'PENDING', payments: [{ amount: 2 * NIGHT + 2 * BED }] });
  scene.pass(900_100);
  scene.accept({ type: 'EXPIRE' });
  t.equal(now(id).status, 'CANCELLED');
  t.same(taken(), [0, 0, 0, 0]);
});

void t.test('before the check-in the posting follows the dates at its booked price', async (t) => {
  const { scene, book, bed, now, taken, modify } = hotel();
  const id = book(2, 1);
  const { postingId } = bed(id, 2);
  const seen = modify(id, { nights: 3 }, { dryRun: true });
  t.equal(total(scene.accept(seen).reservation), 3 * NIGHT + 6 * BED, 'the dry run says so');
  t.same(taken(5), [0, 2, 2, 0, 0]);
  scene.accept({ ...seen, dryRun: false });
  t.same(taken(5), [0, 2, 2, 2, 0]);
  t.same(lines(now(id)), [['2 x Extra bed, 3 nights', 6, 6 * BED, 0]]);
  t.match(now(id).charges, [{ id: postingId, taxLines: [{ code: 'TAX', amount: 1_200 }] }]);
  scene.accept(modify(id, { checkIn: DAY + 4, checkOut: DAY + 5 }));
  t.same(taken(6), [0, 0, 0, 0, 2, 0]);
  t.equal(total(now(id)), NIGHT + 2 * BED);
  scene.endDay();
  for (let n = 0; n < 3; n++) scene.endDay();
  scene.accept(checkInCommand(id));
  t.match(now(id).charges, [{ id: postingId, day: DAY + 4, amount: 2 * BED }], 'it is earned at the check-in');
});

void t.test('a change to nights without a bed is refused, until the bed is given up', async (t) => {
  const { scene, book, bed, now, taken, modify } = hotel();
  const id = book(2);
  const { postingId } = bed(id);
  bed(book(1, 2), 2);
  const wanted = modify(id, { nights: 3 });
  const before = [plain(scene.state), now(id)];
  t.match(scene.refuse(wanted), {
    code: 'EXTRA_NOT_AVAILABLE',
    message: /void the posting/,
    details: { date: formatDay(DAY + 2), extra: { extra: { code: 'BED', left: 0 } } },
  });
  t.match(scene.refuse({ ...wanted, dryRun: true }), { code: 'EXTRA_NOT_AVAILABLE' });
  t.same([plain(scene.state), now(id)], before, 'nothing has changed');
  scene.accept(voidCommand(id, postingId));
  scene.accept(wanted);
  t.same(taken(), [0, 0, 2, 0]);
  t.equal(total(now(id)), 3 * NIGHT);
});

void t.test('in house a further posting has the nights that come and go, and no day changes', async (t) => {
  const { scene, arrive, bed, now, taken, modify } = hotel();
  const id = arrive(3);
  const { postingId } = bed(id);
  scene.endDay();
  scene.accept(modify(id, { checkOut: DAY + 5 }));
  t.same(taken(5, 1), [1, 1, 1, 1, 0]);
  scene.accept(modify(id, { checkOut: DAY + 2 }));
  t.same(taken(5, 1), [1, 0, 0, 0, 0]);
  t.same(lines(now(id)).slice(0, 3), [
    ['Extra bed, 3 nights', 3, 3 * BED, 0],
    ['Extra bed, 2 more nights', 2, 2 * BED, 1],
    ['Extra bed, 3 nights less', -3, -3 * BED, 1],
  ]);
  const [, more] = now(id).charges!;
  t.match(more, { follows: postingId, by: 'tester', taxLines: [{ code: 'TAX', amount: 400 }] });
  t.match(scene.refuse(voidCommand(id, more!.id!)), {
    code: 'INVALID_STATE',
    message: /void the posting of the extra/,
  });
  scene.accept(voidCommand(id, postingId));
  t.same(taken(5, 1), [0, 0, 0, 0, 0]);
  t.equal(
    now(id).charges!.reduce((sum, { code, amount }) => sum + (code === 'BED' ? amount : 0), 0),
    0,
    'what was added and given back goes with it',
  );
  t.match(scene.refuse(voidCommand(id, postingId)), { code: 'INVALID_STATE' });
});

void t.test('after a check-in that was undone the bed is priced again, with what was added in house', async (t) => {
  const { scene, arrive, bed, now, taken, modify } = hotel();
  const id = arrive(1);
  bed(id);
  scene.accept(modify(id, { checkOut: DAY + 2 }));
  scene.accept(undoCheckInCommand(id));
  t.equal(total(now(id)), 2 * NIGHT + 2 * BED);
  scene.accept(modify(id, { checkOut: DAY + 1 }));
  t.same(lines(now(id)), [['Extra bed, 1 night', 1, BED, 0]]);
  t.same(taken(2), [1, 0]);
  t.equal(total(now(id)), NIGHT + BED);
});

void t.test('a guest who leaves early pays the nights with a bed', async (t) => {
  const { scene, arrive, bed, now, taken } = hotel({ earlyDepartureNights: 0 });
  const id = arrive(4);
  bed(id, 2);
  scene.endDay();
  scene.accept(checkOutCommand(id, { forced: true, at: scene.now }));
  t.equal(total(now(id)), NIGHT + 2 * BED);
  t.same(taken(), [0, 0, 0, 0]);
  t.match(lines(now(id)).at(-1), ['2 x Extra bed, 3 nights less', -6, -6 * BED, 1]);
});

void t.test('who does not leave has the bed tonight whatever is left, and pays it at the roll', async (t) => {
  const { scene, arrive, book, bed, now, taken, until, modify } = hotel();
  const id = arrive(1);
  const { postingId } = bed(id, 2);
  until(DAY + 1, 10);
  t.same(taken(3), [2, 0, 0]);
  const next = book(1, 1);
  bed(next);
  until(DAY + 1, 12);
  t.same(taken(3), [2, 3, 0], 'from the check-out time on');
  t.match(scene.refuse(bedCommand(book(1, 1))), { code: 'EXTRA_NOT_AVAILABLE' }, 'nothing more is given');
  scene.accept(modify(id, { checkOut: DAY + 2 }, { dryRun: true }));
  until(DAY + 2, 4);
  scene.accept({ type: 'OVERSTAY', reservationId: id });
  t.same(lines(now(id)), [
    ['2 x Extra bed, 1 night', 2, 2 * BED, 0],
    ['2 x Extra bed, 1 more night', 2, 2 * BED, 2],
  ]);
  t.match([...scene.state.extraStays.values()][0], { postingId, firstNight: DAY, lastNight: DAY + 1 });
  until(DAY + 2, 12);
  t.same(taken(2, 2), [2, 0]);
  scene.accept(checkOutCommand(id, { forced: true, at: scene.now }));
  t.same(taken(2, 2), [0, 0]);
});

void t.test('what is posted in house is for the nights that are left', async (t) => {
  const { scene, arrive, bed, taken, now, until } = hotel();
  const id = arrive(3);
  scene.endDay();
  t.match(bed(id), { description: 'Extra bed, 2 nights', perNight: { from: DAY + 1 } });
  t.same(taken(3, 1), [1, 1, 0]);
  until(DAY + 3, 10);
  const before = now(id);
  t.match(scene.refuse(bedCommand(id)), { code: 'INVALID_STATE', message: /no night left/ });
  t.equal(now(id), before);
});

void t.test('another room, another type and complimentary nights leave the bed', async (t) => {
  const { scene, arrive, bed, taken, now } = hotel();
  const id = arrive(2);
  bed(id);
  scene.accept({ type: 'ASSIGN_ROOM', reservationId: id, roomNumber: '103' });
  scene.accept(upgradeCommand(id, { roomNumber: '201' }));
  scene.accept(compCommand(id));
  t.equal(now(id).stay.roomType, 'DLX');
  t.same(taken(), [1, 1, 0, 0]);
  t.equal(total(now(id)), 2 * BED);
});

void t.test('a reinstated booking takes its beds again, or is refused', async (t) => {
  const { scene, book, bed, taken, now } = hotel();
  const id = book(3);
  bed(id, 2);
  scene.accept(cancelCommand(id));
  const other = book(1, 1);
  const { postingId } = bed(other);
  const back = reinstateCommand(id, { extraStock });
  const before = [plain(scene.state), now(id)];
  t.match(scene.refuse(back), { code: 'EXTRA_NOT_AVAILABLE', details: { date: formatDay(DAY + 1) } });
  t.same([plain(scene.state), now(id)], before);
  scene.accept(voidCommand(other, postingId));
  scene.accept(back);
  t.same(taken(), [2, 2, 2, 0]);
  t.equal(total(now(id)), 3 * NIGHT + 6 * BED);
});

void t.test('a no-show that is reinstated needs beds for the nights that are left alone', async (t) => {
  const { scene, book, bed, taken } = hotel();
  const [id, other] = [book(2), book(1)];
  bed(id, 2);
  scene.accept(noShowCommand(id));
  bed(other, 2);
  scene.endDay();
  scene.accept(reinstateCommand(id, { extraStock }));
  t.same(taken(2, 1), [2, 0]);
});

void t.test('rooms of one booking have beds of their own', async (t) => {
  const { scene, bed, taken } = hotel();
  const rooms = [0, 1].map(() => {
    const { booking, pendingPaymentId } = bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 } });
    return { booking, pendingPaymentId };
  });
  const { reservation, others } = scene.accept({ type: 'BOOK_ROOMS', rooms });
  for (const { id } of [reservation, ...others!]) bed(id);
  t.same(taken(), [2, 2, 0, 0]);
  scene.accept(cancelCommand(reservation.id));
  t.same(taken(), [1, 1, 0, 0]);
});

void t.test('an extra that is not counted any more is no reason to refuse a change', async (t) => {
  const { scene, book, bed, now, taken, modify } = hotel();
  const id = book(1);
  bed(id, 2);
  bed(book(1, 1), 2);
  scene.accept(modify(id, { nights: 2 }, { extraStock: {} }));
  t.same(taken(), [2, 4, 0, 0]);
  t.equal(total(now(id)), 2 * NIGHT + 4 * BED);
});

void t.test('a bed that a late guest takes for the rest stays that when nothing of the stay changes', async (t) => {
  const { scene, book, bed, now, modify } = hotel();
  const id = book(2);
  scene.endDay();
  t.match(bed(id), { quantity: 1, description: 'Extra bed, 1 night' });
  scene.accept(modify(id, {}));
  t.match(now(id).charges, [{ quantity: 1, nightly: { from: DAY + 1, to: DAY + 2 } }]);
});

void t.test('a late arrival keeps the nights for which the bed was posted', async (t) => {
  const { scene, book, now, modify, taken } = hotel();
  const id = book(4);
  scene.endDay();
  scene.accept(bedCommand(id));
  t.same(taken(4, 0), [0, 1, 1, 1], 'from the business date on');
  scene.accept(modify(id, { checkIn: DAY + 1, checkOut: DAY + 3 }));
  t.same(lines(now(id)), [['Extra bed, 2 nights', 2, 2 * BED, 1]]);
  t.same(taken(4, 0), [0, 1, 1, 0]);
});

void t.test('a folio that is full refuses further nights of an extra in house', async (t) => {
  const { scene, arrive, bed, modify } = hotel();
  const id = arrive(1);
  bed(id);
  const water = Array.from({ length: 499 }, () => envelope(postCommand(id)));
  scene.batch(...water);
  t.match(scene.refuse(modify(id, { nights: 2 })), { code: 'FOLIO_FULL' });
  t.match(
    scene.refuse(modify(arrive(1), { nights: 2 }, { maxTotal: 1 })),
    { code: 'PRICE_CHANGED' },
    'one without extras has no such limit',
  );
});

void t.test('an extra that would cost more than an amount can hold is not extended', async (t) => {
  const { scene, book, modify, taken } = hotel();
  const id = book(1);
  scene.accept(bedCommand(id, { unitAmount: 9_000_000_000, taxLines: [], postingId: freshId() }));
  t.match(scene.refuse(modify(id, { nights: 2 })), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/modifications/stayDetails/checkOut', code: 'TOO_BIG' }] },
  });
  t.same(taken(), [1, 0, 0, 0]);
});
