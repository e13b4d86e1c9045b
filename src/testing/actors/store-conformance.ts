import type t from 'tap';

import { emptyState, stateOf, stateOfNights } from '../../../actors/activation.ts';
import type { State } from '../../../actors/property/state.ts';
import { CommittedView } from '../../../actors/view.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { canonical } from '../../kernel/rules/canonical.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import type { Tax } from '../../properties/rules/tax.ts';
import type { CommitResult, Loaded, Ownership, PropertyStore } from '../../property-store/ports.ts';
import { partyOfPersons } from '../../rates/rules/stay.ts';
import {
  type BookingOptions,
  bookCommand,
  envelope,
  freshId,
  keyed,
  paid,
  placeHoldCommand,
  plainRoom,
  property,
  roomType,
  startBookingCommand,
  restrict,
  NOW,
} from '../property-world.ts';
import { plain, Scene } from './scene.ts';

type Test = typeof t;

/** Acquires a property that is free, or owned by a dead node. */
export async function takenIn(store: Pick<PropertyStore, 'take'>, to: Address): Promise<Ownership> {
  const ownership = await store.take(to);
  if ('heldBy' in ownership) throw new Error(`${ownership.heldBy} holds it`);
  return ownership;
}

/** Acquires and loads a property. */
export async function opened(store: Pick<PropertyStore, 'open'>, to: Address): Promise<Loaded> {
  const loaded = await store.open(to, false);
  if (!loaded || 'heldBy' in loaded) throw new Error(`${loaded?.heldBy} holds it`);
  return loaded;
}

/** The state that another node would load. Acquiring it fences off the previous owner. */
export async function foundIn(store: PropertyStore, to: Address): Promise<State> {
  const loaded = await opened(store, to);
  const isThere = loaded.property ?? loaded.removed;
  return isThere ? stateOf(to, loaded, loaded.today ?? 0) : emptyState(to, loaded.ownership);
}

/** With taxes, nights, reservations and holds have more members. */
const VAT: Tax = { code: 'VAT', name: 'VAT', kind: 'PERCENT', value: 7, included: true, on: 'ALL' };
const TAXES: Tax[] = [
  VAT,
  { ...VAT, code: 'CITY', kind: 'PER_PERSON_NIGHT', value: 250, included: false, maxNights: 1 },
];

let properties = 0;

/** One property with its store: batches that the scene decided and that are not written yet. */
export class Stored {
  readonly store: PropertyStore;
  readonly scene: Scene;
  epoch = 0;

  private constructor(store: PropertyStore, scene: Scene) {
    this.store = store;
    this.scene = scene;
  }

  static async property(
    store: PropertyStore,
    tenantId = 'acme',
    now = Date.now(),
    taxes: Tax[] = [],
  ): Promise<Stored> {
    const today = businessDate(now, { timezone: 'Europe/Berlin', nightAuditHour: 3 });
    // Null has a meaning in a policy: it must survive storage.
    const cancellationPolicies = [{ name: 'HALF', freeHours: null, penalty: { percent: 50 } }];
    const policies = { horizonNights: 12, cancellationPolicies, taxes };
    const options = { propertyId: `house-${++properties}`, today, policies };
    const scene = Scene.property(options, now, tenantId);
    const stored = new Stored(store, scene);
    stored.epoch = (await takenIn(store, scene.state.address)).epoch;
    for (const outcome of await stored.write()) if (outcome !== 'committed') throw new Error(outcome);
    return stored;
  }

  get to(): Address {
    return this.scene.state.address;
  }

  /** A stay within the window. */
  stay(from = 2): BookingOptions['stay'] {
    return { checkIn: this.scene.state.today + from, checkOut: this.scene.state.today + from + 2 };
  }

