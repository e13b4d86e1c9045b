import type { Command, StartedBooking } from '../src/domain/commands.ts';
import { type Code, Refusal } from '../src/domain/refusal.ts';
import type { CommitResult, KnownKey } from '../src/ports/property-store.ts';
import type { Waiting } from './mailbox.ts';
import type { State } from './property/state.ts';
import type { Verdict } from './property/step.ts';

/** Tells the caller how its command ended, after the commit. */
export function answer(waiting: Waiting, verdict: Verdict): void {
  switch (verdict.kind) {
    case 'accepted':
      waiting.resolve({ seq: verdict.seq, result: verdict.decision.result, replayed: false });
      return;
    case 'refused':
      waiting.reject(withSeq(verdict.refusal, verdict.seq));
      return;
    case 'fault':
      waiting.reject(verdict.error);
      return;
  }
}

/**
 * Answers a command whose key was there before: the kept answer, or, while the first request has none yet, the hold
 * that it left, for the caller to go on with. Says whether the key was the command's.
 */
export function answerKnown(waiting: Waiting, known: KnownKey, state: State): boolean {
  const { key, subject } = waiting.envelope;
  if (!key || key.key !== known.key || subject !== known.subject) return false;
  if (key.fingerprint !== known.fingerprint)
    waiting.reject(new Refusal('IDEMPOTENCY_MISMATCH', 'The key was used for another request.', { seq: state.seq }));
  else if (!known.answer) resume(waiting, known, state);
  else if ('refusal' in known.answer) {
    const { refusal, requestId, seq } = known.answer;
    const details = { ...refusal.details, seq, requestId, replayed: true as const };
    waiting.reject(new Refusal(refusal.code as Code, refusal.detail, details));
  } else waiting.resolve({ seq: known.answer.seq, result: known.answer.result, replayed: true });
  return true;
}

function resume(waiting: Waiting, known: KnownKey, state: State): void {
  const hold = state.holds.get(known.ref);
  if (hold?.booking && hold.kind === 'PAYING') {
    const { reservation, attempt } = hold.booking;
    const result: StartedBooking = { holdId: hold.id, reservation, attempt, expiresAt: hold.expiresAt };
    waiting.resolve({ seq: state.seq, result, replayed: false });
    return;
  }
  const details = { seq: state.seq, retryAfterSeconds: 1 };
  waiting.reject(new Refusal('IDEMPOTENCY_IN_PROGRESS', 'The first request has not ended.', details));
}

type Rejected = Extract<CommitResult, { outcome: 'rejected' }>['reason'];

/** Why the database did not take a command that the actor had accepted. */
export function rejection(reason: Rejected): Refusal {
  if (reason === 'promo-code-taken')
    return new Refusal('PROMO_CODE_TAKEN', 'Another promotion of the tenant has this code.');
  if (reason === 'code-taken')
    return new Refusal('ALREADY_EXISTS', 'Another property of the tenant has this property code.');
  return new Refusal('NOT_EXECUTED', `Refused by the store: ${reason}.`, { extra: { reason } });
}

function withSeq(refusal: Refusal, seq: number): Refusal {
  refusal.details.seq ??= seq;
  return refusal;
}

/** The reservations that a command changes. */
export function references(command: Command): readonly string[] {
  if (command.type === 'ASSIGN_ROOMS') return command.assignments.map(({ reservationId }) => reservationId);
  return 'reservationId' in command ? [command.reservationId] : [];
}
