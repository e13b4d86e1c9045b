import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { RoomFault } from '../../../src/kernel/rules/commands/stay.ts';
import { DomainError, orError } from '../../../src/kernel/rules/domain-error.ts';
import type { BookingFact } from '../../../src/kernel/rules/journal.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import { Draft } from '../draft.ts';
import { decideBook } from './booking.ts';
import { checkMaxTotal, checkTotal } from './terms.ts';

/** Books several rooms without a card, all of them or none (docs/reference/bookings.md#several-rooms). */
export function decideBookRooms(
  draft: Draft,
  command: CommandOf<'BOOK_ROOMS'>,
  context: DecisionContext,
): Decision<'BOOK_ROOMS'> {
  if (command.everyFault) checkEveryRoom(draft, command, context);
  const steps = (on: Draft): Booked[] => bookRooms(on, command, context);
  // Rooms that were all tried are not tried again.
  const isChecked = command.everyFault && command.maxTotal === undefined;
  const [first, ...others] = (isChecked ? steps(draft) : allOrNone(draft, steps)) as [Booked, ...Booked[]];
  const reservations = others.map(({ result }) => result.reservation);
  const bookings = [first, ...others].flatMap(factsOf(first.entity));
  return {
    result: { ...first.result, ...(reservations.length > 0 && { others: reservations }) },
    entity: first.entity,
    facts: { ...first.facts, bookings },
  };
}

type Booked = Decision<'BOOK'> & { result: { reservation: Reservation } };

function bookRooms(draft: Draft, command: CommandOf<'BOOK_ROOMS'>, context: DecisionContext): Booked[] {
  const booked = bookCommands(command).map((room, index) => forRoom(index, () => decideBook(draft, room, context)));
  checkTotalOf(
    booked.map(({ result }) => result.reservation),
    command.maxTotal,
  );
  return booked;
}

/** The commands that would book each room alone. */
function bookCommands({ rooms, guarantee, quota }: CommandOf<'BOOK_ROOMS'>): CommandOf<'BOOK'>[] {
  const limits = { ...(guarantee && { guarantee }), ...(quota && { quota }) };
  return rooms.map((room) => ({ type: 'BOOK', ...room, ...limits }));
}

/**
 * Tries all rooms, each after those before it, on a draft that is dropped.
 * @throws DomainError ROOMING_LIST_REJECTED with every room that is refused
 */
function checkEveryRoom(draft: Draft, command: CommandOf<'BOOK_ROOMS'>, context: DecisionContext): void {
  const commands = bookCommands(command);
  const faults = onCopy(draft, (copy) =>
    commands.flatMap((one, room) => {
      const booked = orError(() => decideBook(copy, one, context));
      return booked instanceof DomainError ? [faultOf(booked, room)] : [];
    }),
  );
  if (faults.length === 0) return;
  throw new DomainError('ROOMING_LIST_REJECTED', `${faults.length} of ${commands.length} lines cannot be booked.`, {
    extra: { rooms: faults },
  });
}

/** Why a room is refused. A command that has to read first is decided again as a whole. */
function faultOf(error: DomainError, room: number): RoomFault {
  if (error.code === 'NOT_EXECUTED') throw error;
  const { date, errors = [] } = error.details;
  const fields = errors.map(({ pointer = '', detail }) => `${pointer.split('/').at(-1)} ${detail}`);
  const detail = fields.length > 0 ? fields.join('; ') : error.message;
  return { room, code: error.code, detail, ...(date !== undefined && { date }) };
}

/** Facts of a decision in the journal row of another entity: they name their reservation. */
const factsOf =
  (entity: string) =>
  ({ facts, entity: own }: Booked): BookingFact[] =>
    (facts.bookings ?? []).map(([event, id, ...others]): BookingFact => [
      event,
      own === entity ? id : (id ?? own),
      ...others,
    ]);

/**
 * Decides several steps of a command, all or none: they are tried on a draft that is dropped, so that one that is
 * refused leaves no trace of those before it.
 */
export function allOrNone<T>(draft: Draft, steps: (on: Draft) => T): T {
  onCopy(draft, steps);
  return steps(draft);
}

/** Tries steps on a draft that is dropped; the records that they miss are read as if they had been decided. */
function onCopy<T>(draft: Draft, steps: (on: Draft) => T): T {
  const { seq, at, head } = draft.base;
  const copy = new Draft(draft.preview({ seq, at, head }));
  try {
    return steps(copy);
  } finally {
    for (const id of copy.missing) draft.missing.add(id);
  }
}

/**
 * @throws DomainError PRICE_CHANGED where all rooms together cost more than the guest wants to pay, VALIDATION_FAILED
 * where it is more than an amount can store
 */
export function checkTotalOf(rooms: readonly Reservation[], maxTotal: Minor | undefined): void {
  const total = checkTotal(rooms.flatMap(({ nights }) => nights));
  checkMaxTotal(rooms[0]!.currency, maxTotal, total);
}

/** Names the room in an error, counted from 0 as in the request. */
export function forRoom<T>(room: number, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (error instanceof DomainError) error.details.extra = { ...error.details.extra, room };
    throw error;
  }
}
