import type { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ImportedLine, ImportRecord, ImportRun, ImportStore } from '../ports.ts';
import type { ImportKind } from '../rules/mapping.ts';

/** A line of an import: its number in all, and where it stands. */
export type LinePlace = { n: number; file: string; line: number; kind: ImportKind; externalId?: string };

/** Another node has taken the import, or the service ends: nothing more is written. */
export class ImportEnded extends Error {}

const MAX_REASON = 300;

/** Outcomes of lines that are not stored yet; stored together, so that a line has one outcome. */
export class ImportProgress {
  readonly #store: ImportStore;
  readonly #run: ImportRun;
  readonly #reported: Set<number>;
  #lines: ImportedLine[] = [];
  #records: ImportRecord[] = [];

  /** @param reported numbers of the lines that have an outcome already */
  constructor(store: ImportStore, run: ImportRun, reported: Iterable<number>) {
    this.#store = store;
    this.#run = run;
    this.#reported = new Set(reported);
  }

  has(n: number): boolean {
    return this.#reported.has(n);
  }

  note(
    { n, ...place }: LinePlace,
    outcome: ImportedLine['outcome'],
    more: Partial<Pick<ImportedLine, 'code' | 'reason' | 'recordId' | 'charges' | 'paid'>> = {},
  ): void {
    if (this.#reported.has(n)) return;
    this.#reported.add(n);
    const { reason } = more;
    const said = reason === undefined ? more : { ...more, reason: reason.slice(0, MAX_REASON) };
    this.#lines.push({ n, ...place, outcome, ...said });
  }

  refuse(place: LinePlace, { code, message: reason }: Pick<DomainError, 'code' | 'message'>): void {
    this.note(place, 'REFUSED', { code, reason });
  }

  remember(record: ImportRecord): void {
    this.#records.push(record);
  }

  /** Lines that wait to be stored. */
  get waiting(): number {
    return this.#lines.length;
  }

  /** @throws ImportEnded when the import is another node's */
  async store(): Promise<void> {
    if (this.#lines.length === 0 && this.#records.length === 0) return;
    const [lines, records] = [this.#lines, this.#records];
    [this.#lines, this.#records] = [[], []];
    if (!(await this.#store.keep(this.#run, lines, records))) throw new ImportEnded();
  }
}
