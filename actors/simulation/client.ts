import type { Address } from '../../src/kernel/rules/caller.ts';
import type { CommandResults, KeyClaim } from '../../src/kernel/rules/commands.ts';
import { WEEKDAYS } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { HousekeepingTaskId, MaintenanceId } from '../../src/kernel/rules/ids.ts';
import {
  bedCommand,
  BEDS,
  bookCommand,
  booking,
  charge,
  DAY,
  keyed,
  paid,
} from '../../src/testing/property-world.ts';
import type { Cluster } from './cluster.ts';
import type { OperationHistory, OperationOutcome } from './history.ts';
import type { PlayedCommand } from './model.ts';
import { GROUP_ID, groupWithRooms, promoCodeOf, ROOM_TYPE_OF } from './promises.ts';
import type { SimulatedWorld } from './world.ts';

/** Result of an attempt besides an outcome: nothing happened, or it is unknown. */
type Try = OperationOutcome | { kind: 'not executed' } | { kind: 'unknown' };

const PATIENCE_MS = 1_500;
const DEADLINE_MS = 1_000;
const SAFE = new Set(['NOT_EXECUTED', 'STORE_UNAVAILABLE', 'STORE_READ_ONLY', 'STALE']);
const ENDS = new Set(['CONFIRM_BOOKING', 'ABANDON_BOOKING']);
const UNKNOWN = new Set(['OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS']);

/** Where and how long to work: a maximum of commands, with pauses of up to so many milliseconds. */
export type Work = { properties: readonly Address[]; until: number; most: number; pause: number };

/**
 * A desk clerk who books, pays, changes, cancels and reinstates, repeats what got no answer, and records what it saw.
 */
export class Client {
  done = false;
  readonly #name: string;
  readonly #world: SimulatedWorld;
  readonly #cluster: Cluster;
  readonly #history: OperationHistory;
  readonly #mine: { to: Address; id: string }[] = [];
  /** Postings of extra beds, some of which were taken back. */
  readonly #beds: { to: Address; id: string; postingId: string }[] = [];
  readonly #maintained: { to: Address; id: MaintenanceId }[] = [];
  /** Housekeeping tasks that it has seen, of which some are over. */
  readonly #tasks: { to: Address; id: HousekeepingTaskId }[] = [];

  constructor(name: string, world: SimulatedWorld, cluster: Cluster, history: OperationHistory) {
    this.#name = name;
    this.#world = world;
    this.#cluster = cluster;
    this.#history = history;
  }

  async work({ properties, until, most, pause }: Work): Promise<void> {
    const { random, time } = this.#world;
    for (let count = 0; count < most && time.now < until; count++) {
      await time.wait(random.between(0, pause));
      const to = random.pick(properties);
      const what = random.next();
      if (what < 0.1) await this.#payRooms(to);
      else if (what < 0.4) await this.#payBooking(to);
      else if (what < 0.45) await this.#bookRooms(to);
      else if (what < 0.59) await this.#book(to);
      else if (what < 0.63) await this.#bed();
      else if (what < 0.72) await this.#cancel();
      else if (what < 0.75) await this.#reinstate();
      else if (what < 0.84) await this.#modify();
      else if (what < 0.88) await this.#setInventory(to);
      else if (what < 0.9) await this.#maintain(to);
      else if (what < 0.93) await this.#clean(to);
      else if (what < 0.95) await this.#setRates(to);
      else if (what < 0.96) await this.#changeGroup(to);
      else await this.read(to);
    }
    this.done = true;
  }

