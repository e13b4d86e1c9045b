import type { Answer } from '../client/http.ts';
import type { PlannedEvent } from './plan.ts';

export const KINDS = ['create', 'amend', 'cancel'] as const;
export type Kind = (typeof KINDS)[number];

/** An answer that neither the file nor a lack of rooms explains. */
export type Surprise = { kind: Kind; row: number; status: number; code: string; detail: string };

const KEPT_SURPRISES = 20;

/** What came of the requests of a replay. */
export class Tally {
  readonly done: Record<Kind, number> = { create: 0, amend: 0, cancel: 0 };
  /** By operation and code. */
  readonly refused: Record<Kind, Map<string, number>> = { create: new Map(), amend: new Map(), cancel: new Map() };
  /** Changes of bookings that were refused: there is nothing to change. */
  passedOver = 0;
  /** By status, or `connection`. */
  readonly repeated = new Map<string, number>();
  readonly times: Record<Kind, number[]> = { create: [], amend: [], cancel: [] };
  readonly surprises: Surprise[] = [];
  surprised = 0;

  accepted(kind: Kind, ms: number): void {
    this.done[kind] += 1;
    this.times[kind].push(ms);
  }

  /** Counts a refusal by its code, and as a surprise unless it was to be expected. */
  refusal(event: PlannedEvent, answer: Answer, ms: number): void {
    const problem = readProblem(answer);
    this.times[event.kind].push(ms);
    count(this.refused[event.kind], problem.code);
    if (isForeseen(event, answer.status, problem.code)) return;
    this.surprise(event, answer.status, problem.code, problem.detail);
  }

  surprise(event: PlannedEvent, status: number, code: string, detail: string): void {
    this.surprised += 1;
    if (this.surprises.length >= KEPT_SURPRISES) return;
    this.surprises.push({ kind: event.kind, row: event.planned.booking.row, status, code, detail });
  }

  repetition(reason: string): void {
    count(this.repeated, reason);
  }

  get answered(): number {
    return KINDS.reduce((sum, kind) => sum + this.times[kind].length, 0);
  }
}

/** A lack of rooms may refuse any sale; everything else must follow from what the file says. */
function isForeseen(event: PlannedEvent, status: number, code: string): boolean {
  if (event.kind === 'cancel') return false;
  const expected: ReadonlySet<string> = event.kind === 'create' ? event.planned.foreseen : new Set<string>();
  if (expected.has(code)) return true;
  return status === 409 && code === 'ROOM_NOT_AVAILABLE' && !expected.has('VALIDATION_FAILED');
}

function readProblem(answer: Answer): { code: string; detail: string } {
  try {
    const problem: { code?: unknown; detail?: unknown } = JSON.parse(answer.text);
    return { code: text(problem.code) ?? `HTTP_${answer.status}`, detail: text(problem.detail) ?? '' };
  } catch {
    return { code: `HTTP_${answer.status}`, detail: answer.text.slice(0, 200) };
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
