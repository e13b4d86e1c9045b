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
import { followExtraStays } from './money/extra-stays.ts';
import { postRevenue } from './otb-ledger.ts';
import { notePostingDays } from './posting-days.ts';
import { followRooms } from './rooms/housekeeping.ts';
import type { State } from './state.ts';
import { detailsOf, paymentsOf } from './stay/booking-details.ts';

/**
 * Outcome of one command of a batch. `seq` is the number of the journal entry that it made, or of the state that it
 * was decided on.
 */
export type Outcome =
  | { kind: 'accepted'; seq: number; decision: Decision }
  | { kind: 'refused'; seq: number; error: DomainError }
  | { kind: 'fault'; error: unknown };

/** A decided batch: the entries to write, and the answers to give after the commit. */
export type DecidedBatch = ChainPosition & { draft: Draft; entries: JournalEntry[]; outcomes: Outcome[] };

/**
 * Commands that complete an operation with a payment in the middle. Its first command left a claim under the key, not
 * an answer.
 */
const COMPLETES_KEY = new Set<Command['type']>(['CONFIRM_BOOKING', 'ABANDON_BOOKING', 'END_PAYMENT']);

/**
 * Decides a batch in order. The result depends on state, commands and time alone, so that every run can be repeated.
 */
export function decideBatch(state: State, envelopes: readonly Envelope[], now: Instant): DecidedBatch {
  const batch = openBatch(state);
  for (const envelope of envelopes) batch.outcomes.push(decideNext(batch, envelope, now));
  return batch;
}

/** A batch without commands. */
export function openBatch(state: State): DecidedBatch {
  const draft = new Draft(state);
  return { draft, entries: [], outcomes: [], seq: state.seq, at: state.at, head: state.head };
}

/** Decides the next command of a batch, and adds its entry to it. */
export function decideNext(batch: DecidedBatch, envelope: Envelope, now: Instant): Outcome {
  const { command, subject, requestId, key } = envelope;
  const { draft } = batch;
  try {
    if (key && !COMPLETES_KEY.has(command.type) && draft.keys.has(keyId(subject, key.key)))
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with the same key came in the same moment.');
    const context = { now, subject, requestId, key };
    if (isDryRun(command)) return decideDryRun(draft, command, context);
    const { decision, fresh } = applyCommand(draft, command, context);
    if (decision.dryRun) return { kind: 'accepted', seq: batch.seq, decision };
    followRooms(draft, draft.takeRooms(), context);
    const details = detailsOf(draft, command, decision, fresh);
    const facts = { ...decision.facts, ...details, ...paymentsOf(command, fresh) };
    const guestName = nameOf(fresh.get(decision.entity)?.after);
    addEntry(batch, { at: now, type: command.type, subject, requestId, entity: decision.entity, facts, guestName });
    recordAnswer(draft, envelope, { result: decision.result, seq: batch.seq });
    return { kind: 'accepted', seq: batch.seq, decision };
  } catch (error) {
    if (!(error instanceof DomainError)) return { kind: 'fault', error };
    if (isRecorded(error))
      recordAnswer(draft, envelope, { refusal: describeError(error), requestId, seq: batch.seq });
    else if (key && !COMPLETES_KEY.has(command.type) && error.code !== 'IDEMPOTENCY_IN_PROGRESS')
      recordProbe(draft, key, subject);
    return { kind: 'refused', seq: batch.seq, error };
  }
}

/** What a command did to a draft. */
type Applied = { decision: Decision; fresh: ReturnType<Draft['reservations']['drainChanges']> };

/**
 * Decides a command on a draft, with what follows from its changes of reservations: extras of their nights, revenue on the
 * books, and the days of postings.
 * @throws DomainError of a refused command, with the draft as it was
 */
export function applyCommand(draft: Draft, command: Command, context: DecisionContext): Applied {
  const decision = decide(draft, command, context);
  const fresh = draft.reservations.drainChanges();
  const isImport = command.type === 'IMPORT_RESERVATIONS';
  for (const change of fresh.values()) assertChange(change, isImport);
  const extras = followExtraStays(draft, fresh.values());
  postRevenue(draft, fresh.values());
  // What is imported counts on the days that it says, and its invoices are those of the system before.
  if (!isImport) notePostingDays(draft, fresh.values());
  if (extras.length === 0) return { decision, fresh };
  const facts = { ...decision.facts, setup: [...(decision.facts.setup ?? []), ...extras] };
  return { decision: { ...decision, facts }, fresh };
}

