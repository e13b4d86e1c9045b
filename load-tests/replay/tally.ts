import type { Answer } from '../client/http.ts';
import type { PlannedBooking, PlannedEvent } from './plan.ts';

export const KINDS = ['create', 'amend', 'cancel'] as const;
export type Kind = (typeof KINDS)[number];

/** An answer that neither the file nor a lack of rooms explains. */
export type Surprise<K extends string = Kind> = {
  kind: K;
  row: number;
  status: number;
  code: string;
  detail: string;
};

const LISTED_SURPRISES = 20;

/** Results of the requests of a replay, by kind. */
export class Tally<K extends string = Kind> {
  readonly done: Record<K, number>;
  /** By operation and code. */
  readonly refused: Record<K, Map<string, number>>;
  /** Changes of rejected bookings, which are skipped. */
  passedOver = 0;
  /** By status, or `connection`. */
  readonly repeated = new Map<string, number>();
  readonly times: Record<K, number[]>;
  readonly surprises: Surprise<K>[] = [];
  surprised = 0;
  readonly #kinds: readonly K[];

  constructor(kinds: readonly K[]) {
    this.#kinds = kinds;
    this.done = byKind(kinds, () => 0);
    this.refused = byKind(kinds, () => new Map());
    this.times = byKind(kinds, () => []);
  }

  accepted(kind: K, ms: number): void {
    this.done[kind] += 1;
    this.times[kind].push(ms);
  }

  /** Counts an error by its code, and as a surprise unless it was expected. */
  rejection(event: PlayedEvent<K>, answer: Answer, foreseen: (code: string) => boolean): void {
    const problem = readProblem(answer);
    this.times[event.kind].push(answer.ms);
    count(this.refused[event.kind], problem.code);
    if (!foreseen(problem.code)) this.surprise(event, answer.status, problem.code, problem.detail);
  }

  surprise(event: PlayedEvent<K>, status: number, code: string, detail: string): void {
    this.surprised += 1;
    if (this.surprises.length >= LISTED_SURPRISES) return;
    this.surprises.push({ kind: event.kind, row: event.planned.booking.row, status, code, detail });
  }

  repetition(reason: string): void {
    count(this.repeated, reason);
  }

  get answered(): number {
    return this.#kinds.reduce((sum, kind) => sum + this.times[kind].length, 0);
  }
}

type PlayedEvent<K> = { kind: K; planned: PlannedBooking };

/** One value for each kind. */
export function byKind<K extends string, V>(kinds: readonly K[], value: (kind: K) => V): Record<K, V> {
  const values = {} as Record<K, V>;
  for (const kind of kinds) values[kind] = value(kind);
  return values;
}

/** A lack of rooms may reject any sale; everything else must follow from the file. */
export function isForeseen(event: PlannedEvent, status: number, code: string): boolean {
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
