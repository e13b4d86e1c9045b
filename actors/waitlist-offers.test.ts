import t from 'tap';

import type { WaitlistId } from '../src/kernel/rules/ids.ts';
import { OFFER_MS } from '../src/stay/rules/waitlist.ts';
import { RunningHost } from '../src/testing/actors/running-host.ts';
import { bookCommand, cancelCommand, DAY, freshId, PROPERTY_ID, stayWish } from '../src/testing/property-world.ts';

const SECOND = 1_000;

/** Three STD rooms, all of them sold, and requests that wait for one. */
async function full(t: Parameters<typeof RunningHost.property>[0], requests: number) {
  const running = await RunningHost.property(t, { policies: { paymentRequired: false } });
  const stay = stayWish({ checkIn: DAY + 1, checkOut: DAY + 2 });
  const sold: string[] = [];
  for (let n = 0; n < 3; n++) sold.push((await running.send(bookCommand({ stay }))).result.reservation.id);
  const guest = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
  const join = async (more: { expiresAt?: number; maxTotal?: number; nights?: number } = {}) => {
    const { nights = 1, ...of } = more;
    const waitlistId = freshId() as WaitlistId;
    const wish = { ...stay, checkOut: DAY + 1 + nights };
    await running.send({ type: 'JOIN_WAITLIST', entry: { waitlistId, guest, stay: wish, ...of } });
    return waitlistId;
  };
  const ids: WaitlistId[] = [];
  for (let n = 0; n < requests; n++) ids.push(await join());
  /** States as the journal tells them, after everything that is due. */
  const states = async (of: readonly WaitlistId[] = ids) => {
    await running.host.catchUp();
    const { seq } = await running.host.view(PROPERTY_ID);
    const setup = (await running.store.recent(PROPERTY_ID, seq, seq)).flatMap(({ facts }) => facts.setup ?? []);
    return of.map((id) => (setup.findLast((fact) => fact.id === id)!.after as { status: string }).status);
  };
  return { running, sold, join, ids, states };
}

void t.test('the owner offers by itself what a cancellation frees, one room to each', async (t) => {
  const { running, sold, states } = await full(t, 3);
  t.same(await states(), ['WAITING', 'WAITING', 'WAITING']);
  await running.send(cancelCommand(sold[0]!));
  t.same(await states(), ['OFFERED', 'WAITING', 'WAITING']);
  await running.send(cancelCommand(sold[1]!));
  t.same(await states(), ['OFFERED', 'OFFERED', 'WAITING']);
  const { seq } = await running.host.view(PROPERTY_ID);
  running.clock.pass(5 * SECOND);
  await states();
  t.equal((await running.host.view(PROPERTY_ID)).seq, seq, 'and nothing more is written');
});

void t.test('an offer that runs out goes to the next, also after a restart', async (t) => {
  const { running, sold, states } = await full(t, 2);
  await running.send(cancelCommand(sold[0]!));
  t.same(await states(), ['OFFERED', 'WAITING']);
  running.crash();
  t.same(await states(), ['OFFERED', 'WAITING']);
  running.clock.pass(OFFER_MS + SECOND);
  t.same(await states(), ['LAPSED', 'OFFERED']);
});

void t.test('a request ends at its time without any other change', async (t) => {
  const { running, join, states } = await full(t, 1);
  const timed = await join({ expiresAt: running.clock.now() + 60 * SECOND });
  t.same(await states([timed]), ['WAITING']);
  running.clock.pass(60 * SECOND);
  t.same(await states([timed]), ['EXPIRED']);
});

void t.test(
  'requests that no room helps are not priced after each booking, and delay none that one helps',
  async (t) => {
    const { running, sold, join, states } = await full(t, 0);
    // Its nights are free once a room is, but it wants to pay less.
    const dear = await join({ maxTotal: 1 });
    await running.send(cancelCommand(sold[0]!));
    t.same(await states([dear]), ['WAITING']);
    const late = await join({ nights: 1, maxTotal: 2 });
    running.clock.pass(SECOND);
    await running.send({ type: 'LEAVE_WAITLIST', waitlistId: dear });
    t.same(await states([late]), ['WAITING']);
  },
);
