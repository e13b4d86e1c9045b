import type { Clock } from '../kernel/ports.ts';
import { type Address, addressKey } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import { type DocumentNumber, type InvoiceDocument, sequenceOf } from '../money/rules/invoice-document.ts';
import type { Payment } from '../money/rules/payment.ts';
import type { Policies } from '../properties/rules/property.ts';
import type {
  CommitResult,
  HeldByOtherNode,
  KeyChange,
  KnownKey,
  Loaded,
  LoadedNights,
  Ownership,
  PropertyStore,
  RateVersion,
  Released,
  FinalizedBatch,
  RewoundProperty,
  SeenPosition,
} from '../property-store/ports.ts';
import type { StoredRates } from '../rates/rules/stored-rates.ts';
import { isUnfinished } from '../stay/rules/reservation-states.ts';
import type { Reservation } from '../stay/rules/reservation.ts';
import { isOpen } from '../stay/rules/waitlist.ts';
import { emptyProperty, type FakeProperty } from './fake-property.ts';
import { drop, guestKey, keyOf, put } from './fake-store-rows.ts';

const DAY_MS = 86_400_000;
const QUOTE_MS = 3_600_000;

/** Owner when a test names no other node. */
const THIS_NODE = 'test';

type KeyRow = KeyChange & { at: number; to: Address };

/** Outcomes of the next commits; they succeed when the list is empty. */
export type StoreFault = 'unavailable' | 'unknown, written' | 'unknown, lost' | 'throws';

/**
 * A `PropertyStore` in memory with the rules of `commit_batch_v3`: all batches of a call or none; fence by epoch and
 * seq; known keys answered before; guests and confirmation numbers unique. Shares one conformance suite with the real
 * one. `faults`, `poison` and `gate` control the outcome of commits.
 */
export class FakeStore implements PropertyStore {
  readonly properties = new Map<string, FakeProperty>();
  readonly reservations = new Map<string, { tenantId: string; reservation: Reservation }>();
  readonly payments = new Map<string, { reservationId: string; payment: Payment }>();
  /** Invoices and credit notes in the order in which they were written. */
  readonly documents: { to: Address; document: InvoiceDocument }[] = [];
  readonly keys = new Map<string, KeyRow>();
  /** Guest ids by tenant, e-mail and last name. */
  readonly guests = new Map<string, string>();
  readonly #guestIds = new Set<string>();
  readonly faults: StoreFault[] = [];
  /** Batches that cannot be written. */
  poison: (batch: FinalizedBatch) => boolean = () => false;
  /** Commits wait for this. */
  gate: Promise<void> = Promise.resolve();
  /** Version queries wait for the first gate before reading; read rates wait for the second before returning. */
  versionGate: Promise<void> = Promise.resolve();
  ratesGate: Promise<void> = Promise.resolve();
  /** Reads of older entries wait for this before returning. */
  recentGate: Promise<void> = Promise.resolve();
  /** Number of properties of each version query. */
  readonly versionCalls: number[] = [];
  /** Properties of each commit, in order. */
  readonly calls: string[][] = [];
  /** Policies of the tenant for its properties. */
  tenantPolicies: Partial<Policies> | undefined;
  /** Nodes with a valid lease: other nodes do not acquire their properties. */
  readonly alive = new Set<string>();
  /** Whether acquiring and reading work. */
  reachable = true;
  /** Whether commits are compared with epoch, seq and head; off, to show what the fence is for. */
  hasFence = true;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async exists(to: Address): Promise<boolean> {
    this.#reach();
    return this.properties.get(addressKey(to))?.property !== undefined;
  }

  async take(to: Address, nodeId = THIS_NODE): Promise<Ownership | HeldByOtherNode> {
    this.#reach();
    const property = this.#property(to);
    if (property.owner !== undefined && property.owner !== nodeId && this.alive.has(property.owner))
      return { heldBy: property.owner };
    property.owner = nodeId;
    property.ownership.epoch += 1;
    return { ...property.ownership };
  }

