import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { InquiryId } from '../../../src/kernel/rules/ids.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import { INQUIRY_MS, MAX_INQUIRY_MS } from '../../../src/stay/rules/inquiry.ts';
import { paidStays } from '../../../src/testing/actors/paid-stays.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  charge,
  DAY,
  freshId,
  paid,
  promotion,
  startBookingCommand,
  stayWish,
} from '../../../src/testing/property-world.ts';

const DAYS = { checkIn: DAY + 1, checkOut: DAY + 3 };
/** Two nights of two guests at 100.00 with 10 % and 2.00 a person and night. */
const TOTAL = 2 * 11_400;

function keepCommand(
  stay: Partial<Stay> = {},
  more: Partial<CommandOf<'KEEP_INQUIRY'>> = {},
): CommandOf<'KEEP_INQUIRY'> {
  const guest = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
  const inquiry = { inquiryId: freshId() as InquiryId, guest, notes: 'Grace calls again' };
  return { type: 'KEEP_INQUIRY', inquiry: { ...inquiry, stay: stayWish({ ...DAYS, ...stay }) }, ...more };
}

/** A property and an inquiry in it, as the operation reads it for a create. */
function asked(stay: Partial<Stay> = {}, more: Partial<CommandOf<'KEEP_INQUIRY'>> = {}) {
  const scene = Scene.property();
  const { inquiry } = scene.accept(keepCommand(stay, more));
  const { inquiryId, quote } = inquiry;
  const out = { stay: inquiry.stay, inquiryId, quote, promoCode: quote.promoCode };
  const read = () => scene.state.inquiries.get(inquiryId);
  return { scene, inquiry, inquiryId, out, read };
}

void t.test('a price is kept with a name, and no room', async (t) => {
  const { scene, inquiry, read } = asked();
  t.match(inquiry, { status: 'OPEN', total: TOTAL, expiresAt: scene.now + INQUIRY_MS });
  t.notMatch(JSON.stringify(inquiry), /Hopper|Grace/, 'the stored answer names no guest');
  t.match(read(), { ...inquiry, guest: { lastName: 'Hopper' }, notes: 'Grace calls again' });
  const { facts } = scene.last.entries[0]!;
  t.match(facts.setup, [{ kind: 'inquiry', before: null, after: { status: 'OPEN', roomType: 'STD', total: TOTAL } }]);
  t.notMatch(JSON.stringify(facts), /Hopper|grace|Grace/, 'the journal names no guest');
  t.notOk(facts.cells, 'no room is held');
  const { buy } = paidStays(scene);
  for (let n = 0; n < 3; n++) buy({ stay: DAYS });
  t.equal(scene.accept(keepCommand()).inquiry.total, TOTAL, 'of a sold-out stay too');
});

void t.test('what cannot be sold is not kept', async (t) => {
  const { scene } = asked();
  const code = (stay: Partial<Stay>, more = {}) => scene.refuse(keepCommand(stay, more)).code;
  t.equal(code({ roomType: 'NONE' }), 'UNKNOWN_ROOM_TYPE');
  t.equal(code({ rateCode: 'NONE' }), 'UNKNOWN_RATE_CODE');
  t.equal(code({ adults: 9 }), 'OCCUPANCY_EXCEEDED');
  t.equal(code({ checkIn: DAY - 2, checkOut: DAY - 1 }), 'VALIDATION_FAILED');
  t.equal(code({}, { expiresAt: scene.now }), 'VALIDATION_FAILED');
  t.equal(code({}, { expiresAt: scene.now + MAX_INQUIRY_MS + 1 }), 'VALIDATION_FAILED');
  t.equal(code({}, { promoCode: 'NONE' }), 'PROMO_NOT_APPLICABLE');
});

void t.test('a booking out of it costs what was kept, whatever it costs now', async (t) => {
  const { scene, inquiryId, out, read } = asked();
  scene.accept(baseRates('STD', 20_000));
  const { reservation } = scene.accept(bookCommand(out));
  t.equal(
    reservation.nights.reduce((total, { rate, taxes, fees }) => total + rate + taxes + fees, 0),
    TOTAL,
  );
  t.notOk(read(), 'it is over');
  const { facts } = scene.last.entries[0]!;
  t.match(facts.setup, [
    { kind: 'inquiry', id: inquiryId, before: { status: 'OPEN' }, after: { reservationId: reservation.id } },
  ]);
  t.equal(scene.refuse(bookCommand({ ...out, reservationId: freshId() })).code, 'INQUIRY_NOT_FOUND');
});

void t.test('it is booked when it is paid, and stays open while it is not', async (t) => {
  const { scene, out, read } = asked();
  const start = startBookingCommand(out);
  const { attempt, holdId } = scene.accept(start);
  t.ok(read());
  t.equal(
    scene.refuse(startBookingCommand({ ...out, reservationId: freshId() })).code,
    'QUOTE_EXPIRED',
    'one at a time',
  );
  scene.accept({ type: 'ABANDON_BOOKING', holdId, payment: { ...attempt, status: 'FAILED' } });
  t.ok(read(), 'a declined card');
  const again = scene.accept(startBookingCommand({ ...out, reservationId: freshId() }));
  t.equal(again.attempt.amount, TOTAL);
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: again.holdId, payment: paid(charge(again.attempt)) });
  t.notOk(read());
});

void t.test('another stay, a late one, a closed one and a promotion without a unit are refused', async (t) => {
  const { scene, out, inquiryId, read } = asked();
  const other = scene.refuse(bookCommand({ ...out, stay: { ...out.stay, checkOut: DAY + 4 } }));
  t.match(other.details.errors, [{ pointer: '/inquiryId', code: 'DIFFERS_FROM_INQUIRY' }]);
  scene.now += INQUIRY_MS;
  t.equal(scene.refuse(bookCommand(out)).code, 'QUOTE_EXPIRED');
  scene.now -= INQUIRY_MS;
  scene.accept({ type: 'CLOSE_INQUIRY', inquiryId });
  t.notOk(read());
  t.equal(scene.refuse({ type: 'CLOSE_INQUIRY', inquiryId }).code, 'INQUIRY_NOT_FOUND');
  t.equal(scene.refuse(bookCommand(out)).code, 'INQUIRY_NOT_FOUND');

  const { promoCode } = scene.accept(promotion({ inventory: { totalRooms: 1 } })).promotion;
  const kept = scene.accept(keepCommand({}, { promoCode })).inquiry;
  scene.accept(bookCommand({ stay: DAYS, promoCode }));
  const late = { stay: kept.stay, inquiryId: kept.inquiryId, quote: kept.quote, promoCode };
  t.equal(scene.refuse(bookCommand({ ...late, reservationId: freshId() })).code, 'PROMO_EXHAUSTED');
});

void t.test('the roll ends what has expired, and with it the name of the guest', async (t) => {
  const { scene, inquiryId } = asked({ checkIn: DAY, checkOut: DAY + 1 });
  const later = scene.accept(keepCommand({ checkIn: DAY + 20, checkOut: DAY + 21 })).inquiry;
  scene.now += 86_400_000;
  scene.accept({ type: 'TICK' });
  t.match(scene.last.entries[0]!.facts.setup, [
    { kind: 'inquiry', id: inquiryId, before: { status: 'OPEN' }, after: { status: 'EXPIRED' } },
  ]);
  t.same([...scene.state.inquiries.keys()], [later.inquiryId]);
  t.notMatch(JSON.stringify(scene.sealed.at(-1)!.changes.inquiries), /Hopper/);
});