/** Adds an entry to a batch, with the cells and the books that have changed since the entry before it. */
export function addEntry(batch: DecidedBatch, { guestName, ...entry }: Omit<JournalEntry, 'seq' | 'hash'>): void {
  const { draft } = batch;
  const nth = batch.entries.length;
  const facts = { ...entry.facts, ...draft.takeCells(), ...draft.takeBooks(), ...(nth > 0 && { nth }) };
  batch.seq += 1;
  batch.at = entry.at;
  const body = { ...entry, seq: batch.seq, facts };
  batch.head = chainHash(batch.head, draft.base.address, body);
  batch.entries.push({ ...body, hash: batch.head, guestName });
}

/** @throws MoneyFault */
function assertChange(
  { before, after }: { before: Reservation | undefined; after: Reservation },
  isImport = false,
): void {
  assertMoney(after);
  if (!isImport) assertDocuments(before, after);
}

/**
 * Whether a command is a dry run that is decided on a draft of its own. MODIFY and SET_BASE_RATES handle their dry
 * runs themselves.
 */
function isDryRun(command: Command): command is Extract<Command, DryRun> & { dryRun: true } {
  return 'dryRun' in command && command.dryRun === true && !OWN_DRY_RUN.has(command.type);
}

const OWN_DRY_RUN = new Set<Command['type']>(['MODIFY', 'SET_BASE_RATES']);

/** Decides a command on a draft that is discarded: the result is exactly that of the real command. */
function decideDryRun({ base, missing }: Draft, command: Command, context: DecisionContext): Outcome {
  const draft = new Draft(base);
  try {
    const { result, entity } = decide(draft, command, context);
    for (const change of draft.reservations.drainChanges().values())
      assertChange(change, command.type === 'IMPORT_RESERVATIONS');
    return { kind: 'accepted', seq: base.seq, decision: { result, entity, facts: {}, dryRun: true } };
  } finally {
    for (const id of draft.missing) missing.add(id);
  }
}

/** Guest name of the command's reservation, for feeds of those who may see it. */
function nameOf(reservation: Reservation | undefined): string | undefined {
  const { firstName = '', lastName = '' } = reservation?.guest ?? {};
  return `${firstName} ${lastName}`.trim() || undefined;
}

/**
 * Has the database check the key of a refused command: a repeat may be refused because of what its first request did,
 * such as a version that has moved on. The recorded answer then replaces the error.
 */
function recordProbe(draft: Draft, key: KeyClaim, subject: string): void {
  const id = keyId(subject, key.key);
  if (!draft.keys.has(id)) draft.keys.set(id, { ...key, subject, phase: 'probe' });
}

function describeError({ code, message, details }: DomainError): {
  code: string;
  detail: string;
  details: DomainError['details'];
} {
  return { code, detail: message, details };
}

/**
 * Whether an error is recorded under the idempotency key: conflicts (409) and broken rules (422) are
 * (docs/reference/api.md#idempotency).
 */
function isRecorded(error: DomainError): boolean {
  if (error.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
  return error.kind === 'conflict' || error.kind === 'rule';
}

/** Writes the idempotency record of a command: its answer, or a claim while a payment attempt is under way. */
function recordAnswer(draft: Draft, { command, key, subject, requestId }: Envelope, answer: IdempotencyRecord): void {
  if (!key) return;
  const id = keyId(subject, key.key);
  // A repeat and the reconciler may both complete the operation in one batch. The answer of the first stands.
  if (draft.keys.get(id)?.phase === 'end') return;
  const putKey = (change: Pick<KeyChange, 'phase' | 'answer'>): void =>
    void draft.keys.set(id, { ...key, subject, ...change });
  if (!COMPLETES_KEY.has(command.type))
    return putKey(isPaymentAttempt(answer) ? { phase: 'claim' } : { phase: 'whole', answer });
  if (!isAbandoned(command) || 'refusal' in answer) return putKey({ phase: 'end', answer });
  if (!command.refusal) return putKey({ phase: 'release' });
  const error = { code: 'PAYMENT_DECLINED', detail: command.refusal.detail, details: {} };
  putKey({ phase: 'end', answer: { refusal: error, requestId, seq: answer.seq } });
}

/** Whether the answer starts a payment attempt: another command then completes the key. */
function isPaymentAttempt(answer: IdempotencyRecord): boolean {
  return 'result' in answer && (answer.result as { attempt?: unknown } | null)?.attempt !== undefined;
}

type EndsPayment = CommandOf<'ABANDON_BOOKING' | 'END_PAYMENT'>;

/** Payment failed, or the attempt was abandoned. Without an error to record, the key is released for a new request. */
function isAbandoned(command: Command): command is EndsPayment {
  if (command.type === 'ABANDON_BOOKING') return true;
  return command.type === 'END_PAYMENT' && command.payment.status !== 'COMPLETED';
}

/** Map key of an idempotency key within its tenant. */
function keyId(subject: string, key: string): string {
  return `${subject}\n${key}`;
}
