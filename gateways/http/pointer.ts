/** A place inside a JSON document, from its root. */
export type Path = readonly PropertyKey[];

/** RFC 6901: `['stayDetails', 'a/b', 0]` -> `/stayDetails/a~1b/0`; the whole document is the empty text. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at `path` of a document; `undefined` when there is none. */
export function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
