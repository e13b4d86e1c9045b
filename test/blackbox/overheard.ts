/** Something that a service under test said: an answer with its headers, a frame, a piece of its log. */
export type Overheard = {
  /** What it was, for a person. */
  what: string;
  /** The tenant of the recipient; none for output without one, such as metrics and logs. */
  tenant?: string;
  text: string;
};

const ears = new Set<(said: Overheard) => void>();

/** Lets somebody hear all that services say in this process. @returns how to stop */
export function listenIn(ear: (said: Overheard) => void): () => void {
  ears.add(ear);
  return () => void ears.delete(ear);
}

/** Called wherever the suite hears a service. */
export function overhear(said: Overheard): void {
  for (const ear of ears) ear(said);
}
