import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { dryRunQuery } from '../../src/kernel/contracts/fields.ts';
import type { Caller } from '../../src/kernel/rules/caller.ts';
import type { ReservationId } from '../../src/kernel/rules/ids.ts';
import { type Idempotency, idempotencyOf } from '../http/idempotency.ts';
import { callerOf, reading } from '../http/route.ts';
import { SchemaPipe } from '../http/validation.ts';
import { exchangeOf, type HttpResponse } from './answer.ts';
import { ifMatch } from './if-match.ts';

/** What every command about a reservation takes beside its body. */
type WriteOptions = { key: Idempotency | undefined; ifVersion: number | undefined; dryRun?: boolean };

/** Result of a command: the reservation as it is then, or its version alone. */
type Versioned = { version: number } | { reservation: { version: number } };

/** A write to the reservation that the path names. */
export type ReservationWrite = {
  caller: Caller;
  id: ReservationId;
  /** @throws DomainError STALE_VERSION when `If-Match` is no version; a wrong body is reported before. */
  readonly options: WriteOptions;
  response: HttpResponse;
  /** Awaits the command, and sets the headers of its answer; after a dry run no `ETag`. */
  send: <A extends { result: Versioned }>(command: Promise<A>) => Promise<A>;
};

/** Gives the handler its {@link ReservationWrite}; only on routes with `@Needs` and `:reservationId`. */
export const TheReservationWrite = reading(['Idempotency-Key', 'If-Match'], (context) =>
  writeOf(context, { takesDryRun: false }),
);

/** The same on routes that take `?dryRun=true`, which only returns the result. */
export const TheReservationWriteOrDryRun = reading(['dryRun', 'Idempotency-Key', 'If-Match'], (context) =>
  writeOf(context, { takesDryRun: true }),
);

/** Gives the handler the version that `If-Match` names. @throws DomainError STALE_VERSION when it is none */
export const TheVersion = reading(['If-Match'], (context) =>
  ifMatch(exchangeOf(context).request.headers['if-match']),
);

function writeOf(context: ExecutionContext, { takesDryRun }: { takesDryRun: boolean }): ReservationWrite {
  const { request, response } = exchangeOf(context);
  const { reservationId: id } = request.params as { reservationId: ReservationId };
  const caller = callerOf(request);
  const key = idempotencyOf(request);
  const dryRun = takesDryRun && isDryRun(request);
  return {
    caller,
    id,
    response,
    get options() {
      return { key, ifVersion: ifMatch(request.headers['if-match']), ...(takesDryRun && { dryRun }) };
    },
    async send(command) {
      const answer = await response.actor(command);
      const { result } = answer;
      if (!dryRun) response.version('reservation' in result ? result.reservation : result);
      return answer;
    },
  };
}

/** @throws DomainError VALIDATION_FAILED */
function isDryRun({ query }: FastifyRequest): boolean {
  const { dryRun } = new SchemaPipe().transform(query, { type: 'query', schema: dryRunQuery }) as { dryRun: boolean };
  return dryRun;
}
