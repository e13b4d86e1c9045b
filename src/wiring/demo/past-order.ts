import { createSecretKey } from 'node:crypto';

import { dividedStays, countParts, playOld, playRecent, type PastOf } from '../../../actors/past/play-past.ts';
import { countBatches, playWhole } from '../../../actors/past/play-whole.ts';
import type { StayWorld } from '../../../actors/past/stay-commands.ts';
import { demoId } from '../../demo/rules/demo-ids.ts';
import { demoGuest } from '../../demo/rules/guests.ts';
import type { DemoProperty } from '../../demo/rules/hotels.ts';
import { type PlannedStay, planStays } from '../../demo/rules/plan.ts';
import type { CommitArguments, SentMail } from '../../demo/storage/write-past.ts';
import { newGuestKey } from '../../guests/storage/guests.ts';
import { SealedText } from '../../kernel/operations/sealed-text.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Command } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { bookingsOf } from '../../kernel/rules/journal.ts';
import { businessDate, type Instant } from '../../kernel/rules/property-time.ts';
import type { InvoicedCompany } from '../../money/rules/company.ts';
import { kindOf } from '../../notifications/rules/notification.ts';
import { DEFAULT_POLICIES } from '../../properties/rules/property.ts';
import type { FinalizedBatch } from '../../property-store/ports.ts';
import { batchArguments } from '../../property-store/storage/rows.ts';

const { nightAuditHour } = DEFAULT_POLICIES;

/** Days of the past: all of it, what the journal has, and what is there when the service answers for the first time. */
export type PastDays = { all: number; journal: number; recent: number };

/** What a thread needs to play the past of a property: values that can be copied. */
export type PastOrder = {
  to: Address;
  property: DemoProperty;
  /** First number of its stays and guests, so that those of several properties are apart. */
  offset: number;
  seed: number;
  now: Instant;
  days: PastDays;
  setUp: readonly Command[];
  companies: readonly InvoicedCompany[];
  /** SECRET_KEYS, newest first. */
  secretKeys: readonly { id: string; key: Uint8Array }[];
  /** Of a sandbox, whose past is played as a whole (docs/concepts/sandbox.md#how-the-year-is-written). */
  sandbox?: { plans: StayWorld['plans']; last: readonly Command[] };
};

/** Rows of one part of a whole past, and its guests. */
export type PlayedBatch = { n: number; of: number; values: CommitArguments; guestIds: string[]; seq: number };

/** What is written before the property is used. */
export type PlayedRecent = { batches: CommitArguments[]; mails: SentMail[]; seq: number; today: Day; parts: number };

/** Rows of stays that were over, and the day before which all guests are known: their night audits can be made. */
export type PlayedPart = { n: number; known: Day; values: CommitArguments };

/** A guest who was in a room on a night may have left so much later, and is written with the part in which he left. */
const LONGEST_STAY = 31;

const DAY_MS = 86_400_000;
/** Mails of this time are listed. */
const MAILS_MS = 28 * DAY_MS;

/** Nights that the plan of a property reaches ahead. */
const PLANNED_AHEAD = 540;

/** The plan of a property, which guests follow from its origin on. */
function planOf({ property, offset, seed, now, days }: PastOrder): { origin: Day; stays: PlannedStay[] } {
  const origin = businessDate(now, { nightAuditHour, ...property });
  const [from, to] = [origin - days.all, origin + PLANNED_AHEAD];
  return { origin, stays: planStays(property, { origin, seed: seed + offset, offset, from, to }) };
}

/** The past of a property as its thread plays it. */
export class PlayedPast {
  readonly #order: PastOrder;
  readonly #past: PastOf;
  readonly #origin: Day;
  readonly #guests = new Map<string, { stay: PlannedStay; wrappedKey: string; seal(text: string): string }>();
  readonly #written = new Set<string>();

