/** Generated names, because the file has none: the same row is always the same person. */
const FIRST = ['Ana', 'Bruno', 'Clara', 'Diogo', 'Elena', 'Filipe', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Katja'];
const LAST = ['Almeida', 'Baker', 'Costa', 'Dubois', 'Esteves', 'Ferreira', 'Garcia', 'Hansen', 'Ivanova'];

/** `guestInfo` of a row; example.com is reserved. */
export function guestOf(row: number): { firstName: string; lastName: string; email: string } {
  return {
    firstName: FIRST[row % FIRST.length] ?? 'Ana',
    lastName: `${LAST[row % LAST.length] ?? 'Almeida'}-${row}`,
    email: `guest-${row}@example.com`,
  };
}
