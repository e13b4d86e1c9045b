import type { Issue } from './field-errors.ts';

/**
 * Texts that PostgreSQL cannot store: NUL, or half of a surrogate pair. JSON allows both, so the edge rejects them.
 */
const SUSPECT = /[\0\ud800-\udfff]/;

/** Deepest nesting of a body; without a bound a hostile one would overflow the stack. */
const MAX_DEPTH = 32;

/** One issue per such text, including object keys, and for excessive nesting. */
export function unstorableIn(value: unknown): Issue[] {
  // Bytes are stored as they are.
  if (Buffer.isBuffer(value)) return [];
  return isClean(value, 0) ? [] : issuesIn(value, []);
}

/** Whether a value has no issue, which is nearly always so; decided without an allocation. */
function isClean(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  for (const key in value) {
    if (!isStorable(key) || !isClean((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function issuesIn(value: unknown, path: PropertyKey[]): Issue[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [refused(path)];
  if (typeof value !== 'object' || value === null) return [];
  if (path.length >= MAX_DEPTH) return [{ path: path.slice(0, 2), code: 'custom', message: 'is nested too deeply' }];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    return isStorable(key) ? issuesIn(inner, here) : [refused(path)];
  });
}

function isStorable(text: string): boolean {
  return !SUSPECT.test(text) || (!text.includes('\0') && text.isWellFormed());
}

function refused(path: PropertyKey[]): Issue {
  return { path, code: 'custom', message: 'has a character that cannot be stored' };
}
