import type { InvoiceDocument } from '../../money/rules/invoice-document.ts';

/**
 * Checks the documents of a property as an auditor does, by plain counting: each number once, no number missing, and no
 * issued document ever changed.
 */
export class IssuedDocuments {
  readonly #known = new Map<string, string>();

  /** @param all documents issued by the property, in any order @returns one line per fault */
  check(all: readonly InvoiceDocument[]): string[] {
    const texts = new Map(all.map((document) => [document.number, textOf(document)]));
    const altered = [...this.#known].filter(([number, text]) => texts.get(number) !== text);
    for (const [number, text] of texts) this.#known.set(number, text);
    return [...altered.map(([number]) => `${number} was altered or is gone`), ...faultsOfNumbers(all)];
  }
}

/** Faults in the numbers of documents: repeated, missing, or out of order. */
export function faultsOfNumbers(all: readonly InvoiceDocument[]): string[] {
  const numbers = all.map(({ number }) => number);
  const twice = numbers.filter((number, n) => numbers.indexOf(number) !== n);
  const sequences = Map.groupBy(
    all.filter(({ serial }) => serial !== undefined),
    ({ kind, year }) => `${kind} of ${year}`,
  );
  const missing = [...sequences].flatMap(([name, documents]) => {
    const serials = new Set(documents.map(({ serial }) => serial!));
    const last = Math.max(...serials);
    const gaps = Array.from({ length: last }, (_, n) => n + 1).filter((serial) => !serials.has(serial));
    return gaps.map((serial) => `${name}: number ${serial} of ${last} is missing`);
  });
  return [...twice.map((number) => `${number} was given twice`), ...missing];
}

/** Sorts members, since a document may have come from a database. */
function textOf(document: InvoiceDocument): string {
  return JSON.stringify(document, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
