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
