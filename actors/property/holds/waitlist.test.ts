import fc from 'fast-check';
import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { WaitlistId } from '../../../src/kernel/rules/ids.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import { OFFER_MS } from '../../../src/stay/rules/waitlist.ts';
import { paidStays } from '../../../src/testing/actors/paid-stays.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  booking,
  cancelCommand,
  charge,
  DAY,
  envelope,
  freshId,
  paid,
  stayWish,
  walkCommand,
} from '../../../src/testing/property-world.ts';
import { waitlistWork } from './waitlist.ts';

const NIGHT = 11_400;
const OFFER = { type: 'OFFER_WAITLIST' } as const;

/** A property with three STD rooms, all of them sold for some nights. */
function full(policies: Partial<Policies> = {}, nights = 2) {
  const scene = Scene.property({ policies });
  const stays = paidStays(scene);
  const sold = [1, 2, 3].map(() => stays.buy({ stay: { checkIn: DAY + 1, checkOut: DAY + 1 + nights } }));
  const join = (stay: Partial<Stay> = {}, more: Partial<CommandOf<'JOIN_WAITLIST'>['entry']> = {}) => {
    const { result } = { result: scene.accept(joinCommand(stay, more)) };
    return result.waitlistId;
  };
  const entry = (id: WaitlistId) => scene.state.waitlist.get(id);
  /** As the actor does after each change. */
  const offer = () => {
    while (waitlistWork(scene.state).now && scene.accept(OFFER).changed > 0);
  };
  return { scene, ...stays, sold, join, entry, offer };
}

function joinCommand(
  stay: Partial<Stay> = {},
  more: Partial<CommandOf<'JOIN_WAITLIST'>['entry']> = {},
): CommandOf<'JOIN_WAITLIST'> {
  const guest = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
  const entry = { waitlistId: freshId() as WaitlistId, guest, ...more };
  return {
    type: 'JOIN_WAITLIST',
    entry: { ...entry, stay: stayWish({ checkIn: DAY + 1, checkOut: DAY + 3, ...stay }) },
  };
}

void t.test('a request waits where there is no room, and nowhere else', async (t) => {
  const { scene, join, entry } = full();
  const id = join();
  t.match(entry(id), { number: 1, status: 'WAITING', guest: { firstName: 'Grace' } });
  t.same(scene.accept(joinCommand()).position, 2);
  const { facts } = scene.last.entries[0]!;
  t.match(facts.setup, [{ kind: 'waitlist', before: null, after: { status: 'WAITING', roomType: 'STD' } }]);
  t.notMatch(JSON.stringify(facts), 'Hopper', 'the journal names no guest');
  const code = (stay: Partial<Stay>, more = {}) => scene.refuse(joinCommand(stay, more)).code;
  t.equal(code({ checkIn: DAY + 5, checkOut: DAY + 6 }), 'INVALID_STATE', 'it can be booked');
  t.match(scene.refuse(joinCommand({ checkIn: DAY + 5, checkOut: DAY + 6 })).message, /can be booked now/);
  t.equal(code({ roomType: 'NONE' }), 'UNKNOWN_ROOM_TYPE');
  t.equal(code({ rateCode: 'NONE' }), 'UNKNOWN_RATE_CODE');
  t.equal(code({ adults: 9 }), 'OCCUPANCY_EXCEEDED');
  t.equal(code({ checkIn: DAY - 2, checkOut: DAY - 1 }), 'VALIDATION_FAILED');
  t.equal(code({}, { expiresAt: scene.now }), 'VALIDATION_FAILED');
  t.equal(
    scene.accept(joinCommand({ checkIn: DAY + 5, checkOut: DAY + 6 }, { maxTotal: 1 })).position,
    3,
    'too dear',
  );
  t.same(waitlistWork(scene.state).now, true, 'its nights are free');
  t.equal(scene.accept(OFFER).changed, 0);
  t.equal(scene.last.entries.length, 0, 'and nothing is written for it');
});

void t.test('a freed room is held for the first who fits, at the price of now', async (t) => {
  const { scene, sold, join, entry, offer } = full();
  const longer = join({ checkIn: DAY + 1, checkOut: DAY + 5, roomType: 'STD' });
  const first = join();
  const second = join();
  // Somebody has the last nights of the longer one.
  for (let n = 0; n < 3; n++)
    scene.accept(bookCommand({ stay: { checkIn: DAY + 4, checkOut: DAY + 6, rateCode: 'BAR' } }));
  scene.accept(cancelCommand(sold[0]!));
  offer();
  t.match(entry(longer), { status: 'WAITING' }, 'skipped, not dropped');
  t.match(entry(first), { status: 'OFFERED', offer: { total: 2 * NIGHT, expiresAt: scene.now + OFFER_MS } });
  t.match(entry(second), { status: 'WAITING' });
  t.match(scene.cell(DAY + 1), { booked: 2, held: 1 });
  const { holdId } = entry(first)!.offer!;
  t.match(scene.state.holds.get(holdId), { kind: 'EXPLICIT', rooms: 1, terms: { subject: 'waitlist' } });
  scene.accept(cancelCommand(sold[1]!));
  offer();
  t.match(entry(second), { status: 'OFFERED' });
});

