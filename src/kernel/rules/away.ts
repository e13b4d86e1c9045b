/** Codes of a socket, and classes of SQLSTATE, that say of a whole partner that it is not there at the moment. */
const SOCKET = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN|ADDR|NOENT)/;
const SQLSTATE = /^(08|53[013]|57P|25006)/;
/** What clients and pools say without a code. */
const WORDS =
  /connection (terminated|ended|timeout)|terminated unexpectedly|timeout exceeded when trying|read timeout|not queryable|service is stopping/i;

/** How far the causes of an error are followed. */
const MOST_CAUSES = 5;

/**
 * Whether an error says that the database is not there, or at least not for anybody: the next item would fail
 * the same way, after the same wait. Any other error is about the query.
 */
export function isAway(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < MOST_CAUSES; one = one.cause, depth++) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string' && (SOCKET.test(code) || SQLSTATE.test(code))) return true;
    if (WORDS.test(one.message)) return true;
  }
  return false;
}