  async release(of: readonly Released[], nodeId = THIS_NODE): Promise<void> {
    this.#reach();
    for (const { to, epoch } of of) {
      const property = this.#property(to);
      if (property.owner === nodeId && property.ownership.epoch === epoch) property.owner = undefined;
    }
  }

  async rewound(seen: readonly SeenPosition[]): Promise<RewoundProperty[]> {
    this.#reach();
    return seen.flatMap(({ to, seq, generation, head }) => {
      const { ownership, journal } = this.#property(to);
      const has = ownership.seq === seq && ownership.head === head;
      if (ownership.generation > generation) return [];
      const isThere = has || journal.some((entry) => entry.seq === seq && entry.hash === head);
      if (ownership.generation === generation && isThere) return [];
      ownership.generation = generation + 1;
      ownership.epoch += 1;
      return [{ to, seq: ownership.seq, generation: ownership.generation }];
    });
  }

  async open(to: Address, mustExist: boolean, nodeId = THIS_NODE): Promise<Loaded | HeldByOtherNode | undefined> {
    if (mustExist && !(await this.exists(to))) return undefined;
    const ownership = await this.take(to, nodeId);
    return 'heldBy' in ownership ? ownership : this.committed(to);
  }

  async committed(to: Address): Promise<Loaded> {
    this.#reach();
    const property = this.#property(to);
    const here = this.#of(to);
    const from = property.today ?? 0;
    const used = here.filter(
      ({ quoteId, createdAt }) => quoteId !== undefined && createdAt > this.#clock.now() - QUOTE_MS,
    );
    return structuredClone({
      ownership: property.ownership,
      at: property.journal.at(-1)?.at ?? 0,
      property: property.property,
      removed: property.property ? undefined : property.removed,
      tenantPolicies: this.tenantPolicies,
      roomTypes: [...property.roomTypes.values()],
      rooms: [...property.rooms.values()],
      plans: [...property.plans.values()],
      cells: [...property.cells.values()].filter(({ day }) => day >= from),
      books: [...property.books.values()].filter(({ day }) => day >= from),
      rates: [...property.rates.values()].filter(({ day }) => day >= from),
      signals: [...property.signals.values()].filter(({ day }) => day >= from),
      restrictions: [...property.restrictions.values()].filter(({ day, restriction }) => restriction && day >= from),
      promotions: [...property.promotions.values()].map((promotion) => ({
        ...promotion,
        usedOn: Object.fromEntries(
          Object.entries(promotion.usedOn).filter(([day, n]) => Number(day) >= from && n > 0),
        ),
      })),
      calendarEvents: [...property.calendarEvents.values()],
      groups: [...property.groups.values()].filter(({ blocks }) =>
        Object.values(blocks).some(({ day }) => day >= from),
      ),
      rateVersion: property.rateVersion,
      journaledRateVersion: property.journaledRateVersion,
      holds: [...property.holds.values()],
      roomStays: [...property.roomStays.values()],
      maintenances: [...property.maintenances.values()].filter(
        ({ lastNight }) => lastNight === undefined || lastNight >= from,
      ),
      housekeeping: [...property.housekeeping.values()],
      waitlist: [...property.waitlist.values()].filter(isOpen).sort((a, b) => a.number - b.number),
      inquiries: [...property.inquiries.values()].filter(({ status }) => status === 'OPEN'),
      extraStays: [...property.extraStays.values()],
      serials: this.#serials(to),
      usedQuotes: used.map(({ quoteId, createdAt }) => ({ quoteId: quoteId!, expiresAt: createdAt + QUOTE_MS })),
      unfinished: here.filter(({ status }) => ['PENDING', 'CONFIRMED', 'CHECKED_IN'].includes(status)).length,
      pending: here.filter(({ status }) => status === 'PENDING'),
      today: property.today,
    });
  }