  /** Writes the sealed batches of the scene, each in a call of its own. */
  async write(): Promise<CommitResult['outcome'][]> {
    const outcomes: CommitResult['outcome'][] = [];
    for (const batch of this.scene.sealed.splice(0)) {
      const { outcome } = await this.store.commit(0, [{ ...batch, epoch: this.epoch }]);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** The sealed batches, ready for a call. */
  take() {
    return this.scene.sealed.splice(0).map((batch) => ({ ...batch, epoch: this.epoch }));
  }
}

/** Changes the rate of a night bypassing the owner, as any session on the database may. */
type ExternalRate = (to: Address, roomType: string, day: Day, rate: Minor) => Promise<unknown>;

/** Conformance suite of `PropertyStore`. */
export function storeConformance(t: Test, store: PropertyStore, foreignRate: ExternalRate): void {
  keepsWhatWasWritten(t, store);
  keepsHolds(t, store);
  keepsTheWindow(t, store);
  givesRoomsOnce(t, store);
  readsNights(t, store);
  fences(t, store);
  knowsKeys(t, store);
  reclaimsKeys(t, store);
  keepsThingsUnique(t, store);
  bringsBack(t, store);
  noticesExternalRates(t, store, foreignRate);
}

function keepsWhatWasWritten(t: Test, store: PropertyStore): void {
  void t.test('what was committed is found again, all of it', async (t) => {
    const target = await Stored.property(store, 'acme', Date.now(), TAXES);
    const started = startBookingCommand({
      stay: target.stay(),
      quote: { quoteId: 'q', expiresAt: Date.now() + 1e6, nightly: [1, 2] },
    });
    const { attempt } = target.scene.accept(started);
    target.scene.accept(startBookingCommand({ stay: target.stay(3) }));
    target.scene.accept(bookCommand({ stay: target.stay(), specialRequests: ['high floor'] }));
    target.scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) });
    t.ok((await target.write()).every((outcome) => outcome === 'committed'));
    const again = await foundIn(store, target.to);
    t.same(comparable(again), comparable(target.scene.state));
    const id = started.booking.reservationId;
    const stored = await store.reservation(target.to, id);
    t.equal(stored?.epoch, (await takenIn(store, target.to)).epoch - 1);
    t.same(
      JSON.parse(JSON.stringify(stored?.reservation)),
      JSON.parse(JSON.stringify(target.scene.state.reservations.get(id))),
    );
    t.equal(await store.reservation({ ...target.to, propertyId: 'other' }, id), undefined);
    t.equal(await store.reservation({ ...target.to, tenantId: 'rival' }, id), undefined);
    t.ok(await store.exists(target.to));
    t.notOk(await store.exists({ ...target.to, tenantId: 'rival' }));
  });
}

function keepsHolds(t: Test, store: PropertyStore): void {
  void t.test('a hold of a client is found again with what is left of it, and that it has ended', async (t) => {
    const target = await Stored.property(store, 'acme', Date.now(), TAXES);
    const { scene } = target;
    const [open, used, over] = [2, 1, 1].map((rooms) =>
      scene.accept(placeHoldCommand(rooms, { ...target.stay(), roomType: rooms === 2 ? 'STD' : 'DLX' })),
    );
    const of = { stay: { ...target.stay(), roomType: 'DLX' } };
    scene.accept(startBookingCommand({ stay: target.stay(), fromHold: open!.id }));
    scene.accept(startBookingCommand({ ...of, fromHold: used!.id }));
    const same = async (what: string) => {
      t.ok((await target.write()).every((outcome) => outcome === 'committed'));
      t.same(comparable(await foundIn(store, target.to)), comparable(scene.state), what);
      target.epoch += 1;
    };
    await same('two that were used');
    scene.accept({ type: 'RELEASE_HOLD', holdId: open!.id });
    scene.accept({ type: 'EXTEND_HOLD', holdId: over!.id });
    await same('one released, one extended');
    scene.pass(900_100);
    scene.accept({ type: 'EXPIRE' });
    t.match(scene.state.holds.get(over!.id), { kind: 'LATE', rooms: 0 });
    await same('one that has run out');
  });
}

