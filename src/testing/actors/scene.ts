import { emptyState } from '../../../actors/activation.ts';
import { type DecidedBatch, decideBatch } from '../../../actors/property/decide-batch.ts';
import { finalizeBatch } from '../../../actors/property/finalize-batch.ts';
import type { State } from '../../../actors/property/state.ts';
import { CommittedView } from '../../../actors/view.ts';
import type { Command, CommandResults, Envelope } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { DomainError } from '../../kernel/rules/domain-error.ts';
import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { FinalizedBatch } from '../../property-store/ports.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { envelope, type PropertyOptions, PROPERTY_ID, NOW, settingUp } from '../property-world.ts';

/** One property whose batches always commit: the decisions of the rules, without actor, store or clock. */
export class Scene {
  state: State;
  now: number;
  last!: DecidedBatch;
  /** Every batch so far as a lane would get it, for a store to write again; the epoch is 1. */
  readonly sealed: FinalizedBatch[] = [];

  constructor(state: State, now = NOW) {
    this.state = state;
    this.now = now;
  }

  /** The property of `property-world.ts`, set up. */
  static property(options: PropertyOptions = {}, now = NOW, tenantId = PROPERTY_ID.tenantId): Scene {
    const scene = Scene.nothing(options.propertyId, now, tenantId);
    for (const command of settingUp(options)) scene.accept(command);
    return scene;
  }

  /** A property before its creation. */
  static nothing(propertyId = PROPERTY_ID.propertyId, now = NOW, tenantId = PROPERTY_ID.tenantId): Scene {
    const ownership = { epoch: 1, seq: 0, generation: 1, head: '' };
    return new Scene(emptyState({ tenantId, propertyId }, ownership), now);
  }

  /** Decides a batch and commits it. */
  batch(...envelopes: Envelope[]): DecidedBatch {
    this.last = decideBatch(this.state, envelopes, this.now);
    const { entries, draft } = this.last;
    if (entries.length > 0 || draft.keys.size > 0) this.sealed.push(finalizeBatch(this.last, 1, this.now));
    this.state = draft.apply(this.state, this.last);
    return this.last;
  }

  /** Sends a batch of one that must be accepted. */
  accept<C extends Command>(command: C): CommandResults[C['type']] {
    const outcome = this.batch(envelope(command)).outcomes[0]!;
    if (outcome.kind === 'accepted') return outcome.decision.result as CommandResults[C['type']];
    throw outcome.kind === 'refused' ? outcome.error : outcome.error;
  }

  /** Sends a batch of one that must be rejected without changing the state. */
  refuse(command: Command): DomainError {
    const outcome = this.batch(envelope(command)).outcomes[0]!;
    if (outcome.kind === 'refused') return outcome.error;
    throw outcome.kind === 'fault' ? outcome.error : new Error(`${command.type} was accepted`);
  }

  get view(): CommittedView {
    return new CommittedView(this.state);
  }

  cell(day: Day, roomType = 'STD'): GridCell {
    return this.view.grid(day, day, roomType)[0]!;
  }

  /** Ends the business day, so many milliseconds after its end. */
  endDay(later = 0): void {
    this.now = endOfBusinessDay(this.state.today, clockOf(this.state.property!)) + later;
    this.accept({ type: 'TICK' });
  }

  /** Moves time without deciding anything. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
  }
}

/** Every part of a state that a reader or a later command could distinguish, as plain data. */
export function plain(state: State): Record<string, unknown> {
  const {
    slabs,
    holds,
    usedQuotes,
    roomTypes,
    rooms,
    plans,
    promotions,
    calendarEvents,
    groups,
    roomPlan,
    maintenances,
    housekeeping,
    waitlist,
    inquiries,
    extraStays,
    serials,
    reservations: _cache,
    ratesSeq: _own,
    books,
    ...rest
  } = state;
  const cells = [...slabs].map(([type, slab]) => [
    type,
    Array.from({ length: slab.nights }, (_, index) => {
      const day = slab.first + index;
      const counters = (['booked', 'held', 'group', 'outOfOrder', 'external'] as const).map((name) =>
        slab.count(day, name),
      );
      return [
        day,
        slab.total(day),
        ...counters,
        slab.overbooking(day),
        slab.stamp(day)?.at,
        slab.stamp(day)?.seq,
        slab.base(day),
        slab.multiplier(day),
        slab.amount(day),
        slab.demand(day),
        slab.market(day),
      ];
    }),
  ]);
  const maps = {
    holds,
    usedQuotes,
    roomTypes,
    rooms,
    plans,
    promotions: used(promotions),
    calendarEvents,
    groups,
    maintenances,
    housekeeping,
    waitlist,
    inquiries,
    extraStays,
    serials: new Map(serials),
    roomStays: new Map([...roomPlan.stays].map((stay) => [stay.reservationId, stay])),
    restrictions: limits(rest),
  };
  const listed = Object.entries(maps).map(([name, map]) => [name, [...map].sort(([a], [b]) => (a < b ? -1 : 1))]);
  // JSON drops undefined members, as the database does.
  return JSON.parse(
    JSON.stringify({
      ...rest,
      books: [...books.nights()],
      cells: cells.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ...Object.fromEntries(listed),
    }),
  ) as Record<string, unknown>;
}

/** Nights without a used unit are not stored. */
function used(promotions: State['promotions']): Map<string, unknown> {
  const inUse = (nights: Record<number, number>) => Object.entries(nights).filter(([, units]) => units > 0);
  return new Map([...promotions].map(([code, one]) => [code, { ...one, usedOn: inUse(one.usedOn) }]));
}

function limits({ restrictions }: Pick<State, 'restrictions'>): Map<string, unknown> {
  const flat = [...restrictions].flatMap(([code, types]) =>
    [...types].flatMap(([type, days]) => [...days].map(([day, rule]) => [`${code} ${type} ${day}`, rule] as const)),
  );
  return new Map(flat.map(([key, rule]) => [key, Object.entries(rule).sort(([a], [b]) => (a < b ? -1 : 1))]));
}

/** Code of the error that `work` throws. */
export function codeOf(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    return (error as Partial<DomainError>).code ?? String(error);
  }
}