  async recent(to: Address, last: number, most: number): Promise<JournalEntry[]> {
    this.#reach();
    const found = structuredClone(this.#property(to).journal.filter(({ seq }) => seq > last - most && seq <= last));
    await this.recentGate;
    this.#reach();
    return found;
  }

  async nights(
    tenantId: string,
    propertyIds: readonly string[],
    first: number,
    last: number,
  ): Promise<LoadedNights[]> {
    this.#reach();
    const within = <T extends { day: number }>(rows: Iterable<T>): T[] =>
      [...rows].filter(({ day }) => day >= first && day <= last);
    return propertyIds.flatMap((propertyId) => {
      const to = { tenantId, propertyId };
      const property = this.properties.get(addressKey(to));
      if (!property?.property) return [];
      const { seq, generation } = property.ownership;
      return structuredClone({
        to,
        seq,
        generation,
        property: property.property,
        roomTypes: [...property.roomTypes.values()],
        plans: [...property.plans.values()],
        cells: within(property.cells.values()),
        rates: within(property.rates.values()),
        signals: within(property.signals.values()),
        restrictions: within(property.restrictions.values()).filter(({ restriction }) => restriction),
      });
    });
  }

  async rateVersions(of: readonly Address[]): Promise<RateVersion[]> {
    this.versionCalls.push(of.length);
    this.#reach();
    await this.versionGate;
    return of.map((to) => {
      const property = this.properties.get(addressKey(to));
      return { version: property?.rateVersion ?? 0, epoch: property?.ownership.epoch ?? 0 };
    });
  }

  async rates(to: Address): Promise<StoredRates> {
    this.#reach();
    const { rates, plans, today = 0, rateVersion: version, ownership } = this.#property(to);
    const found = structuredClone({
      version,
      seq: ownership.seq,
      plans: [...plans.values()],
      rates: [...rates.values()].filter(({ day }) => day >= today),
    });
    await this.ratesGate;
    return found;
  }

  /** Another program changes rates or plans: does what the triggers of the tables do. */
  changeRates(to: Address, change: (property: Pick<FakeProperty, 'rates' | 'plans'>) => void): void {
    const property = this.#property(to);
    change(property);
    property.rateVersion += 1;
  }

  async reservation(to: Address, id: string): Promise<{ reservation: Reservation; epoch: number } | undefined> {
    this.#reach();
    const reservation = this.#of(to).find((one) => one.id === id);
    return reservation && { reservation, epoch: this.#property(to).ownership.epoch };
  }

  async commit(_lane: number, batches: readonly FinalizedBatch[]): Promise<CommitResult> {
    this.calls.push(batches.map(({ to }) => addressKey(to)));
    await this.gate;
    const fault = this.faults.shift();
    if (fault === 'throws') throw new Error('the store broke');
    if (fault === 'unavailable') return { outcome: 'unavailable', detail: 'no connection' };
    if (fault === 'unknown, lost') return { outcome: 'unknown' };
    // Copies as JSON: the store shares no memory with the sender.
    const arrived = JSON.parse(JSON.stringify(batches)) as FinalizedBatch[];
    const refused = this.#error(arrived);
    if (!refused) for (const batch of arrived) this.#apply(batch);
    return fault === 'unknown, written' ? { outcome: 'unknown' } : (refused ?? { outcome: 'committed' });
  }

  #error(batches: FinalizedBatch[]): CommitResult | undefined {
    const known = batches.flatMap((batch) => this.#known(batch));
    if (known.length > 0) return { outcome: 'known-keys', keys: known };
    const lost = batches.filter(({ to, epoch, oldSeq, oldHead }) => {
      const { ownership } = this.#property(to);
      const isLost = ownership.epoch !== epoch || ownership.seq !== oldSeq || ownership.head !== oldHead;
      return isLost && this.hasFence;
    });
    if (lost.length > 0) return { outcome: 'fenced', properties: lost.map(({ to }) => to) };
    const wrong = this.#wrong(batches);
    return wrong && { outcome: 'rejected', reason: wrong, detail: 'by the fake store' };
  }

  #known({ to, keys }: FinalizedBatch): KnownKey[] {
    return keys.flatMap(({ subject, key, phase }) => {
      const row = this.keys.get(keyOf(to, subject, key));
      if (!row || phase === 'end' || phase === 'release' || row.at + DAY_MS <= this.#clock.now()) return [];
      return [
        { to, subject, key, fingerprint: row.fingerprint, ref: row.ref, answer: structuredClone(row.answer ?? null) },
      ];
    });
  }

  /** Last number of each sequence. */
  #serials(to: Address): DocumentNumber[] {
    const last = new Map<string, DocumentNumber>();
    for (const { kind, year, serial } of this.documentsOf(to)) {
      if (year === undefined || serial === undefined) continue;
      const sequence = sequenceOf({ kind, year });
      last.set(sequence, { kind, year, serial: Math.max(serial, last.get(sequence)?.serial ?? 0) });
    }
    return [...last.values()];
  }

  /** Documents issued by a property. */
  documentsOf(to: Address): InvoiceDocument[] {
    const its = addressKey(to);
    return this.documents.filter((row) => addressKey(row.to) === its).map(({ document }) => document);
  }

  /** Enforces the primary key of invoice_documents. */
  #issuesTwice({ to, changes }: FinalizedBatch): boolean {
    if (changes.documents.length === 0) return false;
    const numbers = [...this.documentsOf(to), ...changes.documents].map(({ number }) => number);
    return new Set(numbers).size < numbers.length;
  }

