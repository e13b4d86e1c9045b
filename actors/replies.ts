import type { Command, CommandResults } from '../src/kernel/rules/commands.ts';
import { type Code, DomainError } from '../src/kernel/rules/domain-error.ts';
import type { CommitResult, KnownKey } from '../src/property-store/ports.ts';
import type { Waiting } from './mailbox.ts';
import type { Outcome } from './property/decide-batch.ts';
import type { State } from './property/state.ts';
import { startedBooking } from './property/stay/paid-booking.ts';

/** Answers the caller of a command after the commit. */
export function answer(waiting: Waiting, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'accepted':
      waiting.resolve({ seq: outcome.seq, result: outcome.decision.result, replayed: false });
      return;
    case 'refused':
      waiting.reject(withSeq(outcome.error, outcome.seq));
      return;
    case 'fault':
      waiting.reject(outcome.error);
      return;
  }
}

/**
 * Answers a command whose idempotency key is known: with the recorded answer, or, while the first request has none
 * yet, with its hold or payment attempt, which the caller continues.
 * @returns whether the key was the command's
 */
export function answerKnown(waiting: Waiting, known: KnownKey, state: State): boolean {
  const { key, subject } = waiting.envelope;
  if (!key || key.key !== known.key || subject !== known.subject) return false;
  if (key.fingerprint !== known.fingerprint)
    waiting.reject(
      new DomainError('IDEMPOTENCY_MISMATCH', 'The key was used for another request.', { seq: state.seq }),
    );
  else if (!known.answer) resume(waiting, known, state);
  else if ('refusal' in known.answer) {
    const { refusal: error, requestId, seq } = known.answer;
    const details = { ...error.details, seq, requestId, replayed: true as const };
    waiting.reject(new DomainError(error.code as Code, error.detail, details));
  } else waiting.resolve({ seq: known.answer.seq, result: known.answer.result, replayed: true });
  return true;
}

function resume({ envelope, resolve, reject }: Waiting, { ref }: KnownKey, state: State): void {
  const result = startedBooking(state, state.holds.get(ref)) ?? attemptOf(envelope.command, ref, state);
  if (result) return resolve({ seq: state.seq, result, replayed: false });
  const details = { seq: state.seq, retryAfterSeconds: 1 };
  reject(new DomainError('IDEMPOTENCY_IN_PROGRESS', 'The first request has not ended.', details));
}

/** The payment attempt that an earlier check-out or payment has started, in its current state. */
function attemptOf(command: Command, ref: string, { reservations }: State): Attempted | undefined {
  if (command.type !== 'CHECK_OUT' && command.type !== 'START_PAYMENT') return undefined;
  const reservation = reservations.get(command.reservationId);
  const attempt = reservation?.payments.find(({ paymentId }) => paymentId === ref);
  return reservation && attempt && { reservation, attempt };
}

type Attempted = CommandResults['START_PAYMENT'];

/** Rejects all callers of a batch with one error. */
export function rejectAll(batch: readonly Waiting[], code: Code, detail: string): void {
  for (const { reject } of batch) reject(new DomainError(code, detail, { retryAfterSeconds: 1 }));
}

type Rejected = Extract<CommitResult, { outcome: 'rejected' }>['reason'];

/** The error for a command that the actor accepted and the database rejected. */
export function rejection(reason: Rejected): DomainError {
  if (reason === 'promo-code-taken')
    return new DomainError('PROMO_CODE_TAKEN', 'Another promotion of the tenant has this code.');
  if (reason === 'external-id-taken') {
    const extra = { reason };
    return new DomainError('ALREADY_EXISTS', 'Another reservation of the channel has this external id.', { extra });
  }
  if (reason === 'terminal-reference-taken')
    return new DomainError('TERMINAL_REFERENCE_TAKEN', 'Another payment of the property has this slip.');
  if (reason === 'code-taken')
    return new DomainError('ALREADY_EXISTS', 'Another property of the tenant has this property code.');
  return new DomainError('NOT_EXECUTED', `Refused by the store: ${reason}.`, { extra: { reason } });
}

function withSeq(error: DomainError, seq: number): DomainError {
  error.details.seq ??= seq;
  return error;
}

/** Ids of the reservations that a command changes. */
export function references(command: Command): readonly string[] {
  if (command.type === 'ASSIGN_ROOMS') return command.assignments.map(({ reservationId }) => reservationId);
  return 'reservationId' in command ? [command.reservationId] : [];
}