/** A room has one guest a night, whatever an actor decides. */
function givesRoomsOnce(t: Test, store: PropertyStore): void {
  void t.test('two stays that swap rooms are written; two that would share one are not', async (t) => {
    const target = await Stored.property(store);
    const { scene } = target;
    scene.accept({ type: 'PUT_ROOMS', rooms: ['101', '102'].map((number) => plainRoom(number)), mode: 'create' });
    const given = ['101', '102'].map((roomNumber) => {
      const started = scene.accept(startBookingCommand({ stay: target.stay() }));
      scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(started.attempt) });
      const assignment = { reservationId: started.reservation.id, roomNumber };
      scene.accept({ type: 'ASSIGN_ROOMS', assignments: [assignment] });
      return { ...assignment, previousRoomNumber: roomNumber };
    });
    const one = given[0]!;
    const other = given[1]!;
    const swap = [
      { ...one, roomNumber: other.roomNumber },
      { ...other, roomNumber: one.roomNumber },
    ];
    t.same(scene.accept({ type: 'ASSIGN_ROOMS', assignments: swap }).skipped, []);
    t.ok((await target.write()).every((outcome) => outcome === 'committed'));
    t.same(comparable(await foundIn(store, target.to)), comparable(scene.state));
    scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '101', status: 'CLEAN' });
    const [batch] = target.take();
    const epoch = (await takenIn(store, target.to)).epoch;
    // What no actor would decide: the second stay in the room of the first.
    const [stay] = [...scene.state.roomPlan.inRoom('101')].map((there) => ({ ...there, roomNumber: '102' }));
    const wrong = { ...batch!, epoch, changes: { ...batch!.changes, roomStays: [stay!] } };
    t.match(await store.commit(0, [wrong]), { outcome: 'rejected', reason: 'poison' });
    t.equal((await store.commit(0, [{ ...batch!, epoch }])).outcome, 'committed');
  });
}

function keepsTheWindow(t: Test, store: PropertyStore): void {
  void t.test('nights beyond a horizon that was shortened are found again, of every type', async (t) => {
    const target = await Stored.property(store);
    const { propertyId } = target.to;
    const policies = { horizonNights: 3 };
    target.scene.accept({ type: 'UPDATE_PROPERTY', property: property({ propertyId, policies }) });
    target.scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('NEW', 2), mode: 'create' });
    for (const gone of ['STD', 'DLX']) target.scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: gone });
    target.scene.pass(2 * 86_400_000);
    target.scene.accept({ type: 'TICK' });
    t.ok((await target.write()).every((outcome) => outcome === 'committed'));
    const grid = (state: State) => new CommittedView(state).grid(0, Number.MAX_SAFE_INTEGER);
    t.equal(grid(target.scene.state).length, 11, 'thirteen nights less the two that passed');
    t.same(grid(await foundIn(store, target.to)), grid(target.scene.state));
  });
}

function readsNights(t: Test, store: PropertyStore): void {
  void t.test('nights are read of many properties without taking them, and say what their owner says', async (t) => {
    const one = await Stored.property(store, 'many');
    const two = await Stored.property(store, 'many');
    const { today } = one.scene.state;
    const first = today + 2;
    const last = today + 4;
    one.scene.accept(startBookingCommand({ stay: one.stay() }));
    one.scene.accept(restrict({ minStayArrival: 3 }, { start: first, end: first, roomType: 'DLX' }));
    one.scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights: [{ day: first, demand: 5, market: 12_000 }] });
    for (const target of [one, two]) t.ok((await target.write()).every((outcome) => outcome === 'committed'));
    const ids = [one, two].map(({ to }) => to.propertyId);
    const read = await store.nights('many', [...ids, 'none'], first, last);
    t.same(read.map(({ to }) => to.propertyId).toSorted(), ids.toSorted());
    const query = { checkIn: first, checkOut: last, ...partyOfPersons(2), rateCode: 'BAR' };
    for (const { scene, to } of [one, two]) {
      const nights = read.find((found) => found.to.propertyId === to.propertyId)!;
      const cold = new CommittedView(stateOfNights(nights, today));
      for (const type of ['STD', 'DLX']) {
        t.same(cold.quote({ ...query, roomType: type }, NOW), scene.view.quote({ ...query, roomType: type }, NOW));
        t.same(cold.grid(first, last, type), scene.view.grid(first, last, type));
      }
      t.equal(cold.seq, scene.state.seq);
      t.equal((await takenIn(store, to)).epoch, 2, 'nobody had taken it');
    }
    t.same(await store.nights('rival', ids, first, last), []);
  });
}

