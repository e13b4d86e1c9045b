import t from 'tap';

import type { EndTakenBack } from '../../stay/rules/reservation.ts';
import { reservation } from '../../testing/property-world.ts';
import { answerWithoutPerson, isErased, namesOf, unnaming, withoutPerson } from './erasure.ts';

const guest = { guestId: 'g1', firstName: 'Al', lastName: 'van Dahl', email: 'al@dahl.example', phone: '+49 30 1' };

void t.test('names are removed from texts as whole words, in any spelling', async (t) => {
  const unnamed = unnaming([...namesOf({ guest }), 'Dahl GmbH']);
  for (const text of ['al', 'VAN DAHL, Al', 'mail to al@dahl.example', 'call +49 30 1', 'for Dahl GmbH'])
    t.equal(unnamed(text), 'guest', text);
  for (const text of ['Walter', 'the hall', 'Dahlia', 'system', undefined, '']) t.equal(unnamed(text), text);
});

void t.test('an erased guest is recognized', async (t) => {
  const one = reservation({ guest });
  t.notOk(isErased(one));
  t.notOk(
    isErased({ guest: { ...guest, firstName: '', email: '' } }),
    'an imported guest may have a last name alone',
  );
  t.ok(isErased(withoutPerson(one)));
  t.same(withoutPerson(withoutPerson(one)), withoutPerson(one));
});

void t.test('ends that were taken back contain no names either', async (t) => {
  const charges = [{ description: 'Wine for Al', amount: -500, day: 1 }];
  const said = { description: 'Al was ill', cancelledBy: 'al@dahl.example', charges };
  const one = reservation({ guest, endsTakenBack: [{ ...said, penalty: 0 } as unknown as EndTakenBack] });
  t.match(withoutPerson(one).endsTakenBack, [
    { description: undefined, cancelledBy: 'guest', charges: [{ description: 'guest', amount: -500 }], penalty: 0 },
  ]);
});

void t.test('a posting keeps its amount; what was typed about the guest goes', async (t) => {
  const water = { description: 'Water', amount: 900, day: 1, id: 'p', by: 'desk' };
  const slip = { ...water, description: 'Slippers of van Dahl', id: 'q', by: 'al@dahl.example' };
  const taken = { ...water, amount: -900, id: 'r', voids: 'p', notes: 'He limps' };
  const { charges } = withoutPerson(reservation({ guest, charges: [water, slip, taken] }));
  const { notes: _, ...without } = taken;
  t.strictSame(charges, [water, { ...slip, description: 'guest', by: 'guest' }, without]);
});

void t.test('a chargeback stays with its amount; what was typed about it goes', async (t) => {
  const row = {
    paymentId: 'p',
    type: 'REFUND',
    amount: 700,
    method: null,
    status: 'COMPLETED',
    createdAt: 1,
  } as const;
  const closed = { at: 2, by: 'boss', reason: 'Al was told', writtenOff: 700 };
  const chargeback = { reason: 'Al denies it', reference: 'case of van Dahl', by: 'boss', closed };
  const { payments } = withoutPerson(reservation({ guest, payments: [{ ...row, chargeback }] }));
  const cleared = { reason: '', reference: 'guest', by: 'boss', closed: { ...closed, reason: '' } };
  t.same(payments, [{ ...row, chargeback: cleared }]);
});

void t.test('names are removed from an idempotency record at any depth, and its error stays', async (t) => {
  const one = reservation({ guest, specialRequests: ['quiet'] });
  const result = {
    reservation: one,
    modificationId: 'm1',
    refund: 100,
    checkIn: { keyCards: 2, notes: 'limps' },
    changes: { phone: { from: '+49 30 1', to: '+49 30 2' }, checkOut: { from: 'a', to: 'b' } },
  };
  const answer = answerWithoutPerson({ result, seq: 7 }, one.guest.guestId);
  t.same(JSON.parse(JSON.stringify(answer)), {
    result: {
      reservation: JSON.parse(JSON.stringify(withoutPerson(one))),
      modificationId: 'm1',
      refund: 100,
      checkIn: { keyCards: 2 },
      changes: { checkOut: { from: 'a', to: 'b' } },
    },
    seq: 7,
  });
  const refused = { refusal: { code: 'MIN_STAY', detail: 'Too short.', details: {} }, requestId: 'r1', seq: 7 };
  t.equal(answerWithoutPerson(refused, one.guest.guestId), refused);
});