void t.test('what is booked out of the offer is BOOKED, and its guest is kept nowhere else', async (t) => {
  const { scene, sold, join, entry, offer } = full();
  const [cash, card] = [join(), join()];
  for (const id of sold.slice(0, 2)) scene.accept(cancelCommand(id));
  offer();
  const holdOf = (id: WaitlistId) => entry(id)!.offer!.holdId;
  const stay = { checkIn: DAY + 1, checkOut: DAY + 3 };
  scene.accept(bookCommand({ stay, fromHold: holdOf(cash) }));
  offer();
  t.match(scene.last.draft.waitlistPut.get(cash), { status: 'BOOKED', guest: undefined });
  t.equal(entry(cash), undefined, 'over');
  const start = { holdId: freshId(), booking: booking({ stay, fromHold: holdOf(card) }), attempt: charge() };
  const { attempt } = scene.accept({ type: 'START_BOOKING', ...start });
  offer();
  t.match(entry(card), { status: 'OFFERED' }, 'while it is being paid');
  scene.accept({ type: 'ABANDON_BOOKING', holdId: start.holdId, payment: { ...attempt, status: 'FAILED' } });
  offer();
  t.match(entry(card), { status: 'OFFERED' }, 'the room came back to the offer');
  const again = { holdId: freshId(), booking: booking({ stay, fromHold: holdOf(card) }), attempt: charge() };
  const { attempt: second } = scene.accept({ type: 'START_BOOKING', ...again });
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: again.holdId, payment: paid(second) });
  offer();
  t.match(scene.last.draft.waitlistPut.get(card), { status: 'BOOKED' });
  t.match(scene.cell(DAY + 1), { booked: 2, held: 1 }, 'the first one waits for its payment');
});

void t.test('an offer that runs out has LAPSED, and the next is offered', async (t) => {
  const { scene, sold, join, entry, offer } = full();
  const [first, second] = [join(), join()];
  scene.accept(cancelCommand(sold[0]!));
  offer();
  scene.pass(OFFER_MS + 200);
  scene.accept({ type: 'EXPIRE' });
  offer();
  t.match(entry(second), { status: 'OFFERED' });
  t.equal(entry(first), undefined);
  t.match(scene.last.entries[0]?.facts.setup, [
    { id: first, before: { status: 'OFFERED' }, after: { status: 'LAPSED' } },
    { id: second, before: { status: 'WAITING' }, after: { status: 'OFFERED' } },
  ]);
});

void t.test('an extended hold extends its offer', async (t) => {
  const { scene, sold, join, entry, offer } = full({ holdDurationSeconds: 3_600 });
  const id = join();
  scene.accept(cancelCommand(sold[0]!));
  offer();
  const { holdId } = entry(id)!.offer!;
  scene.accept({ type: 'EXTEND_HOLD', holdId });
  offer();
  t.equal(entry(id)!.offer!.expiresAt, scene.now + 3_600_000);
});

void t.test('a request ends with its time, with its arrival day, and when it is taken off the list', async (t) => {
  const { scene, sold, join, entry, offer, roll } = full();
  const timed = join({}, { expiresAt: scene.now + 60_000 });
  const [gone, held] = [join(), join()];
  t.equal(waitlistWork(scene.state).at, scene.now + 60_000);
  scene.pass(60_000);
  t.equal(scene.accept(OFFER).changed, 1);
  t.equal(entry(timed), undefined);
  t.same(scene.accept({ type: 'LEAVE_WAITLIST', waitlistId: gone }), { waitlistId: gone, status: 'REMOVED' });
  t.equal(scene.refuse({ type: 'LEAVE_WAITLIST', waitlistId: gone }).code, 'WAITLIST_NOT_FOUND');
  scene.accept(cancelCommand(sold[0]!));
  offer();
  t.match(entry(held), { status: 'OFFERED' });
  scene.accept({ type: 'LEAVE_WAITLIST', waitlistId: held });
  t.match(scene.cell(DAY + 1), { booked: 2, held: 0 }, 'its room is free at once');
  scene.accept(bookCommand({ stay: { checkIn: DAY + 1, checkOut: DAY + 3 } }));
  const late = join();
  roll();
  offer();
  t.match(entry(late), { status: 'WAITING' }, 'on the arrival day');
  roll();
  t.equal(waitlistWork(scene.state).now, true);
  offer();
  t.equal(entry(late), undefined);
});

