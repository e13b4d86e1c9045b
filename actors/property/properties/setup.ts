import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import { businessDate } from '../../../src/kernel/rules/property-time.ts';
import { isSandbox } from '../../../src/kernel/rules/sandbox-id.ts';
import { policyNamed } from '../../../src/properties/rules/cancellation-policy.ts';
import { clockOf, followingTenant, type Property, type Room } from '../../../src/properties/rules/property.ts';
import { BAR, type RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { releaseGroups } from '../groups/groups.ts';
import { endedHolds } from '../holds/holds.ts';
import { closeInquiries } from '../holds/inquiries.ts';
import { endWaitlist } from '../holds/waitlist.ts';
import { pricingOf } from '../rates/plans.ts';
import { forgetUnits } from '../rates/promotions.ts';
import { showRepriced } from '../rates/rate-plans.ts';
import { forgetRestrictions } from '../rates/restrictions.ts';
import { alignMaintenances, checkStates, endMaintenancesOf, followStates } from '../rooms/closed-rooms.ts';
import { connectedBothWays, withoutDoorTo } from '../rooms/connecting-doors.ts';
import { rollServices } from '../rooms/housekeeping.ts';
import { MAX_ROOMS, Slab } from '../slab.ts';
import { windowNights } from '../state.ts';
type Setup = NonNullable<Facts['setup']>;

const fact = (kind: Setup[0]['kind'], id: string, after: unknown, before?: unknown): Facts => ({
  setup: [{ kind, id, ...(before !== undefined && { before }), after }],
});

export function decideCreateProperty(
  draft: Draft,
  command: CommandOf<'CREATE_PROPERTY'>,
  context: DecisionContext,
): Decision<'CREATE_PROPERTY'> {
  if (draft.property) throw new DomainError('ALREADY_EXISTS', `The property ${draft.property.propertyId} exists.`);
  if (draft.base.seq > 0)
    throw new DomainError('ALREADY_EXISTS', 'A deleted property has this id; restore it instead.');
  checkPolicies(command.property, command.plans);
  draft.property = { ...command.property, createdAt: context.now, updatedAt: context.now };
  draft.propertyPut = true;
  draft.today = businessDate(context.now, clockOf(draft.property));
  draft.turnBooks();
  for (const plan of command.plans) draft.putPlan(plan);
  const { propertyId } = draft.property;
  return { result: draft.property, entity: propertyId, facts: fact('property', propertyId, draft.property) };
}

/** Updates time zone, currency and policies. A longer horizon opens nights without a rate. */
export function decideUpdateProperty(
  draft: Draft,
  command: Pick<CommandOf<'UPDATE_PROPERTY'>, 'property'>,
  context: DecisionContext,
): Decision<'UPDATE_PROPERTY'> & Decision<'FOLLOW_TENANT'> {
  const before = draft.property!;
  const { acceptanceRule } = before.metadata;
  const next: Property = {
    ...command.property,
    metadata: { ...command.property.metadata, ...(acceptanceRule && { acceptanceRule }) },
    createdAt: before.createdAt,
    updatedAt: context.now,
  };
  if (next.metadata.currency !== before.metadata.currency && draft.unfinished > 0)
    throw new DomainError('PROPERTY_IN_USE', 'The currency cannot change while there are unfinished reservations.');
  checkPolicies(next, [...draft.plans.values()]);
  draft.property = next;
  draft.propertyPut = true;
  const { today } = draft;
  draft.today = Math.max(today, businessDate(context.now, clockOf(next)));
  moveWindow(draft);
  // Another time zone or audit hour may have moved the business date.
  const aligned = [...alignMaintenances(draft, context), ...rollServices(draft, today, context)];
  refreshCells(draft, before, next);
  for (const [roomType, slab] of draft.slabs) keepLongWindow(draft, roomType, slab);
  const { setup = [] } = fact('property', next.propertyId, next, before);
  return { result: next, entity: next.propertyId, facts: { setup: [...setup, ...aligned] } };
}

/** Applies the tenant's policies where the property has none of its own; writes nothing when that changes nothing. */
export function decideFollowTenant(
  draft: Draft,
  { policies }: CommandOf<'FOLLOW_TENANT'>,
  context: DecisionContext,
): Decision<'FOLLOW_TENANT'> {
  const before = draft.property!;
  const property = followingTenant(before, policies);
  if (!property) return { result: before, entity: before.propertyId, facts: {}, dryRun: true };
  return decideUpdateProperty(draft, { property }, context);
}

/**
 * @throws DomainError VALIDATION_FAILED where the property or one of its plans names an undefined cancellation policy,
 * or a plan an undefined age band
 */
function checkPolicies({ metadata: { policies } }: Property, plans: readonly RatePlan[]): void {
  const refuse = (field: string, code: string, detail: string): never => {
    throw new DomainError('VALIDATION_FAILED', 'A policy is missing that is in use.', {
      errors: [{ pointer: `/metadata/policies/${field}`, code, detail }],
    });
  };
  if (!policyNamed(policies.cancellationPolicy, policies))
    refuse('cancellationPolicy', 'UNKNOWN_POLICY', 'is none of its cancellationPolicies');
  const left = plans.find((plan) => !policyNamed(plan.cancellationPolicy, policies));
  if (left)
    refuse('cancellationPolicies', 'IN_USE', `lacks ${left.cancellationPolicy}, which the plan ${left.code} has`);
  const bands = new Set(policies.ageBands.map(({ code }) => code));
  for (const { code, occupancyPricing = [] } of plans) {
    const used = occupancyPricing.flatMap((price) => Object.keys(price.bands));
    const lost = used.find((band) => !bands.has(band));
    if (lost !== undefined) refuse('ageBands', 'IN_USE', `lacks ${lost}, by which the plan ${code} prices children`);
  }
}

/** Drops cached prices and cells: they depend on taxes and limits of the policies. */
function refreshCells(draft: Draft, before: Property, next: Property): void {
  const moved = before.metadata.policies.overbookingLimit !== next.metadata.policies.overbookingLimit;
  for (const [roomType, slab] of draft.slabs) {
    draft.putSlab(roomType, slab.moved(slab.first, slab.nights));
    if (!moved) continue;
    for (let day = slab.first; slab.has(day); day++) if (slab.overbooking(day) === null) draft.touch(roomType, day);
  }
}

/** A sandbox goes with its guests: nobody waits for them. */
export function decideDeleteProperty(draft: Draft, context: DecisionContext): Decision<'DELETE_PROPERTY'> {
  const { propertyId } = draft.property!;
  const isInvented = isSandbox(propertyId);
  if (draft.unfinished > 0 && !isInvented)
    throw new DomainError('PROPERTY_IN_USE', `The property has ${draft.unfinished} unfinished reservations.`);
  // A pending payment must find its property again, so a property with open holds cannot be deleted.
  const ended = isInvented ? [...draft.holds].map(([, hold]) => hold) : endedHolds(draft);
  if (draft.holds.size > ended.length)
    throw new DomainError('PROPERTY_IN_USE', 'The property has open holds or payments under way.');
  for (const { id } of ended) draft.holds.delete(id);
  endWaitlist(draft, context.now);
  closeInquiries(draft, context.now);
  draft.removed = draft.property;
  draft.property = undefined;
  draft.propertyPut = true;
  return { result: null, entity: propertyId, facts: fact('property', propertyId, null, draft.removed) };
}

/**
 * Creates or replaces a room type. A changed count applies to every night of the window; a cut may leave a shortfall
 * (I1).
 */
export function decidePutRoomType(draft: Draft, command: CommandOf<'PUT_ROOM_TYPE'>): Decision<'PUT_ROOM_TYPE'> {
  const { roomType, mode } = command;
  const before = draft.roomTypes.get(roomType.roomType);
  if (mode === 'create' && before)
    throw new DomainError('ALREADY_EXISTS', `The room type ${roomType.roomType} exists.`);
  if (mode === 'replace' && !before)
    throw new DomainError('ROOM_TYPE_NOT_FOUND', 'The property has no such room type.');
  if (roomType.totalRooms > MAX_ROOMS)
    throw new DomainError('VALIDATION_FAILED', 'The type has too many rooms.', {
      errors: [{ pointer: '/totalRooms', code: 'TOO_BIG', detail: `must be at most ${MAX_ROOMS}` }],
    });
  draft.putRoomType(roomType);
  const slab = draft.slab(roomType.roomType);
  if (!slab) {
    // All types share one window, as the next activation will read them.
    const nights = [...draft.slabs.values()].map((other) => other.nights);
    const length = Math.max(windowNights(draft.property!), ...nights);
    const fresh = Slab.empty(roomType.roomType, draft.today, length, roomType.totalRooms);
    draft.putSlab(roomType.roomType, fresh);
    keepLongWindow(draft, roomType.roomType, fresh);
  } else if (before && before.totalRooms !== roomType.totalRooms)
    for (let day = slab.first; day < slab.first + slab.nights; day++)
      draft.editCell(roomType.roomType, day, (cells) => {
        cells.usual = roomType.totalRooms;
        cells.setTotal(day, roomType.totalRooms);
      });
  return {
    result: roomType,
    entity: roomType.roomType,
    facts: fact('roomType', roomType.roomType, roomType, before),
  };
}

export function decideRemoveRoomType(
  draft: Draft,
  command: CommandOf<'REMOVE_ROOM_TYPE'>,
): Decision<'REMOVE_ROOM_TYPE'> {
  const slab = draft.slab(command.roomType);
  if (!slab) throw new DomainError('ROOM_TYPE_NOT_FOUND', 'The property has no such room type.');
  for (let day = slab.first; day < slab.first + slab.nights; day++)
    if (slab.count(day, 'booked') + slab.count(day, 'held') + slab.count(day, 'group') > 0)
      throw new DomainError('PROPERTY_IN_USE', 'The room type has unfinished reservations or blocks of groups.');
  if ([...draft.rooms.values()].some(({ roomType }) => roomType === command.roomType))
    throw new DomainError('PROPERTY_IN_USE', 'The room type has rooms; remove them or give them another type first.');
  const before = draft.roomTypes.get(command.roomType);
  draft.removeRoomType(command.roomType);
  return { result: null, entity: command.roomType, facts: fact('roomType', command.roomType, null, before) };
}

export function decidePutRooms(
  draft: Draft,
  command: CommandOf<'PUT_ROOMS'>,
  context: DecisionContext,
): Decision<'PUT_ROOMS'> {
  for (const room of command.rooms) {
    const exists = draft.rooms.has(room.roomNumber);
    if (command.mode === 'create' && exists)
      throw new DomainError('ALREADY_EXISTS', `The room ${room.roomNumber} exists.`);
    if (command.mode === 'replace' && !exists)
      throw new DomainError('ROOM_NOT_FOUND', 'The property has no such room.');
    if (!draft.roomTypes.has(room.roomType))
      throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${room.roomType}.`);
  }
  const put = command.rooms.map((room): Room => {
    const before = draft.rooms.get(room.roomNumber);
    const { accessible = before?.accessible, connectsTo = before?.connectsTo, ...said } = room;
    const reservationId = before?.reservationId;
    return {
      status: before?.status ?? 'AVAILABLE',
      ...said,
      ...(accessible && { accessible }),
      ...(connectsTo && { connectsTo }),
      ...(reservationId !== undefined && { reservationId }),
      updatedAt: context.now,
    };
  });
  const { rooms, others } = connectedBothWays(draft, put);
  const said = rooms.filter((_, index) => command.rooms[index]!.status !== undefined);
  checkStates(draft, said);
  const setup = rooms.flatMap((room) => fact('room', room.roomNumber, room, draft.rooms.get(room.roomNumber)).setup!);
  for (const room of rooms) draft.putRoom(room);
  setup.push(...changedDoors(draft, others, context));
  setup.push(...followStates(draft, said, context));
  return { result: rooms, entity: rooms[0]?.roomNumber ?? '', facts: { setup } };
}

/** Stores rooms whose doors have changed with those of another. */
function changedDoors(draft: Draft, rooms: readonly Room[], { now: updatedAt }: DecisionContext): Setup {
  return rooms.flatMap((room) => {
    const after = { ...room, updatedAt };
    const { setup = [] } = fact('room', room.roomNumber, after, draft.rooms.get(room.roomNumber));
    draft.putRoom(after);
    return setup;
  });
}

/** Removes a room with its maintenances and its doors. */
export function decideRemoveRoom(
  draft: Draft,
  command: CommandOf<'REMOVE_ROOM'>,
  context: DecisionContext,
): Decision<'REMOVE_ROOM'> {
  const room = draft.rooms.get(command.roomNumber);
  if (!room) throw new DomainError('ROOM_NOT_FOUND', 'The property has no such room.');
  if (room.reservationId !== undefined) throw new DomainError('PROPERTY_IN_USE', 'A guest is in the room.');
  draft.removeRoom(command.roomNumber);
  const ended = endMaintenancesOf(draft, command.roomNumber, context);
  const { setup = [] } = fact('room', command.roomNumber, null, room);
  const others = changedDoors(draft, withoutDoorTo(draft, command.roomNumber), context);
  return { result: null, entity: command.roomNumber, facts: { setup: [...setup, ...others, ...ended] } };
}

/** Sets the state of a room; out of order takes it off sale from today on (docs/concepts/rooms.md#maintenance). */
export function decideSetRoomStatus(
  draft: Draft,
  command: CommandOf<'SET_ROOM_STATUS'>,
  context: DecisionContext,
): Decision<'SET_ROOM_STATUS'> {
  const room = draft.rooms.get(command.roomNumber);
  if (!room) throw new DomainError('ROOM_NOT_FOUND', 'The property has no such room.');
  const next = { ...room, status: command.status, notes: command.notes ?? room.notes, updatedAt: context.now };
  checkStates(draft, [next]);
  draft.putRoom(next);
  const { setup = [] } = fact('room', room.roomNumber, next, room);
  const followed = followStates(draft, [{ ...next, notes: command.notes }], context);
  return { result: next, entity: room.roomNumber, facts: { setup: [...setup, ...followed] } };
}

/**
 * Moves every slab to the window that begins today (docs/concepts/actor.md#time), and drops what belongs to past days.
 * The end of the window never moves back: nights sold beyond a shortened horizon stay in memory.
 */
export function moveWindow(draft: Draft): void {
  const bar = draft.plans.get(BAR);
  // Each night is one day closer, which may change its price.
  const byTheDay = bar !== undefined && pricingOf(draft.plans, bar).varies;
  for (const [roomType, slab] of draft.slabs) {
    const nights = Math.max(windowNights(draft.property!), slab.first + slab.nights - draft.today);
    if (slab.first === draft.today && slab.nights === nights) continue;
    draft.putSlab(roomType, slab.moved(draft.today, nights));
    if (byTheDay) showRepriced(draft, roomType, slab, draft.plans);
  }
  draft.turnBooks();
  releaseGroups(draft);
  forgetRestrictions(draft);
  forgetUnits(draft);
}

/** Writes the last night of a window that is longer than the horizon, so that the next activation finds its length. */
function keepLongWindow(draft: Draft, roomType: string, slab: Slab): void {
  if (slab.nights > windowNights(draft.property!)) draft.touch(roomType, slab.first + slab.nights - 1);
}
