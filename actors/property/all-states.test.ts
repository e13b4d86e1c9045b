import t from 'tap';

import type { Command } from '../../src/kernel/rules/commands.ts';
import { type ReservationAction, allows, TRANSITIONS } from '../../src/stay/rules/reservation-states.ts';
import { RESERVATION_STATUSES, type ReservationStatus } from '../../src/stay/rules/reservation.ts';
import { plain, Scene } from '../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  compCommand,
  DAY,
  envelope,
  freshId,
  modifyCommand,
  noShowCommand,
  reinstateCommand,
  postCommand,
  reservation,
  plainRoom,
  startPaymentCommand,
  undoCheckInCommand,
  upgradeCommand,
  voidCommand,
  walkCommand,
} from '../../src/testing/property-world.ts';
import { Draft } from './draft.ts';
import { transition } from './stay/transition.ts';

const ACTIONS = Object.keys(TRANSITIONS) as ReservationAction[];

/** How each status is reached from a new reservation that arrives today. */
const REACHED: Record<ReservationStatus, (id: string) => Command[]> = {
  PENDING: () => [],
  CONFIRMED: () => [],
  CHECKED_IN: (id) => [checkInCommand(id)],
  CHECKED_OUT: (id) => [checkInCommand(id), checkOutCommand(id, { forced: true })],
  CANCELLED: (id) => [cancelCommand(id)],
  NO_SHOW: (id) => [noShowCommand(id)],
};

/** Command of each action; those without one follow from time or from the provider. */
const ASKED_BY: Record<ReservationAction, ((reservationId: string) => Command) | null> = {
  confirm: (reservationId) => ({ type: 'CONFIRM_RESERVATION', reservationId }),
  receivePayment: (id) => startPaymentCommand(id),
  missPayment: null,
  modify: (id) => modifyCommand(id, { nights: 3 }, { modifiedBy: 'desk', reason: 'asked' }),
  assignRoom: (reservationId) => ({ type: 'ASSIGN_ROOM', reservationId, roomNumber: '101' }),
  cancel: (id) => cancelCommand(id),
  expire: (reservationId) => ({ type: 'LAPSE', reservationId }),
  release: (reservationId) => ({ type: 'RELEASE_UNCLAIMED', reservationId }),
  collectPenalty: null,
  missPenalty: null,
  missArrival: (id) => noShowCommand(id),
  checkIn: (id) => checkInCommand(id),
  undoCheckIn: (id) => undoCheckInCommand(id),
  checkOut: (id) => checkOutCommand(id),
  walk: (id) => walkCommand(id),
  reinstate: (id) => reinstateCommand(id),
  upgrade: (id) => upgradeCommand(id),
  comp: (id) => compCommand(id),
  overstay: (reservationId) => ({ type: 'OVERSTAY', reservationId }),
  waivePenalty: (reservationId) => ({
    type: 'WAIVE_PENALTY',
    reservationId,
    refundId: freshId(),
    reason: 'ill',
    by: 'boss',
  }),
  giveRefund: (reservationId) => ({
    type: 'GIVE_REFUND',
    reservationId,
    refundId: freshId(),
    amount: 1,
    reason: 'noise',
    by: 'boss',
  }),
  // A payment that was completed: chargeback.test.ts.
  chargeBack: null,
  closeChargeback: null,
  winChargeback: null,
  payClaim: null,
  post: (id) => postCommand(id, { code: 'WATER' }),
  voidPosting: (id) => voidCommand(id, freshId()),
  routeFolio: (reservationId) => ({
    type: 'ROUTE_FOLIO',
    reservationId,
    rules: [{ kind: 'EXTRA', window: 'GUEST' }],
    by: 'desk',
  }),
  // Of any status, wherever a refund is open: pay-out.test.ts.
  payOutRefund: null,
};

function at(status: ReservationStatus): { scene: Scene; id: string } {
  const scene = Scene.property({ policies: { paymentRequired: status === 'PENDING' } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 } })).reservation;
  for (const command of REACHED[status](id)) scene.accept(command);
  t.equal(scene.state.reservations.get(id)!.status, status);
  return { scene, id };
}

for (const status of RESERVATION_STATUSES)
  for (const action of ACTIONS) {
    const asked = ASKED_BY[action];
    if (asked && allows(status, action))
      t.test(`what is ${status} may be commanded to ${action}`, async (t) => {
        const { scene, id } = at(status);
        const outcome = scene.batch(envelope(asked(id))).outcomes[0]!;
        if (outcome.kind !== 'accepted')
          t.notMatch(outcome, { error: { message: /^A reservation that is [A-Z_]+ cannot/ } });
      });
    else if (asked)
      t.test(`what is ${status} refuses to ${action}, and nothing changes`, async (t) => {
        const { scene, id } = at(status);
        const before = structuredClone([plain(scene.state), scene.state.reservations.get(id)]);
        const error = scene.refuse(asked(id));
        t.match(error, {
          code: 'INVALID_STATE',
          message: new RegExp(`is ${status} cannot ${TRANSITIONS[action].words}`),
        });
        t.same([plain(scene.state), scene.state.reservations.get(id)], before);
        const { entries, draft } = scene.last;
        t.same([entries, draft.reservations.put(), draft.history], [[], [], []]);
        t.equal(draft.payments.size + draft.cells.size + draft.roomsPut.size + draft.holds.put().length, 0);
      });
  }

t.test('a status moves by the table and by nothing else', async (t) => {
  const { state } = Scene.property();
  for (const status of RESERVATION_STATUSES)
    for (const action of ACTIONS) {
      const draft = new Draft(state);
      const before = reservation({ status });
      const go = () => transition(draft, before, action, { at: 1, by: 'somebody' });
      if (!allows(status, action)) {
        t.throws(go, { code: 'INVALID_STATE' }, `${action} of ${status}`);
        t.same([draft.reservations.put(), draft.history], [[], []]);
        continue;
      }
      const { to, event } = TRANSITIONS[action];
      const next = go();
      t.match(next, { status: to ?? status, version: 2, timeline: [{ event, by: 'somebody', timestamp: 1 }] });
      t.equal(draft.history.length, next.status === status ? 0 : 1);
      for (const change of draft.history) t.match(change, { by: 'somebody', reason: /^[A-Z_]+$/ });
    }
});

t.test('who says why is written down with his words', async (t) => {
  const { scene, id } = at('CONFIRMED');
  scene.accept({ ...noShowCommand(id), reason: 'Missed the train' });
  t.match(scene.last.draft.history, [{ to: 'NO_SHOW', reason: 'Missed the train' }]);
  t.match(scene.state.reservations.get(id)!.timeline.at(-1), { event: 'NO_SHOW', notes: 'Missed the train' });
});