void t.test('every way in which rooms come free is offered: walk, capacity, price', async (t) => {
  const { scene, sold, join, entry, offer, roll } = full({}, 1);
  const one = { checkIn: DAY + 1, checkOut: DAY + 2 };
  const [walked, more, dear] = [join(one), join(one), join(one, { maxTotal: 6_000 })];
  roll();
  scene.accept(walkCommand(sold[0]!));
  offer();
  t.match(entry(walked), { status: 'OFFERED' });
  const days = { roomType: 'STD', start: DAY + 1, end: DAY + 1 };
  scene.accept({ type: 'SET_INVENTORY', ...days, totalRooms: 5 } as never);
  offer();
  t.match(entry(more), { status: 'OFFERED' });
  t.match(entry(dear), { status: 'WAITING' });
  scene.accept(baseRates('STD', 4_000, DAY + 1, DAY + 2));
  offer();
  t.match(entry(dear), { status: 'OFFERED', offer: { total: 4_800 } });
});

void t.test('a property has a bound on who waits', async (t) => {
  const { scene, join } = full();
  const id = join();
  const one = scene.state.waitlist.get(id)!;
  const many = Array.from({ length: 999 }, (_, n) => ({
    ...one,
    waitlistId: freshId() as WaitlistId,
    number: n + 2,
  }));
  const waitlist = new Map([one, ...many].map((entry) => [entry.waitlistId, entry]));
  scene.state = { ...scene.state, waitlist };
  t.match(scene.refuse(joinCommand()), { code: 'VALIDATION_FAILED', details: { errors: [{ code: 'TOO_MANY' }] } });
});

void t.test('plain counting: nobody is offered out of order, and nothing that is not free', async (t) => {
  let offered = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ what: fc.nat(4), a: fc.nat(9), b: fc.nat(2) }), {
        minLength: 10,
        maxLength: 25,
        size: 'max',
      }),
      (moves) => {
        const { scene, sold, entry } = full({ paymentRequired: false }, 4);
        const cancellable = [...sold];
        const free = (night: number) => {
          const { booked, held } = scene.cell(DAY + night);
          return 3 - booked - held;
        };
        for (const { what, a, b } of moves) {
          const from = 1 + (a % 4);
          const stay = { checkIn: DAY + from, checkOut: DAY + from + 1 + b };
          if (what < 2) scene.batch(envelope(joinCommand(stay)));
          else if (what === 2) {
            const id = cancellable.splice(a % Math.max(1, cancellable.length), 1)[0];
            if (id !== undefined) scene.batch(envelope(cancelCommand(id)));
          } else if (what === 3) {
            const made = scene.batch(envelope(bookCommand({ stay }))).outcomes[0]!;
            if (made.kind === 'accepted')
              cancellable.push((made.decision.result as { reservation: { id: string } }).reservation.id);
          } else {
            scene.pass(OFFER_MS + 200);
            scene.accept({ type: 'EXPIRE' });
          }
          const before = [1, 2, 3, 4, 5, 6, 7].map(free);
          const queue = [...scene.state.waitlist.values()].filter(({ status }) => status === 'WAITING');
          scene.accept(OFFER);
          // The same by counting rooms on fingers.
          const left = [...before];
          for (const one of queue.toSorted((x, y) => x.number - y.number)) {
            const nights = Array.from(
              { length: one.stay.checkOut - one.stay.checkIn },
              (_, n) => one.stay.checkIn - DAY + n,
            );
            const fits = nights.every((night) => left[night - 1]! > 0);
            if (fits) for (const night of nights) left[night - 1]! -= 1;
            const now = entry(one.waitlistId)?.status;
            if ((now === 'OFFERED') !== fits) throw new Error(`${one.number} is ${now}, and fits: ${fits}`);
            offered += Number(fits);
          }
          const after = [1, 2, 3, 4, 5, 6, 7].map(free);
          if (after.join() !== left.join()) throw new Error(`${after.join()} rooms are left, not ${left.join()}`);
          if (after.some((rooms) => rooms < 0)) throw new Error('oversold');
          if (scene.accept(OFFER).changed !== 0) throw new Error('it was not done at once');
        }
      },
    ),
    { numRuns: 150 },
  );
  t.ok(offered > 100, `${offered} offers`);
});
