import type { FastifyReply } from 'fastify';

import type { Done } from '../../src/kernel/rules/administration.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import { addTiming, stampEtag, stampSeq } from '../http/exchange.ts';

/** Injection token of the operations' services. */
export const SERVICES = Symbol('services');

/**
 * Waits for the part of an answer that `Server-Timing` names: the actor, or the database
 * (docs/reference/api.md#every-answer).
 */
export async function timed<T>(reply: FastifyReply, part: 'actor' | 'db', work: Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work;
  } finally {
    addTiming(reply, part, performance.now() - began);
  }
}

/** Headers of every answer of an actor: its position, and whether it is an idempotency record given again. */
export function stamp(reply: FastifyReply, answer: { seq: number; replayed?: boolean }): void {
  stampSeq(reply, answer.seq);
  stampReplay(reply, answer);
}

/** Says of an answer that was kept that it is given again (docs/reference/api.md#idempotency). */
export function stampReplay(reply: FastifyReply, { replayed }: { replayed?: boolean }): void {
  if (replayed) reply.header('idempotency-replayed', 'true');
}

/** The result of a write beside the actors, with the headers of its answer. */
export function stamped<T>(reply: FastifyReply, done: Done<T>): T {
  stampReplay(reply, done);
  return done.result;
}

/**
 * Headers of an answer about one reservation: also the version that it has, as its `ETag`
 * (docs/reference/api.md#versions).
 */
export function stampReservation(
  reply: FastifyReply,
  answer: Parameters<typeof stamp>[1],
  { version }: Pick<Reservation, 'version'>,
): void {
  stamp(reply, answer);
  stampEtag(reply, version);
}

/** Headers of an answer about a reservation that was changed, or only tried: what would come of it has no version. */
export function stampDryRun(
  reply: FastifyReply,
  answer: Parameters<typeof stamp>[1] & { result: { reservation: Reservation } },
  dryRun: boolean,
): void {
  if (dryRun) stamp(reply, answer);
  else stampReservation(reply, answer, answer.result.reservation);
}

/** The version that `If-Match` names; `undefined` without the header or for `*`. @throws DomainError STALE_VERSION */
export function ifMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const match = /^"(\d{1,9})"$/.exec(header.trim());
  if (!match) throw new DomainError('STALE_VERSION', 'If-Match is not an ETag of ours.');
  return Number(match[1]);
}

/** `{items, nextCursor}` with the next page as a link (docs/reference/api.md#lists). */
export function listAnswer<T>(
  reply: FastifyReply,
  url: string,
  items: T[],
  nextCursor: string | undefined,
): { items: T[]; nextCursor: string | null } {
  if (nextCursor !== undefined) {
    const [path, query] = url.split('?', 2);
    const parameters = new URLSearchParams(query);
    parameters.set('cursor', nextCursor);
    reply.header('link', `<${path}?${parameters.toString()}>; rel="next"`);
  }
  return { items, nextCursor: nextCursor ?? null };
}