  #wrong(batches: FinalizedBatch[]): 'guest-moved' | 'number-taken' | 'poison' | undefined {
    const guests = new Map(this.guests);
    const numbers = new Map(
      [...this.reservations.values()].map(({ reservation: r }) => [r.confirmationNumber, r.id]),
    );
    for (const batch of batches) {
      if (this.poison(batch) || this.#sharesRoom(batch) || this.#issuesTwice(batch)) return 'poison';
      for (const { guest, wrappedKey } of batch.changes.guests) {
        if (wrappedKey === undefined && !this.#guestIds.has(guest.guestId)) return 'guest-moved';
        if (wrappedKey === undefined) continue;
        if (guests.has(guestKey(batch.to, guest))) return 'guest-moved';
        guests.set(guestKey(batch.to, guest), guest.guestId);
      }
      for (const { id, confirmationNumber } of batch.changes.reservations) {
        if ((numbers.get(confirmationNumber) ?? id) !== id) return 'number-taken';
        numbers.set(confirmationNumber, id);
      }
    }
    return undefined;
  }

  /** Enforces the exclusion constraint of room_assignments. */
  #sharesRoom({ to, changes }: FinalizedBatch): boolean {
    if (changes.roomStays.length === 0) return false;
    const rows = new Map(this.#property(to).roomStays);
    put(rows, changes.roomStays, ({ reservationId }) => reservationId, changes.roomStaysRemoved);
    return changes.roomStays.some(({ reservationId, roomNumber, checkIn, checkOut }) =>
      [...rows.values()].some(
        (other) =>
          other.reservationId !== reservationId &&
          other.roomNumber === roomNumber &&
          Math.max(checkIn, other.checkIn) < Math.min(checkOut, other.checkOut),
      ),
    );
  }

  #apply({ to, newSeq, head, today, rateVersion, at, changes, entries, keys }: FinalizedBatch): void {
    const property = this.#property(to);
    Object.assign(property.ownership, { seq: newSeq, head });
    property.today = today ?? property.today;
    property.journaledRateVersion = rateVersion ?? property.journaledRateVersion;
    if (changes.property) property.property = changes.property;
    if (changes.propertyDeleted) [property.removed, property.property] = [property.property, undefined];
    put(property.roomTypes, changes.roomTypes, ({ roomType }) => roomType, changes.roomTypesRemoved);
    const goneTypes = new Set(changes.roomTypesRemoved);
    const isGone = (row: { roomType: string; day: Day }): boolean =>
      goneTypes.has(row.roomType) && row.day >= (property.today ?? 0);
    for (const rows of [property.cells, property.rates, property.restrictions]) drop(rows, isGone);
    drop(property.signals, ({ roomType }) => goneTypes.has(roomType));
    put(property.rooms, changes.rooms, ({ roomNumber }) => roomNumber, changes.roomsRemoved);
    const goneCodes = changes.plansRemoved.map(({ code }) => code);
    put(property.plans, changes.plans, ({ code }) => code, goneCodes);
    drop(property.restrictions, ({ rateCode }) => goneCodes.includes(rateCode));
    put(property.signals, changes.signals, ({ roomType, day }) => `${roomType} ${day}`);
    put(
      property.restrictions,
      changes.restrictions,
      ({ rateCode, roomType, day }) => `${rateCode} ${roomType} ${day}`,
    );
    put(
      property.promotions,
      changes.promotions.map(({ promotion }) => promotion),
      ({ promoCode }) => promoCode,
    );
    put(
      property.groups,
      changes.groups.map(({ group }) => group),
      ({ groupId }) => groupId,
    );
    put(property.cells, changes.cells, ({ roomType, day }) => `${roomType} ${day}`);
    put(property.books, changes.books, ({ day }) => String(day));
    put(property.rates, changes.rates, ({ roomType, day }) => `${roomType} ${day}`);
    put(property.holds, changes.holds, ({ id }) => id, changes.holdsRemoved);
    put(property.roomStays, changes.roomStays, ({ reservationId }) => reservationId, changes.roomStaysRemoved);
    const { maintenances, maintenancesRemoved } = changes;
    put(property.maintenances, maintenances, ({ maintenanceId }) => maintenanceId, maintenancesRemoved);
    for (const { isOpen: open, ...task } of changes.housekeeping)
      if (open) property.housekeeping.set(task.taskId, task);
      else property.housekeeping.delete(task.taskId);
    put(property.waitlist, changes.waitlist, ({ waitlistId }) => waitlistId);
    put(property.calendarEvents, changes.calendarEvents, ({ eventId }) => eventId, changes.calendarEventsRemoved);
    put(property.inquiries, changes.inquiries, ({ inquiryId }) => inquiryId);
    put(property.extraStays, changes.extraStays, ({ postingId }) => postingId, changes.extraStaysRemoved);
    for (const { guest, wrappedKey } of changes.guests)
      if (wrappedKey) {
        this.guests.set(guestKey(to, guest), guest.guestId);
        this.#guestIds.add(guest.guestId);
      }
    for (const { documents: _inTheirOwnTable, ...reservation } of changes.reservations)
      this.reservations.set(reservation.id, { tenantId: to.tenantId, reservation });
    for (const document of changes.documents) this.documents.push({ to, document });
    for (const row of changes.payments) this.payments.set(row.payment.paymentId, row);
    for (const { guestName: _inMemoryOnly, ...entry } of entries) property.journal.push(entry);
    for (const change of keys) this.#writeKey(to, change, at);
  }