function fences(t: Test, store: PropertyStore): void {
  void t.test('after a take, the owner before can commit no more', async (t) => {
    const target = await Stored.property(store);
    target.scene.accept(bookCommand({ stay: target.stay() }));
    const { epoch } = await takenIn(store, target.to);
    t.equal(epoch, target.epoch + 1);
    t.same(await store.commit(0, target.take()), { outcome: 'fenced', properties: [target.to] });
  });

  void t.test('a statement that comes twice, or late, is refused even under its own epoch', async (t) => {
    const target = await Stored.property(store);
    target.scene.accept(bookCommand({ stay: target.stay() }));
    const [first] = target.take();
    target.scene.accept(bookCommand({ stay: target.stay() }));
    const [second] = target.take();
    t.equal((await store.commit(0, [second!])).outcome, 'fenced', 'the one before it is missing');
    const stranger = { ...first!, oldHead: 'of another history' };
    t.equal(
      (await store.commit(0, [stranger])).outcome,
      'fenced',
      'its number fits, what it was decided on does not',
    );
    t.equal((await store.commit(0, [first!])).outcome, 'committed');
    t.equal((await store.commit(1, [first!])).outcome, 'fenced');
    t.equal((await store.commit(1, [second!])).outcome, 'committed');
    t.equal((await takenIn(store, target.to)).seq, target.scene.state.seq);
  });

  void t.test('a call is written whole or not at all, and names the fenced properties', async (t) => {
    const one = await Stored.property(store);
    const two = await Stored.property(store, 'rival');
    for (const target of [one, two]) target.scene.accept(bookCommand({ stay: target.stay() }));
    const mine = one.take();
    const theirs = two.take();
    await takenIn(store, two.to);
    t.same(await store.commit(0, [...mine, ...theirs]), { outcome: 'fenced', properties: [two.to] });
    t.equal((await store.commit(0, mine)).outcome, 'committed');
    t.equal((await foundIn(store, two.to)).holds.size, 0);
  });
}

