import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';

import { Authenticator } from '../../gateways/auth/authenticator.ts';
import { RateLimits } from '../../gateways/http/admission/rate-limit.ts';
import { createApp } from '../../gateways/http/app.ts';
import { stampEtag, stampSeq } from '../../gateways/http/exchange.ts';
import { type Idempotency, IdempotencyKey } from '../../gateways/http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../gateways/http/route.ts';
import { createdReservation } from '../../gateways/rest/stay/render/reservation.ts';
import { StoredGuests } from '../../src/guests/storage/guests.ts';
import type { Caller } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { PaymentSimulator } from '../../src/money/partners/payment-simulator.ts';
import { memoryCounters } from '../../src/platform/coordination/memory-counters.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { type CreateBody, createBody } from '../../src/stay/contracts/reservations.ts';
import { book, type Parts } from './bookings.ts';
import { RowLocks } from './row-locks.ts';

/**
 * The baseline of the paid booking: the service's HTTP stack, validation, guests, payment simulator, answers and
 * tables, but row locks instead of the property actor. Configured by its environment, started by `first/booking.ts`.
 */
const { DATABASE_URL = '', FOLDER = '', PROPERTY = '', CONNECTIONS = '2', TAX_PERCENT = '0', PORT } = process.env;
/** `first` locks the nights before the check for a room, `late` after all other rows. */
const LOCK_ORDER = process.env.LOCK_ORDER === 'first' ? 'first' : 'late';
const TENANT = 'demo';
const HOUR_MS = 3_600_000;

const database = await openDatabase(DATABASE_URL);
const locks = new RowLocks(DATABASE_URL, TENANT, Number(CONNECTIONS), LOCK_ORDER);
const parts: Parts = {
  locks,
  guests: new StoredGuests(database, [{ id: 'bench', secret: randomBytes(32) }]),
  payments: new PaymentSimulator(join(FOLDER, 'yardstick-payments.jsonl'), Date.now),
  prices: await locks.prices({ tenantId: TENANT, propertyId: PROPERTY }, 'DLX'),
  taxPercent: Number(TAX_PERCENT),
};

@Controller('api/v1/reservations')
class Bookings {
  @Post()
  @HttpCode(201)
  @Needs('reservation.create')
  async create(
    @TheCaller() caller: Caller,
    @Body({ schema: createBody }) body: CreateBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    if (!key)
      throw new DomainError('VALIDATION_FAILED', 'The yardstick wants an Idempotency-Key, as the load sends it.');
    const { reservation, seq } = await book(parts, caller, body, key);
    stampSeq(reply, seq);
    stampEtag(reply, reservation.version);
    reply.header('location', `/api/v1/reservations/${reservation.id}`);
    return createdReservation(reservation);
  }
}

const authenticator = new Authenticator(
  () => Promise.resolve({ issuer: 'bench', subject: 'bench', scopes: [], expiresAt: Date.now() + HOUR_MS }),
  { find: () => Promise.resolve({ userId: 'bench', role: 'OWNER', tenantStatus: 'ACTIVE' }) },
);
const limits = new RateLimits({ tenant: 0, subject: 0, address: 0 }, memoryCounters);
const app = await createApp({ controllers: [Bookings] }, { authenticator, limits, log: pino(), corsOrigins: [] });
await app.listen(Number(PORT), '127.0.0.1');
console.log('ready');
