import type {
  Command,
  CommandOf,
  DryRun,
  Envelope,
  IdempotencyRecord,
  KeyClaim,
} from '../../src/kernel/rules/commands.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import { assertDocuments } from '../../src/money/rules/invoice-document.ts';
import { assertMoney } from '../../src/money/rules/money-fault.ts';
import type { KeyChange } from '../../src/property-store/ports.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import { chainHash } from './chain.ts';
import { decide } from './decide.ts';
import type { Decision, DecisionContext } from './decision.ts';
import { Draft, type ChainPosition } from './draft.ts';
import { postRevenue } from './otb-ledger.ts';
import { notePostingDays } from './posting-days.ts';
import type { State } from './state.ts';
import { detailsOf, paymentsOf } from './stay/booking-details.ts';

/** How one command of a batch ended; `seq` is that of the state it was decided on or made. */
export type Outcome =
  | { kind: 'accepted'; seq: number; decision: Decision }
  | { kind: 'refused'; seq: number; error: DomainError }
  | { kind: 'fault'; error: unknown };

/** A decided batch: what would be written, and the answers to give once it is. */
export type DecidedBatch = ChainPosition & { draft: Draft; entries: JournalEntry[]; outcomes: Outcome[] };

/** What ends an operation that a payment stands in the middle of: its key got no answer before. */
const ENDS = new Set<Command['type']>(['CONFIRM_BOOKING', 'ABANDON_BOOKING', 'END_PAYMENT']);

/** Decides a batch in order: `step(state, commands, now)` and nothing else, so that any run can be repeated. */
export function decideBatch(state: State, envelopes: readonly Envelope[], now: Instant): DecidedBatch {
  const draft = new Draft(state);
  const batch: DecidedBatch = { draft, entries: [], outcomes: [], seq: state.seq, at: state.at, head: state.head };
  for (const envelope of envelopes) batch.outcomes.push(decideOne(batch, state, envelope, now));
  return batch;
}

function decideOne(batch: DecidedBatch, state: State, envelope: Envelope, now: Instant): Outcome {
  const { command, subject, requestId, key } = envelope;
  const { draft } = batch;
  try {
    if (key && !ENDS.has(command.type) && draft.keys.has(keyId(subject, key.key)))
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with the same key came in the same moment.');
    const context = { now, subject, requestId, key };
    if (isDryRun(command)) return decideDryRun(draft, command, context);
    const decision = decide(draft, command, context);
    const fresh = draft.reservations.drainChanges();
    for (const change of fresh.values()) assertChange(change);
    postRevenue(draft, fresh.values());
    notePostingDays(draft, fresh.values());
    if (decision.dryRun) return { kind: 'accepted', seq: batch.seq, decision };
    const nth = batch.entries.length;
    const details = detailsOf(draft, command, decision, fresh);
    const told = { ...details, ...paymentsOf(command, fresh) };
    const facts = { ...decision.facts, ...told, ...draft.takeCells(), ...draft.takeBooks(), ...(nth > 0 && { nth }) };
    batch.seq += 1;
    batch.at = now;
    const body = { seq: batch.seq, at: now, type: command.type, subject, requestId, entity: decision.entity, facts };
    batch.head = chainHash(batch.head, state.address, body);
    batch.entries.push({ ...body, hash: batch.head, guestName: nameOf(fresh.get(decision.entity)?.after) });
    recordAnswer(draft, envelope, { result: decision.result, seq: batch.seq });
    return { kind: 'accepted', seq: batch.seq, decision };
  } catch (error) {
    if (!(error instanceof DomainError)) return { kind: 'fault', error };
    if (keeps(error)) recordAnswer(draft, envelope, { refusal: describe(error), requestId, seq: batch.seq });
    else if (key && !ENDS.has(command.type) && error.code !== 'IDEMPOTENCY_IN_PROGRESS') probe(draft, key, subject);
    return { kind: 'refused', seq: batch.seq, error };
  }
}