function knowsKeys(t: Test, store: PropertyStore): void {
  void t.test('a known key comes back with its answer and nothing of the call is written', async (t) => {
    const target = await Stored.property(store);
    const key = keyed(`k-${target.to.propertyId}`, 'ref-1', 'print');
    target.scene.batch(envelope(bookCommand({ stay: target.stay() }), key));
    t.same(await target.write(), ['committed']);
    const { state } = target.scene;
    target.scene.batch(
      envelope(bookCommand({ stay: target.stay() }), { ...key, ref: 'ref-2', fingerprint: 'other' }),
    );
    const result = await store.commit(0, target.take());
    t.match(result, {
      outcome: 'known-keys',
      keys: [
        {
          to: target.to,
          subject: 'tester',
          key: key.key,
          ref: 'ref-1',
          fingerprint: 'print',
          answer: { seq: state.seq },
        },
      ],
    });
    t.equal((await takenIn(store, target.to)).seq, state.seq);
  });

  void t.test('a claim is known without an answer until it ends; one that is given back is free', async (t) => {
    const target = await Stored.property(store);
    const started = startBookingCommand({ stay: target.stay() });
    const key = keyed(`k-${target.to.propertyId}`, started.holdId);
    target.scene.batch(envelope(started, key));
    t.same(await target.write(), ['committed']);
    const { seq, head } = target.scene.state;
    const asking = async () => {
      const twin = new Scene({ ...target.scene.state, holds: new Map(), usedQuotes: new Map() }, target.scene.now);
      twin.batch(envelope(startBookingCommand({ stay: target.stay(4) }), { ...key, ref: 'another' }));
      const result = await store.commit(0, [{ ...twin.sealed[0]!, epoch: target.epoch }]);
      return result.outcome === 'known-keys' ? result.keys[0] : result.outcome;
    };
    t.match(await asking(), { ref: started.holdId, answer: null });
    const attempt = target.scene.state.holds.get(started.holdId)!.booking!.attempt;
    const abandon = {
      type: 'ABANDON_BOOKING',
      holdId: started.holdId,
      payment: { ...attempt, status: 'FAILED' },
    } as const;
    target.scene.batch(envelope(abandon, key));
    t.same(await target.write(), ['committed']);
    t.ok(target.scene.state.seq === seq + 1 && target.scene.state.head !== head);
    t.equal(await asking(), 'committed');
  });
}

function reclaimsKeys(t: Test, store: PropertyStore): void {
  void t.test('a refusal that is not recorded leaves the key free', async (t) => {
    const target = await Stored.property(store);
    const key = keyed(`k-${target.to.propertyId}`, 'ref', 'print');
    for (let tries = 0; tries < 2; tries += 1) {
      target.scene.batch(envelope({ type: 'END_MAINTENANCE', maintenanceId: freshId() }, key));
      t.same(await target.write(), ['committed'], 'it is looked up, and not taken');
    }
  });

  void t.test('a key that is older than a day is claimed anew', async (t) => {
    const target = await Stored.property(store);
    const key = keyed(`k-${target.to.propertyId}`, 'old');
    const once = async (at: number, ref: string) => {
      target.scene.now = at;
      target.scene.batch(envelope(bookCommand({ stay: target.stay() }), { ...key, ref }));
      return (await target.write())[0];
    };
    const now = target.scene.now;
    t.equal(await once(now - 86_400_000 - 60_000, 'old'), 'committed');
    t.equal(await once(now, 'new'), 'committed');
    const result = await store.commit(0, [
      (target.scene.batch(envelope(bookCommand({ stay: target.stay() }), key)), target.take()[0]!),
    ]);
    t.match(result, { outcome: 'known-keys', keys: [{ ref: 'new' }] });
  });
}

function keepsThingsUnique(t: Test, store: PropertyStore): void {
  void t.test('a guest who is known by another id is said to have moved', async (t) => {
    const target = await Stored.property(store);
    const guest = { email: `${target.to.propertyId}@Example.com`, lastName: 'Moved' };
    target.scene.accept(bookCommand({ stay: target.stay(), guest }));
    t.same(await target.write(), ['committed']);
    target.scene.accept(bookCommand({ stay: target.stay(), guest: { ...guest, email: guest.email.toLowerCase() } }));
    t.match(await store.commit(0, target.take()), { outcome: 'rejected', reason: 'guest-moved' });
  });

  void t.test('a guest who is known by an id that is not there any more is said to have moved', async (t) => {
    const target = await Stored.property(store);
    const { booking: first, ...command } = bookCommand({ stay: target.stay() });
    target.scene.accept({ ...command, booking: first });
    target.scene.accept(bookCommand({ stay: target.stay(), guest: first.guest }));
    t.same(await target.write(), ['committed', 'committed'], 'one who is there is known');
    target.scene.accept(bookCommand({ stay: target.stay(2), guest: { guestId: freshId() } }));
    t.match(await store.commit(0, target.take()), { outcome: 'rejected', reason: 'guest-moved' });
  });

  void t.test('a confirmation number is taken once over all tenants', async (t) => {
    const one = await Stored.property(store);
    const two = await Stored.property(store, 'rival');
    const first = bookCommand({ stay: one.stay() });
    one.scene.accept(first);
    t.same(await one.write(), ['committed']);
    two.scene.accept(bookCommand({ stay: two.stay(), confirmationNumber: first.booking.confirmationNumber }));
    t.match(await store.commit(0, two.take()), { outcome: 'rejected', reason: 'number-taken' });
  });

  void t.test('a property that nobody created can be taken and is empty', async (t) => {
    const to = { tenantId: 'acme', propertyId: `empty-${++properties}` };
    t.notOk(await store.exists(to));
    t.match(await foundIn(store, to), { seq: 0, head: '', property: undefined });
  });
}

