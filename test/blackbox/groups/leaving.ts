import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import type { Modified } from '../shapes.ts';

type Json = Record<string, unknown>;
type Left = {
  status: string;
  finalBill: Record<string, number>;
  payment: { method: string; amount: number; paymentId: string } | null;
  feedback: { loyaltyPoints: number };
};

/** From check-in to check-out (docs/reference/reservations.md#check-in-and-check-out). */
export async function leaving(group: Test, service: Service): Promise<void> {
  const staying = async (options: { card?: string | null; policies?: Json } = {}) => {
    const { card = 'tok_visa', policies = {} } = options;
    const property = await BlackboxProperty.open(service, {
      policies: { taxPercent: 10, feePerNight: 3, ...policies },
    });
    const rooms = `/properties/${property.propertyId}/rooms`;
    for (const roomNumber of ['101', '102'])
      must(await service.tenants('POST', rooms, { body: { roomNumber, roomType: 'DLX', floor: 1 } }), 201);
    const { reservationId } = await property.booked({ from: 0, nights: 2, card });
    const body = { identificationVerified: true, keyCards: 2 };
    must(await service.reservations('POST', `/${reservationId}/checkin`, { body }), 200);
    const leave = (more: Json = {}) =>
      service.reservations<Left>('POST', `/${reservationId}/checkout`, { body: more });
    return { property, reservationId, leave };
  };

  await group.test('what was paid before is the bill, and the room has to be cleaned', async (t) => {
    const { property, reservationId, leave } = await staying();
    const { json } = must(await leave({ roomCondition: 'GOOD', keyCardsReturned: 2, staffMember: 'Eve' }), 200);
    t.match(json, { status: 'CHECKED_OUT', feedback: { loyaltyPoints: Number } });
    const { roomCharges, additionalCharges, taxes, totalAmount } = json.finalBill;
    t.equal(totalAmount, roomCharges! + additionalCharges! + taxes!);
    t.match((await property.read(reservationId)).json, { status: 'CHECKED_OUT' });
    isProblem(t, await leave(), 409, { code: 'INVALID_STATE' });
    await addsUp(t, property, 0, 6);
  });

  await group.test('charges go on the card on file; a credit comes back', async (t) => {
    const { leave } = await staying({ policies: { earlyDepartureNights: 2 } });
    const finalCharges = [{ description: 'Minibar', amount: 12.5 }];
    const { json } = must(await leave({ finalCharges }), 200);
    t.match(json.payment, { method: 'CARD_ON_FILE', amount: 12.5 });
    t.match(json.finalBill, { balanceDue: 12.5, totalAmount: 238.5 });
  });

  await group.test('an early departure costs what the property retains, also when announced', async (t) => {
    const { reservationId, leave } = await staying({ policies: { earlyDepartureNights: 1 } });
    const body = { modifications: { stayDetails: { nights: 1 } } };
    const path = `/${reservationId}`;
    const { json } = must(await service.reservations<Modified>('PUT', path, { body }), 200);
    t.notOk('totalAmount' in json.changes, 'the night that he gives back is the one that is retained');
    t.match((await leave()).json.finalBill, { totalAmount: 226, balanceDue: 0 });
  });
}
