import fc from 'fast-check';
import t from 'tap';

import type { Command } from '../../../src/kernel/rules/commands.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  changedGroup,
  checkInCommand,
  checkOutCommand,
  group,
  modifyCommand,
  noShowCommand,
  plainRoom,
  reinstateCommand,
} from '../../../src/testing/property-world.ts';

const TYPES = ['STD', 'DLX'] as const;
const ROOMS = { STD: 3, DLX: 2 };
const NIGHTS = 12;
const OVERBOOKING = 1;

const blocksOf = fc.uniqueArray(
  fc.record({
    roomType: fc.constantFrom(...TYPES),
    offset: fc.integer({ min: 0, max: 9 }),
    rooms: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 6, selector: ({ roomType, offset }) => `${roomType} ${offset}` },
);
const moves = fc.array(
  fc.record({
    what: fc.constantFrom(
      ...([
        'create',
        'change',
        'change',
        'change',
        'delete',
        'book',
        'book',
        'book',
        'book',
        'plain',
        'plain',
        'plain',
      ] as const),
      ...([
        'cancel',
        'modify',
        'reinstate',
        'roll',
        'move',
        'move',
        'arrive',
        'arrive',
        'arrive',
        'leave',
        'leave',
        'miss',
        'miss',
      ] as const),
    ),
    which: fc.nat(20),
    roomType: fc.constantFrom(...TYPES),
    from: fc.integer({ min: 0, max: 9 }),
    nights: fc.integer({ min: 1, max: 4 }),
    cutoff: fc.integer({ min: 0, max: 6 }),
    shoulderNights: fc.record({ before: fc.nat(2), after: fc.nat(2) }),
    blocks: blocksOf,
  }),
  { maxLength: 50, size: 'max' },
);
type Move = typeof moves extends fc.Arbitrary<(infer M)[]> ? M : never;

/** What was agreed on with a group, as it was last accepted. */
type Agreed = { cutoff: Day; rooms: Map<string, number> };

/** A property played at random, and what a clerk with paper and pencil would note of it. */
class Desk {
  readonly scene = Scene.property({
    policies: { paymentRequired: false, horizonNights: NIGHTS, overbookingLimit: OVERBOOKING },
  });
  readonly groups = new Map<string, Agreed>();

  constructor() {
    const rooms = TYPES.flatMap((roomType) =>
      Array.from({ length: ROOMS[roomType] }, (_, n) => plainRoom(`${roomType}${n}`, { roomType })),
    );
    for (const room of rooms) this.scene.accept({ type: 'PUT_ROOMS', rooms: [room], mode: 'create' });
  }

  readonly deleted = new Set<string>();
  readonly stays = new Map<string, Reservation>();

  /** Whether the move was accepted. */
  play(move: Move): boolean {
    const command = this.#commandOf(move);
    if (command === undefined) return false;
    try {
      this.#send(command);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  #send(command: Command): void {
    this.scene.accept(command);
    this.#note(command);
  }

  #commandOf({ what, which, roomType, from, nights, cutoff, shoulderNights, blocks }: Move): Command | undefined {
    const { today } = this.scene.state;
    const stay = { roomType, checkIn: today + from, checkOut: today + from + nights };
    const wish = {
      cutoff: today + cutoff,
      shoulderNights,
      blocks: blocks.map(({ offset, ...block }) => ({ ...block, day: today + offset, rate: 7_000 })),
    };
    const groupId = pick([...this.groups.keys(), ...this.deleted], which);
    const reservation = pick([...this.stays.values()], which);
    switch (what) {
      case 'create':
        return group(1, wish);
      case 'change':
        return groupId === undefined ? undefined : changedGroup(groupId, wish);
      case 'delete':
        return groupId === undefined ? undefined : { type: 'DELETE_GROUP', groupId };
      case 'book':
        return groupId === undefined ? undefined : bookCommand({ stay: this.#near(groupId, which) ?? stay, groupId });
      case 'plain':
        return bookCommand({ stay });
      case 'cancel':
        return reservation && cancelCommand(reservation.id);
      case 'modify':
        return reservation && modifyCommand(reservation.id, stay);
      case 'reinstate':
        return reservation && reinstateCommand(reservation.id);
      case 'move': {
        const roomNumber = `${roomType}${which % ROOMS[roomType]}`;
        return reservation && { type: 'ASSIGN_ROOM', reservationId: reservation.id, roomNumber };
      }
      case 'arrive': {
        const guest = pick(
          this.#with('CONFIRMED').filter(({ stay: { checkIn } }) => checkIn <= today),
          which,
        );
        return guest && checkInCommand(guest.id);
      }
      case 'leave': {
        const guest = pick(this.#with('CHECKED_IN'), which);
        return guest && checkOutCommand(guest.id, { forced: true });
      }
      case 'miss':
        return reservation && noShowCommand(reservation.id);
      case 'roll':
        // Nobody overstays.
        for (const { id, status, stay: of } of this.stays.values())
          if (status === 'CHECKED_IN' && of.checkOut <= today + 1) this.#send(checkOutCommand(id, { forced: true }));
        for (const { roomNumber, status } of this.scene.state.rooms.values())
          if (status === 'DIRTY') this.scene.accept({ type: 'SET_ROOM_STATUS', roomNumber, status: 'CLEAN' });
        this.scene.pass(86_400_000);
        return { type: 'TICK' };
    }
  }

  /** Those of groups first: they are fewer. */
  #with(status: Reservation['status']): Reservation[] {
    const found = [...this.stays.values()].filter((one) => one.status === status);
    return found.sort((a, b) => Number(b.groupId !== undefined) - Number(a.groupId !== undefined));
  }

  /** A stay that begins at a block of the group, or a night before it. */
  #near(groupId: string, which: number): { roomType: string; checkIn: Day; checkOut: Day } | undefined {
    const { today } = this.scene.state;
    const coming = [...(this.groups.get(groupId)?.rooms.keys() ?? [])].filter((key) => dayIn(key) >= today);
    const key = pick(coming, which);
    if (key === undefined) return undefined;
    const checkIn = dayIn(key) - (which % 2);
    return { roomType: key.split(' ')[0]!, checkIn, checkOut: checkIn + 1 + (which % 3) };
  }

  #note(command: Command): void {
    const { today } = this.scene.state;
    if (command.type === 'CREATE_GROUP' || command.type === 'CHANGE_GROUP') {
      const old = [...(this.groups.get(command.groupId)?.rooms ?? [])].filter(([key]) => dayIn(key) < today);
      const named = command.blocks.map(({ roomType, day, rooms }): [string, number] => [`${roomType} ${day}`, rooms]);
      this.groups.set(command.groupId, { cutoff: command.cutoff, rooms: new Map([...old, ...named]) });
    } else if (command.type === 'DELETE_GROUP') {
      this.groups.delete(command.groupId);
      this.deleted.add(command.groupId);
    }
    for (const reservation of this.scene.last.draft.reservations.put()) this.stays.set(reservation.id, reservation);
    // A guest who is moved to another type where the block is used up is one more that the group has there.
    for (const [groupId, { rooms }] of this.groups)
      for (const [key, agreed] of rooms) rooms.set(key, Math.max(agreed, this.#living(groupId, key).length));
  }

  /** Stays of a night and type, of a group or of all. */
  #living(of: string | undefined, key: string): Reservation[] {
    const [roomType, day] = [key.split(' ')[0], dayIn(key)];
    return [...this.stays.values()]
      .filter(({ status }) => status === 'CONFIRMED' || status === 'CHECKED_IN')
      .filter(({ stay }) => stay.roomType === roomType && stay.checkIn <= day && day < stay.checkOut)
      .filter(({ groupId }) => of === undefined || groupId === of);
  }

  /** Rooms that the groups still keep on a night, and rooms that are booked. */
  counted(roomType: string, day: Day): { group: number; booked: number } {
    const { today } = this.scene.state;
    const key = `${roomType} ${day}`;
    const left = [...this.groups].map(([groupId, { cutoff, rooms }]) => {
      const agreed = rooms.get(key);
      if (agreed === undefined || cutoff < today) return 0;
      return agreed - this.#living(groupId, key).length;
    });
    return { group: left.reduce((sum, rooms) => sum + rooms, 0), booked: this.#living(undefined, key).length };
  }
}

const dayIn = (key: string): Day => Number(key.split(' ')[1]);
const pick = <T>(all: readonly T[], which: number): T | undefined => all[which % Math.max(1, all.length)];

void t.test(
  'the blocked rooms of every night are what is left of the blocks, and no night is oversold',
  async (t) => {
    const accepted = new Map<string, number>();
    fc.assert(
      fc.property(moves, (played) => {
        const desk = new Desk();
        for (const move of played) {
          if (desk.play(move)) accepted.set(move.what, (accepted.get(move.what) ?? 0) + 1);
          const { slabs, today } = desk.scene.state;
          for (const roomType of TYPES)
            for (let day = today; day < today + NIGHTS; day++) {
              const slab = slabs.get(roomType)!;
              const { group: left, booked } = desk.counted(roomType, day);
              const stored = [slab.count(day, 'group'), slab.count(day, 'booked'), slab.count(day, 'held')];
              if (stored[0] !== left || stored[1] !== booked || stored[2] !== 0 || left < 0) return false;
              const free = ROOMS[roomType] + OVERBOOKING - booked - left;
              if (free < 0 || slab.free(day, OVERBOOKING) !== free) return false;
            }
        }
        return true;
      }),
      { numRuns: 600 },
    );
    for (const what of [
      'create',
      'change',
      'delete',
      'book',
      'plain',
      'cancel',
      'modify',
      'reinstate',
      'roll',
      'move',
      'arrive',
      'leave',
      'miss',
    ])
      t.ok((accepted.get(what) ?? 0) > 20, `${what}: ${accepted.get(what)} were accepted`);
  },
);