  #writeKey(to: Address, change: KeyChange, at: number): void {
    // A probe only asks whether the key is known.
    if (change.phase === 'probe') return;
    const id = keyOf(to, change.subject, change.key);
    const row = this.keys.get(id);
    const mine = row && row.answer === undefined && row.ref === change.ref;
    if (change.phase === 'release') {
      if (mine) this.keys.delete(id);
    } else if (!row || mine || row.at + DAY_MS <= this.#clock.now())
      this.keys.set(id, { ...change, to, at: mine ? row.at : at });
  }

  /** Reservations of a property with their payments in the order of rows, oldest first. */
  #of({ tenantId, propertyId }: Address): Reservation[] {
    return [...this.reservations.values()]
      .filter((row) => row.tenantId === tenantId && row.reservation.propertyId === propertyId)
      .map(({ reservation }) => {
        const payments = [...this.payments.values()].filter(({ reservationId }) => reservationId === reservation.id);
        const sorted = payments
          .map(({ payment }) => payment)
          .sort((a, b) => a.createdAt - b.createdAt || (a.paymentId < b.paymentId ? -1 : 1));
        const issued = this.documents.flatMap(({ document }) =>
          document.reservationId === reservation.id && !isUnfinished(reservation.status) ? document : [],
        );
        return structuredClone({
          ...reservation,
          payments: sorted,
          ...(issued.length > 0 && { documents: issued }),
        });
      });
  }

  #property(to: Address): FakeProperty {
    const id = addressKey(to);
    let property = this.properties.get(id);
    if (!property) {
      property = emptyProperty();
      this.properties.set(id, property);
    }
    return property;
  }

  #reach(): void {
    if (!this.reachable) throw new Error('the store cannot be reached');
  }
}
