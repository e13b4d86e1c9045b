export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'slow'
  | 'conflict'
  | 'stale'
  | 'size'
  | 'media'
  | 'rule'
  | 'limit'
  | 'headers'
  | 'fault'
  | 'unavailable';

/** `kind` determines the HTTP status and the frame; `retryable` means that the same request may succeed later. */
type Entry = { kind: ErrorKind; title: string; cause: string; remedy: string; retryable?: true };

/** A row of the table; cause and remedy are served at `/problems/<slug>`. */
export function code(kind: ErrorKind, title: string, cause: string, remedy: string, retryable?: true): Entry {
  return { kind, title, cause, remedy, retryable };
}
