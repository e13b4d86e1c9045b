import fc from 'fast-check';

import type { Day } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { WaitlistId } from '../../src/kernel/rules/ids.ts';
import { Scene } from '../../src/testing/actors/scene.ts';
import { bookCommand, cancelCommand, DAY, freshId, stayWish } from '../../src/testing/property-world.ts';
import { waitlistWork } from '../property/holds/waitlist.ts';

/** Nights that everybody wants, so that many wait for the same ones. */
const NIGHTS = 3;
/** Rounds of offers after one move, at most. */
const MAX_ROUNDS = 3;

const MOVES = ['wait', 'wait', 'wait', 'book', 'book', 'book', 'cancel', 'leave'] as const;
export type WaitingMove = (typeof MOVES)[number];

/** Moves of guests for one room type, interpreted by the state at their time. */
export const waitingLives = fc.array(
  fc.record({
    what: fc.constantFrom(...MOVES),
    from: fc.nat(NIGHTS - 1),
    nights: fc.integer({ min: 1, max: NIGHTS }),
    which: fc.nat(99),
  }),
  { minLength: 20, maxLength: 40, size: 'max' },
);
type Move = typeof waitingLives extends fc.Arbitrary<(infer M)[]> ? M : never;

type Nights = { from: Day; to: Day };
type Request = Nights & { id: WaitlistId; hasRoom: boolean };

/** A room type with a waitlist, beside counting by hand: who has come first is offered a room first. */
export class WaitingLife {
  readonly #scene = Scene.property({ policies: { paymentRequired: false } });
  readonly #rooms = this.#scene.state.roomTypes.get('STD')!.totalRooms;
  readonly #booked = new Map<string, Nights>();
  /** In the order in which they came. */
  #requests: Request[] = [];

  /** @returns whether anything came of it @throws Error where the property and the count differ */
  play({ what, from, nights, which }: Move): boolean {
    const wanted = { from: DAY + 1 + from, to: DAY + 1 + Math.min(NIGHTS, from + nights) };
    const isDone = this.#carryOut(what, wanted, which);
    for (let round = 0; waitlistWork(this.#scene.state).now; round += 1) {
      if (round === MAX_ROUNDS) throw new Error('offers are due, and none is made');
      this.#scene.accept({ type: 'OFFER_WAITLIST' });
    }
    this.#offer();
    this.#compare();
    return isDone;
  }

  #carryOut(what: WaitingMove, wanted: Nights, which: number): boolean {
    const stay = { checkIn: wanted.from, checkOut: wanted.to };
    const reservationIds = [...this.#booked.keys()];
    const reservationId = reservationIds[which % Math.max(1, reservationIds.length)];
    const request = this.#requests[which % Math.max(1, this.#requests.length)];
    switch (what) {
      case 'wait': {
        const waitlistId = freshId() as WaitlistId;
        const guest = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
        const entry = { waitlistId, guest, stay: stayWish(stay) };
        const joined = this.#try('INVALID_STATE', this.#isFree(wanted), () =>
          this.#scene.accept({ type: 'JOIN_WAITLIST', entry }),
        );
        if (joined) this.#requests.push({ ...wanted, id: waitlistId, hasRoom: false });
        return joined !== undefined;
      }
      case 'book': {
        const booked = this.#try('ROOM_NOT_AVAILABLE', !this.#isFree(wanted), () =>
          this.#scene.accept(bookCommand({ stay })),
        );
        if (booked) this.#booked.set(booked.reservation.id, wanted);
        return booked !== undefined;
      }
      case 'cancel':
        if (reservationId === undefined) return false;
        this.#scene.accept(cancelCommand(reservationId));
        return this.#booked.delete(reservationId);
      case 'leave':
        if (!request) return false;
        this.#scene.accept({ type: 'LEAVE_WAITLIST', waitlistId: request.id });
        this.#requests = this.#requests.filter((one) => one !== request);
        return true;
    }
  }

  /** Rooms go to the first who can have one on all nights; who has none stays in place. */
  #offer(): void {
    for (const request of this.#requests) if (!request.hasRoom && this.#isFree(request)) request.hasRoom = true;
  }

  #compare(): void {
    const { waitlist } = this.#scene.state;
    const stored = this.#requests.map(({ id }) => waitlist.get(id)?.status);
    const counted = this.#requests.map(({ hasRoom }) => (hasRoom ? 'OFFERED' : 'WAITING'));
    if (stored.join() !== counted.join() || waitlist.size !== counted.length)
      throw new Error(`the requests are ${stored.join()} instead of ${counted.join()}`);
  }

  #isFree({ from, to }: Nights): boolean {
    const taken = [...this.#booked.values(), ...this.#requests.filter(({ hasRoom }) => hasRoom)];
    for (let day = from; day < to; day++)
      if (taken.filter((one) => one.from <= day && day < one.to).length >= this.#rooms) return false;
    return true;
  }

  /** Runs what the count says is accepted, or refused with a code. */
  #try<T>(code: string, isRefused: boolean, run: () => T): T | undefined {
    try {
      const result = run();
      if (isRefused) throw new Error(`accepted, where ${code} was due`);
      return result;
    } catch (error) {
      if (isRefused && error instanceof DomainError && error.code === code) return undefined;
      throw error;
    }
  }
}
