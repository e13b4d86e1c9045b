import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import { Host } from '../../actors/host.ts';
import type { StoredGuests } from '../../src/guests/storage/guests.ts';
import type { Address, Caller } from '../../src/kernel/rules/caller.ts';
import type { Command, CommandResults, KeyClaim } from '../../src/kernel/rules/commands.ts';
import type { BookingRequest } from '../../src/kernel/rules/commands/stay.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { PaymentGateway } from '../../src/money/ports.ts';
import type { Payment } from '../../src/money/rules/payment.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { PostgresPropertyStore } from '../../src/property-store/storage/property-store.ts';
import { partyOfPersons } from '../../src/rates/rules/stay.ts';
import { confirmationNumber } from '../../src/stay/rules/confirmation-number.ts';
import { databaseReservationReader } from '../../src/stay/storage/reservation-reader.ts';
import { quiet } from '../../src/testing/actors/running-host.ts';
import { baseRates, envelope, property, plans, roomType } from '../../src/testing/property-world.ts';
import { book } from '../row-lock-baseline/bookings.ts';
import { type LockOrder, RowLocks } from '../row-lock-baseline/row-locks.ts';

export const TENANT = 'bench';
const RATE = 10_000;
const MANY_ROOMS = 60_000;
const LANES = 4;

/** A contender that books three nights of a type, paid at once, in two commits. */
export type Party = { book(stay: { roomType: string; checkIn: Day }): Promise<unknown> };

/** Actors on a real database, without HTTP. */
export class Actors implements AsyncDisposable {
  readonly host: Host;
  readonly #stack: AsyncDisposableStack;

  private constructor(host: Host, stack: AsyncDisposableStack) {
    this.host = host;
    this.#stack = stack;
  }

  static async open(databaseUrl: string): Promise<Actors> {
    const stack = new AsyncDisposableStack();
    const database = stack.use(await openDatabase(databaseUrl));
    const reservations = databaseReservationReader(database);
    const options = { databaseUrl, database, reservations, nodeId: 'bench' };
    const store = stack.use(new PostgresPropertyStore(options));
    const clock = { now: () => Date.now() };
    const host = stack.use(new Host({ store, clock, log: quiet, lanes: LANES, mayOwn: () => true }));
    return new Actors(host, stack);
  }

  /** A property with `types`, each with more rooms than a run can book, and every night stored. */
  async property(propertyId: string, today: Day, types: readonly string[]): Promise<Address> {
    const to = { tenantId: TENANT, propertyId };
    const policies = { horizonNights: 730, taxPercent: 6 };
    await this.send(to, { type: 'CREATE_PROPERTY', property: property({ propertyId, policies }), plans: plans() });
    for (const code of types) {
      await this.send(to, { type: 'PUT_ROOM_TYPE', roomType: roomType(code, MANY_ROOMS), mode: 'create' });
      await this.send(to, baseRates(code, RATE, today, today + 729));
      const nights = { roomType: code, start: today, end: today + 729 };
      await this.send(to, { type: 'SET_INVENTORY', ...nights, totalRooms: MANY_ROOMS });
    }
    return to;
  }

  send(to: Address, command: Command, key?: KeyClaim): ReturnType<Host['execute']> {
    return this.host.execute(to, { ...envelope(command, key), deadline: Date.now() + 60_000 });
  }

  party(to: Address): Party {
    return {
      book: async ({ roomType: code, checkIn }) => {
        const holdId = uuidv7();
        const key = { key: holdId, fingerprint: 'bench', ref: holdId };
        const attempt: Payment = { ...PAYMENT, paymentId: uuidv7(), createdAt: Date.now() };
        const request = requestOf(code, checkIn);
        const started = await this.send(to, { type: 'START_BOOKING', holdId, booking: request, attempt }, key);
        const { attempt: asked } = started.result as CommandResults['START_BOOKING'];
        const paid = { status: 'COMPLETED' as const, transactionId: `t-${asked.paymentId}`, processedAt: Date.now() };
        return this.send(to, { type: 'CONFIRM_BOOKING', holdId, payment: { ...asked, ...paid } }, key);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

const PAYMENT = { type: 'CHARGE', amount: 0, method: 'CREDIT_CARD', status: 'PROCESSING' } as const;

function requestOf(code: string, checkIn: Day): BookingRequest {
  const guestId = uuidv7();
  return {
    reservationId: uuidv7(),
    confirmationNumber: confirmationNumber(randomBytes(9)),
    guest: { guestId, firstName: 'Load', lastName: 'Tester', email: `${guestId}@example.com` },
    stay: { roomType: code, checkIn, checkOut: checkIn + 3, ...partyOfPersons(2), rateCode: 'BAR' },
    source: {},
    specialRequests: [],
    billing: { method: 'CREDIT_CARD' },
    personal: { guestId, name: 'sealed-by-nobody-but-as-long-as-if-it-were' },
    wrappedKey: 'bench.wrapped-by-nobody-but-as-long-as-if-it-were-so',
  };
}

/** Every charge succeeds at once. */
const paying = {
  name: 'bench',
  charge: async ({ attemptId }: { attemptId: string }) => ({
    outcome: 'CHARGED' as const,
    transactionId: `t-${attemptId}`,
    processedAt: Date.now(),
  }),
} as unknown as PaymentGateway;

/** The row-lock baseline without HTTP, with a property of its own. */
export async function rowLocks(
  databaseUrl: string,
  to: Address,
  connections: number,
  order: LockOrder = 'late',
): Promise<Party & AsyncDisposable> {
  const locks = new RowLocks(databaseUrl, TENANT, connections, order);
  const guests = {
    identify: async () => ({ guestId: uuidv7(), wrappedKey: 'bench.wrapped', seal: () => 'sealed' }),
  } as unknown as StoredGuests;
  const caller = { tenantId: TENANT, subject: 'tester', requestId: 'request-1' } as Caller;
  const prices = await locks.prices(to, 'A');
  return {
    book: ({ roomType: code, checkIn }) => {
      const id = uuidv7();
      const body = {
        propertyId: to.propertyId,
        guestInfo: { firstName: 'Load', lastName: 'Tester', email: `${id}@example.com` },
        stayDetails: { checkIn, checkOut: checkIn + 3, adults: 2, children: 0, roomType: code, rateCode: 'BAR' },
        paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
        specialRequests: [],
        source: {},
      } as unknown as Parameters<typeof book>[2];
      const parts = { locks, guests, payments: paying, prices, taxPercent: 6 };
      return book(parts, caller, body, { key: id, fingerprint: 'bench' });
    },
    [Symbol.asyncDispose]: () => locks[Symbol.asyncDispose](),
  };
}
