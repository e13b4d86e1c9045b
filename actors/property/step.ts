import type { Command, Envelope, KeptAnswer, KeyClaim, Tried } from '../../src/kernel/rules/commands.ts';
import { assertMoney } from '../../src/money/rules/folio.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import { Refusal } from '../../src/kernel/rules/refusal.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import type { KeyChange } from '../../src/property-store/ports.ts';
import { detailsOf, paymentsOf } from './stay/booking-details.ts';
import { chainHash } from './chain.ts';
import { type Decision, decide, type Turn } from './decide.ts';
import { Draft, type Position } from './draft.ts';
import { bookRevenue } from './night-books.ts';
import type { State } from './state.ts';

/** How one command of a batch ended; `seq` is that of the state it was decided on or made. */
export type Verdict =
  | { kind: 'accepted'; seq: number; decision: Decision }
  | { kind: 'refused'; seq: number; refusal: Refusal }
  | { kind: 'fault'; error: unknown };

/** A decided batch: what would be written, and the answers to give once it is. */
export type Step = Position & { draft: Draft; entries: JournalEntry[]; verdicts: Verdict[] };

/** What ends an operation that a payment stands in the middle of: its key got no answer before. */
const ENDS = new Set<Command['type']>(['CONFIRM_BOOKING', 'ABANDON_BOOKING', 'END_PAYMENT']);

/** Decides a batch in order: `step(state, commands, now)` and nothing else, so that any run can be repeated. */
export function step(state: State, envelopes: readonly Envelope[], now: Instant): Step {
  const draft = new Draft(state);
  const made: Step = { draft, entries: [], verdicts: [], seq: state.seq, at: state.at, head: state.head };
  for (const envelope of envelopes) made.verdicts.push(decideOne(made, state, envelope, now));
  return made;
}

function decideOne(made: Step, state: State, envelope: Envelope, now: Instant): Verdict {
  const { command, subject, requestId, key } = envelope;
  const { draft } = made;
  try {
    if (key && !ENDS.has(command.type) && draft.keys.has(keyId(subject, key.key)))
      throw new Refusal('IDEMPOTENCY_IN_PROGRESS', 'A request with the same key came in the same moment.');
    const turn = { now, subject, requestId, key };
    if (isTrial(command)) return trial(draft, command, turn);
    const decision = decide(draft, command, turn);
    const fresh = draft.reservations.takeFresh();
    for (const { after } of fresh.values()) assertMoney(after);
    bookRevenue(draft, fresh.values());
    if (decision.dryRun) return { kind: 'accepted', seq: made.seq, decision };
    const nth = made.entries.length;
    const details = detailsOf(draft, command, decision, fresh);
    const told = { ...details, ...paymentsOf(command, fresh) };
    const facts = { ...decision.facts, ...told, ...draft.takeCells(), ...draft.takeBooks(), ...(nth > 0 && { nth }) };
    made.seq += 1;
    made.at = now;
    const body = { seq: made.seq, at: now, type: command.type, subject, requestId, entity: decision.entity, facts };
    made.head = chainHash(made.head, state.address, body);
    made.entries.push({ ...body, hash: made.head, guestName: nameOf(fresh.get(decision.entity)?.after) });
    keepAnswer(draft, envelope, { result: decision.result, seq: made.seq });
    return { kind: 'accepted', seq: made.seq, decision };
  } catch (error) {
    if (!(error instanceof Refusal)) return { kind: 'fault', error };
    if (keeps(error)) keepAnswer(draft, envelope, { refusal: describe(error), requestId, seq: made.seq });
    else if (key && !ENDS.has(command.type) && error.code !== 'IDEMPOTENCY_IN_PROGRESS') probe(draft, key, subject);
    return { kind: 'refused', seq: made.seq, refusal: error };
  }
}

/** Whether a command only asks what it would do. Changes of rates and of bookings know themselves how not to write. */
function isTrial(command: Command): command is Extract<Command, Tried> & { dryRun: true } {
  return 'dryRun' in command && command.dryRun === true && !WRITE_LAST.has(command.type);
}

const WRITE_LAST = new Set<Command['type']>(['MODIFY', 'SET_BASE_RATES']);

/** Carries a command out on a draft of its own, which nobody keeps: what comes of it is exactly what would come. */
function trial({ base, missing }: Draft, command: Command, turn: Turn): Verdict {
  const draft = new Draft(base);
  try {
    const { result, entity } = decide(draft, command, turn);
    for (const { after } of draft.reservations.takeFresh().values()) assertMoney(after);
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

function describe({ code, message, details }: Refusal): {
  code: string;
  detail: string;
  details: Refusal['details'];
} {
  return { code, detail: message, details };
}

/** Refusals that an actor decided are kept under their key: 409 and 422 (docs/reference/api.md#idempotency). */
function keeps(refusal: Refusal): boolean {
  if (refusal.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
  return refusal.kind === 'conflict' || refusal.kind === 'rule';
}

/** What a command leaves under its key: an answer, or a claim while an attempt to pay is under way. */
function keepAnswer(draft: Draft, { command, key, subject, requestId }: Envelope, answer: KeptAnswer): void {
  if (!key) return;
  const id = keyId(subject, key.key);
  // A repeat and the reconciler may end the same operation in one batch: the first of them did, and its answer stands.
  if (draft.keys.get(id)?.phase === 'end') return;
  const keep = (change: Pick<KeyChange, 'phase' | 'answer'>): void =>
    void draft.keys.set(id, { ...key, subject, ...change });
  if (!ENDS.has(command.type)) return keep(begins(answer) ? { phase: 'claim' } : { phase: 'whole', answer });
  if (!givesUp(command) || 'refusal' in answer) return keep({ phase: 'end', answer });
  if (!command.refusal) return keep({ phase: 'release' });
  const refusal = { code: 'PAYMENT_DECLINED', detail: command.refusal.detail, details: {} };
  keep({ phase: 'end', answer: { refusal, requestId, seq: answer.seq } });
}

/** The first answer is an attempt: another command will end it. */
function begins(answer: KeptAnswer): boolean {
  return 'result' in answer && (answer.result as { attempt?: unknown } | null)?.attempt !== undefined;
}

type GivesUp = Extract<Command, { type: 'ABANDON_BOOKING' | 'END_PAYMENT' }>;

/** The money did not come: declined, or somebody may begin anew under the same key. */
function givesUp(command: Command): command is GivesUp {
  if (command.type === 'ABANDON_BOOKING') return true;
  return command.type === 'END_PAYMENT' && command.payment.status !== 'COMPLETED';
}

/** One text for a key within its tenant. */
export function keyId(subject: string, key: string): string {
  return `${subject}\n${key}`;
}