/** @throws MoneyFault */
function assertChange({ before, after }: { before: Reservation | undefined; after: Reservation }): void {
  assertMoney(after);
  assertDocuments(before, after);
}

/** Whether a command is a dry run. Changes of rates and of bookings handle their dry runs themselves. */
function isDryRun(command: Command): command is Extract<Command, DryRun> & { dryRun: true } {
  return 'dryRun' in command && command.dryRun === true && !WRITE_LAST.has(command.type);
}

const WRITE_LAST = new Set<Command['type']>(['MODIFY', 'SET_BASE_RATES']);

/** Carries a command out on a draft of its own, which nobody keeps: what comes of it is exactly what would come. */
function decideDryRun({ base, missing }: Draft, command: Command, context: DecisionContext): Outcome {
  const draft = new Draft(base);
  try {
    const { result, entity } = decide(draft, command, context);
    for (const change of draft.reservations.drainChanges().values()) assertChange(change);
    return { kind: 'accepted', seq: base.seq, decision: { result, entity, facts: {}, dryRun: true } };
  } finally {
    for (const id of draft.missing) missing.add(id);
  }
}

/** The guest of the reservation that a command was about, as a feed shows it to those who may see it. */
function nameOf(reservation: Reservation | undefined): string | undefined {
  const { firstName = '', lastName = '' } = reservation?.guest ?? {};
  return `${firstName} ${lastName}`.trim() || undefined;
}

/** A repeat may be refused for what its first request did, such as a version that has moved on. */
function probe(draft: Draft, key: KeyClaim, subject: string): void {
  const id = keyId(subject, key.key);
  if (!draft.keys.has(id)) draft.keys.set(id, { ...key, subject, phase: 'probe' });
}

function describe({ code, message, details }: DomainError): {
  code: string;
  detail: string;
  details: DomainError['details'];
} {
  return { code, detail: message, details };
}

/** Errors that an actor decided are recorded under their key: 409 and 422 (docs/reference/api.md#idempotency). */
function keeps(error: DomainError): boolean {
  if (error.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
  return error.kind === 'conflict' || error.kind === 'rule';
}

/** What a command leaves under its key: an answer, or a claim while an attempt to pay is under way. */
function recordAnswer(draft: Draft, { command, key, subject, requestId }: Envelope, answer: IdempotencyRecord): void {
  if (!key) return;
  const id = keyId(subject, key.key);
  // A repeat and the reconciler may end the same operation in one batch: the first of them did, and its answer stands.
  if (draft.keys.get(id)?.phase === 'end') return;
  const keep = (change: Pick<KeyChange, 'phase' | 'answer'>): void =>
    void draft.keys.set(id, { ...key, subject, ...change });
  if (!ENDS.has(command.type)) return keep(begins(answer) ? { phase: 'claim' } : { phase: 'whole', answer });
  if (!givesUp(command) || 'refusal' in answer) return keep({ phase: 'end', answer });
  if (!command.refusal) return keep({ phase: 'release' });
  const error = { code: 'PAYMENT_DECLINED', detail: command.refusal.detail, details: {} };
  keep({ phase: 'end', answer: { refusal: error, requestId, seq: answer.seq } });
}

/** The first answer is an attempt: another command will end it. */
function begins(answer: IdempotencyRecord): boolean {
  return 'result' in answer && (answer.result as { attempt?: unknown } | null)?.attempt !== undefined;
}

type GivesUp = CommandOf<'ABANDON_BOOKING' | 'END_PAYMENT'>;

/** The money did not come: declined, or somebody may begin anew under the same key. */
function givesUp(command: Command): command is GivesUp {
  if (command.type === 'ABANDON_BOOKING') return true;
  return command.type === 'END_PAYMENT' && command.payment.status !== 'COMPLETED';
}

/** One text for a key within its tenant. */
function keyId(subject: string, key: string): string {
  return `${subject}\n${key}`;
}