  constructor(order: PastOrder) {
    this.#order = order;
    const { to, property, offset, seed, now, days, companies } = order;
    const { origin, stays } = planOf(order);
    this.#origin = origin;
    const sealed = new SealedText(order.secretKeys.map(({ id, key }) => ({ id, secret: key })));
    const [newest] = order.secretKeys.map(({ id, key }) => ({ id, key: createSecretKey(key) }));
    const guestIdOf = ({ guest }: PlannedStay): string =>
      demoId(seed, 'guest', guest, now - 2 * days.all * DAY_MS + guest);
    const guestOf = (stay: PlannedStay) => {
      const guestId = guestIdOf(stay);
      let known = this.#guests.get(guestId);
      if (!known) this.#guests.set(guestId, (known = { stay, ...newGuestKey(newest!) }));
      return { guestId, profile: demoGuest(seed, stay.guest), seal: known.seal };
    };
    const sealCard = (token: string, id: string): string => sealed.seal(token, id);
    this.#past = {
      to,
      property,
      stays,
      now,
      setUp: order.setUp,
      world: { seed, offset, companies, guestOf, guestIdOf, sealCard, plans: order.sandbox?.plans },
      journalFrom: origin - days.journal,
      recentFrom: origin - days.recent,
      ...(order.sandbox && { name: 'sandbox' as const }),
    };
  }

  /** Stays that are booked or cancelled after the property began to live, in the order of their bookings. */
  upcoming(): PlannedStay[] {
    const { stays, now } = this.#past;
    return stays
      .filter(({ bookedAt, cancelledAt = 0 }) => bookedAt > now || cancelledAt > now)
      .sort((a, b) => a.bookedAt - b.bookedAt);
  }

  /** The property as it is now. */
  recent(): PlayedRecent {
    const batches = playRecent(this.#past, 0);
    const last = batches.at(-1)!;
    const mails = batches.flatMap(({ entries }) => entries.flatMap((entry) => this.#mailsOf(entry)));
    const rows = batches.map((batch, n) =>
      batchArguments([n === batches.length - 1 ? this.#withGuests(batch) : batch]),
    );
    const parts = countParts(this.#past, this.#origin - this.#order.days.all);
    return { batches: rows, mails, seq: last.newSeq, today: this.#origin, parts };
  }

  /** The whole past of a sandbox, batch by batch. */
  *batches(): Iterable<PlayedBatch> {
    const past = { ...this.#past, recentFrom: this.#origin, last: this.#order.sandbox!.last };
    const of = countBatches(past);
    let n = 0;
    for (const batch of playWhole(past)) {
      const withGuests = this.#withGuests(batch);
      const guestIds = withGuests.changes.guests.map(({ guest }) => guest.guestId);
      yield { n: n++, of, values: batchArguments([withGuests]), guestIds, seq: batch.newSeq };
    }
  }

  /** Stays that were over before, part by part. @param done parts that are written already */
  *old(done: number): Iterable<PlayedPart> {
    // Guests of the recent stays are known.
    for (const stay of dividedStays(this.#past).recent) this.#written.add(this.#past.world.guestIdOf(stay));
    let n = 0;
    for (const { until, batch } of playOld(this.#past, this.#origin - this.#order.days.all)) {
      const withGuests = this.#withGuests(batch);
      if (n >= done) yield { n, known: this.#knownBefore(until), values: batchArguments([withGuests]) };
      n += 1;
    }
  }

  /** With the last part that the journal knows, all guests since its beginning are known. */
  #knownBefore(until: Day): Day {
    return until === this.#past.recentFrom ? this.#origin : until - LONGEST_STAY;
  }

  #mailsOf(entry: FinalizedBatch['entries'][number]): SentMail[] {
    const { seq, at } = entry;
    if (at < this.#order.now - MAILS_MS) return [];
    return bookingsOf(entry).flatMap((booking) => {
      const kind = kindOf(booking);
      const isOne = kind === 'CONFIRMATION' || kind === 'CANCELLATION';
      return isOne ? [{ reservationId: booking.reservationId, kind, seq, at }] : [];
    });
  }

  /** Profiles of the guests of a batch, each once in all batches. */
  #withGuests(batch: FinalizedBatch): FinalizedBatch {
    const guests: FinalizedBatch['changes']['guests'] = [];
    for (const { guest } of batch.changes.reservations) {
      const known = this.#guests.get(guest.guestId);
      if (!known || this.#written.has(guest.guestId)) continue;
      this.#written.add(guest.guestId);
      guests.push({ guest, wrappedKey: known.wrappedKey });
    }
    return { ...batch, changes: { ...batch.changes, guests } };
  }
}
