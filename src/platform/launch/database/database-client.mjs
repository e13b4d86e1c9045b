/** A slow disk takes its time for a new database, which is a copy of files. */
const answerWithinMs = 60_000;

/**
 * Runs work as the superuser. The driver is loaded late: without node_modules the launcher must still be able to
 * report that.
 * @template T
 * @param {{ port: number, password: string }} address
 * @param {(ask: (sql: string) => Promise<Record<string, string>[]>) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withDatabase({ port, password }, work) {
  const { Client } = await import('pg');
  const login = { host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' };
  const client = new Client({ ...login, ssl: false, connectionTimeoutMillis: 3_000, query_timeout: answerWithinMs });
  // An idle connection that breaks reports here; the next query fails anyway.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}
