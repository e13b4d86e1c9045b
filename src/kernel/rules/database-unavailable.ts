/** Socket error codes, and SQLSTATE classes, that mean an unavailable partner. */
const SOCKET = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN|ADDR|NOENT)/;
const SQLSTATE = /^(08|53[013]|57P|25006)/;
/** Messages of clients and pools without a code. */
const WORDS =
  /connection (terminated|ended|timeout)|terminated unexpectedly|timeout exceeded when trying|read timeout|not queryable|service is stopping/i;

/** Levels of causes that are searched. */
const MAX_CAUSES = 5;

/**
 * Whether an error means that the database is unavailable: the next item would fail too, after the same wait. Any
 * other error concerns the query.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < MAX_CAUSES; one = one.cause, depth++) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string' && (SOCKET.test(code) || SQLSTATE.test(code))) return true;
    if (WORDS.test(one.message)) return true;
  }
  return false;
}

/** PostgreSQL errors: disk full, and a transaction or server that may only be read. An error is a rollback. */
const READ_ONLY = new Set<unknown>(['53100', '25006']);

/** Detail of a problem when nothing can be written (docs/operations/storage.md#read-only). */
export const READ_ONLY_DETAIL =
  'The database takes no writes at the moment, for lack of disk space; nothing happened.';

/** @param code of an error of PostgreSQL */
export const isReadOnlyCode = (code: unknown): boolean => READ_ONLY.has(code);