function bringsBack(t: Test, store: PropertyStore): void {
  void t.test(
    'a property that was deleted is found with all that it had, and so it is when it is back',
    async (t) => {
      const target = await Stored.property(store);
      const { scene, to } = target;
      scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
      scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'DLX' });
      scene.accept({ type: 'DELETE_PROPERTY' });
      await target.write();
      t.notOk(await store.exists(to));
      t.same(comparable(await foundIn(store, to)), comparable(scene.state));
      target.epoch += 1;
      scene.pass(2 * 86_400_000);
      scene.accept({ type: 'RESTORE_PROPERTY' });
      const removed = { roomType: roomType('DLX', 2), rooms: [plainRoom('201', { roomType: 'DLX' })] };
      scene.accept({ type: 'RESTORE_ROOM_TYPE', roomType: 'DLX', removed });
      t.same(await target.write(), ['committed', 'committed']);
      t.ok(await store.exists(to));
      t.same(comparable(await foundIn(store, to)), comparable(scene.state));
    },
  );
}

function noticesExternalRates(t: Test, store: PropertyStore, foreignRate: ExternalRate): void {
  void t.test('rates that somebody else changed have another version, and are read with it', async (t) => {
    const one = await Stored.property(store);
    const two = await Stored.property(store, 'rival');
    const nowhere = { ...one.to, propertyId: 'nowhere' };
    const asked = [two.to, nowhere, one.to];
    const versions = async () => (await store.rateVersions(asked)).map(({ version }) => version);
    t.same(await versions(), [0, 0, 0], 'what owners write has none');
    t.same(await store.rateVersions([one.to]), [{ version: 0, epoch: one.epoch }]);
    const day = one.scene.state.today + 3;
    await foreignRate(one.to, 'STD', day, 7_700);
    t.same(await versions(), [0, 0, 1]);
    const { state } = one.scene;
    const stored = await store.rates(one.to);
    t.match(stored, { version: 1, seq: state.seq });
    t.equal(canonical(stored.plans), canonical([...state.plans.values()]));
    const rateOf = (night: Day) => stored.rates.find((row) => row.roomType === 'STD' && row.day === night);
    t.match(rateOf(day), { rate: 7_700, multiplier: 100, amount: 0 });
    t.match(rateOf(day + 1), { rate: 10_000 });
    t.match(await store.rates(two.to), { version: 0 });
    one.scene.accept({ type: 'RELOAD', stored });
    t.same(await one.write(), ['committed'], 'taking it over writes its journal row');
    const again = await foundIn(store, one.to);
    t.same(comparable(again), comparable(one.scene.state), 'and whoever comes next finds the same');
    t.match(await store.rates(one.to), { version: 1, seq: state.seq + 1 });
  });
}

/**
 * What live and loaded states must agree on. Quotes that were used live differently long: for how long they are stored
 * is the store's affair.
 */
export function comparable(state: State): Record<string, unknown> & { usedQuotes: string[] } {
  const { usedQuotes, ...rest } = plain(state) as { usedQuotes: [string, number][] };
  return { ...rest, usedQuotes: usedQuotes.map(([quoteId]) => quoteId) };
}