  #stay() {
    const { random } = this.#world;
    const checkIn = DAY + random.between(5, 9);
    return { roomType: random.pick(['STD', 'DLX']), checkIn, checkOut: checkIn + random.between(1, 3) };
  }

  /** A booking request whose ids come from the seed. */
  #booking({ propertyId }: Address) {
    const reservationId = this.#world.id();
    const guestId = this.#world.id();
    const number = this.#world.made.toString().padStart(9, '0') + 'X';
    const claims = this.#claims(propertyId);
    const request = booking({ stay: this.#stay(), guest: { guestId, email: `${guestId}@example.com` }, ...claims });
    const personal = { guestId, name: 'sealed' };
    return { ...request, reservationId, confirmationNumber: number, personal, wrappedKey: 'k1.wrapped' };
  }

  /** Some bookings use the promotion, some belong to the group. */
  #claims(propertyId: string): { promoCode?: string; groupId?: string } {
    const drawn = this.#world.random.next();
    if (drawn < 0.25) return { promoCode: promoCodeOf(propertyId) };
    return drawn < 0.4 ? { groupId: GROUP_ID } : {};
  }

  #key(ref: string): KeyClaim {
    return keyed(this.#world.id(), ref);
  }

  async #book(to: Address): Promise<void> {
    const request = this.#booking(to);
    if (this.#world.faults.fires('poison-row')) this.#cluster.poison(request.reservationId);
    const command = { ...bookCommand(), booking: request, pendingPaymentId: this.#world.id() };
    const outcome = await this.#insist(to, command, this.#key(request.reservationId));
    if (outcome?.kind === 'accepted') this.#mine.push({ to, id: request.reservationId });
  }

  /** Rooms of one booking, for the same nights. */
  #rooms(to: Address) {
    const { checkIn, checkOut } = this.#stay();
    return Array.from({ length: this.#world.random.between(2, 4) }, () => {
      const request = this.#booking(to);
      const stay = { ...request.stay, checkIn, checkOut };
      const ids = { holdId: this.#world.id(), paymentId: this.#world.id(), pendingPaymentId: this.#world.id() };
      return { ...ids, booking: { ...request, stay } };
    });
  }

  /** Several rooms without a card, all of them or none. */
  async #bookRooms(to: Address): Promise<void> {
    const rooms = this.#rooms(to);
    const key = this.#key(rooms[0]!.booking.reservationId);
    const outcome = await this.#insist(to, { type: 'BOOK_ROOMS', rooms }, key);
    if (outcome?.kind !== 'accepted') return;
    for (const { booking: one } of rooms) this.#mine.push({ to, id: one.reservationId });
  }

  async #payRooms(to: Address): Promise<void> {
    const rooms = this.#rooms(to);
    const attempt = charge({ paymentId: this.#world.id() });
    await this.#pay(to, { type: 'START_ROOMS', rooms, attempt }, rooms[0]!.holdId);
  }

  async #payBooking(to: Address): Promise<void> {
    const holdId = this.#world.id();
    const attempt = charge({ paymentId: this.#world.id() });
    await this.#pay(to, { type: 'START_BOOKING', holdId, booking: this.#booking(to), attempt }, holdId);
  }

  /** Hold, pay, confirm, as the service's create does. After a lost answer the key shows how far it came. */
  async #pay(
    to: Address,
    start: Extract<PlayedCommand, { type: 'START_BOOKING' | 'START_ROOMS' }>,
    holdId: string,
  ): Promise<void> {
    const { random, time } = this.#world;
    const { attempt } = start;
    const key = this.#key(holdId);
    const started = await this.#insist(to, start, key);
    // No result: the booking was held, but the reconciler ended it before this client got an answer.
    if (started?.kind !== 'accepted' || !started.result) return;
    const slow = random.chance(0.04);
    await time.wait(slow ? random.between(119_000, 122_000) : random.between(2, 150));
    const confirm: PlayedCommand = {
      type: 'CONFIRM_BOOKING',
      holdId,
      payment: paid((started.result as CommandResults['START_BOOKING']).attempt),
    };
    const abandon: PlayedCommand = {
      type: 'ABANDON_BOOKING',
      holdId,
      payment: { ...attempt, status: 'FAILED' },
      refusal: { detail: 'declined' },
    };
    await this.#end(to, { start, end: random.chance(0.8) ? confirm : abandon, abandon }, key);
  }

  /** Completes a paid booking. Unknown outcomes are looked up under the key, and an expired hold is abandoned. */
  async #end(
    to: Address,
    commands: { start: PlayedCommand; end: PlayedCommand; abandon: PlayedCommand },
    key: KeyClaim,
  ): Promise<void> {
    const { time, random } = this.#world;
    const invokedAt = time.now;
    for (let tries = 0; ; tries++) {
      const end = tries > 12 ? commands.abandon : commands.end;
      const came = await this.#try(to, end, key);
      if (came.kind === 'accepted') return this.#ended(to, end, came, invokedAt);
      // The error may mean that an earlier attempt succeeded: look up the key, as the reservation's row would.
      if (came.kind !== 'not executed') {
        const recorded = await this.#try(to, commands.start, key);
        const known = savedEnd(recorded, commands);
        if (known) return this.#ended(to, known.command, known.outcome, invokedAt);
      }
      await time.wait(random.between(20, 120));
    }
  }

  #ended(to: Address, command: PlayedCommand, outcome: OperationOutcome, invokedAt: number): void {
    this.#observe(to, command, outcome, invokedAt);
    if (command.type !== 'CONFIRM_BOOKING' || outcome.kind !== 'accepted') return;
    this.#mine.push({ to, id: (outcome.result as { reservation: { id: string } }).reservation.id });
  }

  async #cancel(): Promise<void> {
    if (this.#mine.length === 0) return;
    const { to, id } = this.#world.random.pick(this.#mine);
    const ids = { cancellationId: this.#world.id(), refundId: this.#world.id() };
    const who = { reason: 'GUEST_REQUEST', cancelledBy: 'guest', refundRequested: true } as const;
    await this.#insist(to, { type: 'CANCEL', reservationId: id, ...ids, ...who }, this.#key(id));
  }

  async #reinstate(): Promise<void> {
    if (this.#mine.length === 0) return;
    const { to, id } = this.#world.random.pick(this.#mine);
    const said = { pendingPaymentId: this.#world.id(), reason: 'a mistake', by: 'boss', extraStock: { BED: BEDS } };
    await this.#insist(to, { type: 'REINSTATE', reservationId: id, ...said }, this.#key(id));
  }

  async #modify(): Promise<void> {
    if (this.#mine.length === 0) return;
    const { to, id } = this.#world.random.pick(this.#mine);
    const { checkIn, checkOut } = this.#stay();
    const ids = { modificationId: this.#world.id(), refundId: this.#world.id() };
    const command = {
      type: 'MODIFY',
      reservationId: id,
      ...ids,
      stay: { checkIn, checkOut },
      guest: {},
      extraStock: { BED: BEDS },
    } as const;
    await this.#insist(to, { ...command, dryRun: false }, this.#key(id));
  }

  /** Posts extra beds for a stay, or takes a posting back, perhaps once more. */
  async #bed(): Promise<void> {
    const { random } = this.#world;
    const of = this.#beds.length > 0 && random.chance(0.3) ? random.pick(this.#beds) : undefined;
    if (of) {
      const said = { reversalId: this.#world.id(), reason: 'not needed', by: 'boss' };
      const { to, id: reservationId, postingId } = of;
      await this.#insist(to, { type: 'VOID_POSTING', reservationId, postingId, ...said }, this.#key(reservationId));
      return;
    }
    if (this.#mine.length === 0) return;
    const { to, id } = random.pick(this.#mine);
    const postingId = this.#world.id();
    const bed = bedCommand(id, {
      postingId,
      unitAmount: 0,
      quantity: random.between(1, 2),
      stock: BEDS,
      taxLines: [],
    });
    const outcome = await this.#insist(to, bed, this.#key(id));
    if (outcome?.kind === 'accepted') this.#beds.push({ to, id, postingId });
  }

  async #setInventory(to: Address): Promise<void> {
    const { random } = this.#world;
    const start = DAY + random.between(5, 9);
    const what = { roomType: random.pick(['STD', 'DLX']), start, end: start + random.between(0, 2) };
    const command = { type: 'SET_INVENTORY', ...what, totalRooms: random.between(0, 4) } as const;
    await this.#insist(to, command, this.#key(''));
  }

  /** Closes a room, or opens one again that may not have been closed. */
  async #maintain(to: Address): Promise<void> {
    const { random } = this.#world;
    const [last] = this.#maintained;
    if (last && random.chance(0.4)) {
      this.#maintained.shift();
      await this.#insist(last.to, { type: 'END_MAINTENANCE', maintenanceId: last.id }, this.#key(''));
      return;
    }
    const maintenanceId = this.#world.id() as MaintenanceId;
    const firstNight = DAY + random.between(5, 9);
    const maintenance = {
      maintenanceId,
      roomNumber: random.pick(Object.keys(ROOM_TYPE_OF)),
      kind: random.pick(['OUT_OF_ORDER', 'OUT_OF_SERVICE'] as const),
      firstNight,
      lastNight: firstNight + random.between(0, 2),
      reason: 'a leak',
    };
    await this.#insist(to, { type: 'OPEN_MAINTENANCE', maintenance }, this.#key(''));
    this.#maintained.push({ to, id: maintenanceId });
  }

  /** Calls a room dirty or clean, and acts on the tasks that it has seen last, in any order. */
  async #clean(to: Address): Promise<void> {
    const { random } = this.#world;
    const roomNumber = random.pick(Object.keys(ROOM_TYPE_OF));
    const status = random.pick(['DIRTY', 'DIRTY', 'CLEAN', 'INSPECTED'] as const);
    await this.#insist(to, { type: 'SET_ROOM_STATUS', roomNumber, status }, this.#key(''));
    await this.read(to);
    for (let steps = random.between(1, 4); steps > 0; steps--) await this.#act();
  }

  async #act(): Promise<void> {
    const { random } = this.#world;
    const last = this.#tasks.at(-random.between(1, 2));
    if (!last) return;
    const { to, id: taskId } = last;
    const type = random.pick([
      'START_HOUSEKEEPING_TASK',
      'COMPLETE_HOUSEKEEPING_TASK',
      'INSPECT_HOUSEKEEPING_TASK',
    ] as const);
    const passed = random.chance(0.6);
    const command = type === 'INSPECT_HOUSEKEEPING_TASK' ? { type, taskId, passed } : { type, taskId };
    await this.#insist(to, command, this.#key(''));
  }

  /** Gives the group more rooms or fewer; there may be none, or its guests may have them. */
  async #changeGroup(to: Address): Promise<void> {
    const rooms = this.#world.random.between(1, 2);
    await this.#insist(to, { type: 'CHANGE_GROUP', ...groupWithRooms(rooms) }, this.#key(''));
  }

  async #setRates(to: Address): Promise<void> {
    const { random } = this.#world;
    const start = DAY + random.between(5, 9);
    const what = { roomType: random.pick(['STD', 'DLX']), start, end: start + random.between(0, 2) };
    const rate = random.between(1, 900) * 100;
    const rates = WEEKDAYS.map((weekday) => ({ weekday, rate }));
    const command = { type: 'SET_BASE_RATES', rateId: this.#world.id(), ...what, rates, seasons: [] } as const;
    await this.#insist(to, { ...command, rates, seasons: [] }, this.#key(''));
  }

  /** Reads the grid of a property. @returns whether it was shown */
  async read(to: Address): Promise<boolean> {
    const invokedAt = this.#world.time.now;
    const node = this.#cluster.route(to);
    const view = await this.#patient(node.view(to).catch(() => undefined));
    if (!view || view === 'too late') return false;
    const cells = view.grid(DAY + 5, DAY + 12);
    const returnedAt = this.#world.time.now;
    const tasks = view.setup.housekeeping;
    const beds = Array.from({ length: 8 }, (_, nth) => {
      const day = DAY + 5 + nth;
      return { day, taken: view.extrasTaken('BED', day) };
    });
    this.#history.seen.push({ property: to.propertyId, seq: view.seq, cells, tasks, beds, invokedAt, returnedAt });
    for (const { taskId } of tasks)
      if (!this.#tasks.some((one) => one.id === taskId)) this.#tasks.push({ to, id: taskId });
    return true;
  }

  /** Repeats a command under its key until its outcome is known. */
  async #insist(to: Address, command: PlayedCommand, key: KeyClaim): Promise<OperationOutcome | undefined> {
    const { time, random } = this.#world;
    const invokedAt = time.now;
    for (;;) {
      let came = await this.#try(to, command, key);
      if (came.kind === 'refused' && came.code === 'PAYMENT_DECLINED')
        came = { kind: 'accepted', seq: came.seq, result: null };
      if (came.kind === 'accepted' || came.kind === 'refused') {
        this.#observe(to, command, came, invokedAt);
        return came;
      }
      await time.wait(random.between(20, 120));
    }
  }

  #observe(to: Address, command: PlayedCommand, outcome: OperationOutcome, invokedAt: number): void {
    const returnedAt = this.#world.time.now;
    const property = to.propertyId;
    this.#history.observed.push({ property, client: this.#name, command, invokedAt, returnedAt, outcome });
    const how = outcome.kind === 'accepted' ? outcome.seq : outcome.code;
    this.#world.note(`${this.#name} ${command.type} ${property} ${how}`);
    const answer = outcome.kind === 'accepted' ? `accepted, ${property} is at ${how}` : how;
    this.#world.see({ kind: 'answer', property, text: `${this.#name} has its answer to ${command.type}: ${answer}` });
  }

  async #try(to: Address, command: PlayedCommand, key: KeyClaim): Promise<Try> {
    const { faults, random, time } = this.#world;
    const ask = async (): Promise<Try> => {
      const node = this.#cluster.route(to);
      await time.wait(random.delay(2, 50));
      const deadline = node.now() + DEADLINE_MS;
      const envelope = { command, subject: 'clerk', requestId: this.#name, key, deadline };
      return node.execute(to, envelope).then(
        ({ seq, result }): Try => ({ kind: 'accepted', seq, result }),
        (error: unknown) => this.#refused(error),
      );
    };
    // Commands that complete a booking are sent by the service, which never sends one twice without a key.
    if (!ENDS.has(command.type) && faults.fires('request-twice')) void ask();
    if (faults.fires('request-lost')) await time.wait(PATIENCE_MS);
    else {
      const came = await this.#patient(ask());
      await time.wait(random.delay(2, 50));
      if (came !== 'too late' && !faults.fires('answer-lost')) return came;
    }
    return { kind: 'unknown' };
  }

  #refused(error: unknown): Try {
    // A node that cannot read has done nothing; the HTTP edge answers 503 then.
    if (!(error instanceof DomainError)) {
      if (!String(error).includes('the connection broke') && !String(error).includes('taken'))
        this.#history.strange.push(String((error as Error).stack ?? error));
      return { kind: 'not executed' };
    }
    const { code, details } = error;
    const byStore = (details.extra as { reason?: string } | undefined)?.reason !== undefined;
    if (byStore) return { kind: 'refused', code: 'REFUSED_BY_STORE', seq: -1 };
    if (SAFE.has(code)) return { kind: 'not executed' };
    if (UNKNOWN.has(code)) return { kind: 'unknown' };
    return { kind: 'refused', code, seq: details.seq ?? -1 };
  }

  #patient<T>(promise: Promise<T>): Promise<T | 'too late'> {
    return Promise.race([promise, this.#world.time.wait(PATIENCE_MS).then(() => 'too late' as const)]);
  }
}

/** What the idempotency record of a create says about its completion, if there is one. */
function savedEnd(
  recorded: Try,
  { end, abandon }: { end: PlayedCommand; abandon: PlayedCommand },
): { command: PlayedCommand; outcome: OperationOutcome } | undefined {
  if (recorded.kind === 'refused') {
    if (recorded.code === 'PAYMENT_DECLINED')
      return { command: abandon, outcome: { kind: 'accepted', seq: recorded.seq, result: null } };
    return { command: end, outcome: recorded };
  }
  if (recorded.kind !== 'accepted' || 'holdId' in (recorded.result as object)) return undefined;
  return { command: end.type === 'CONFIRM_BOOKING' ? end : abandon, outcome: recorded };
}
