import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

const PAUSE_MS = 50;

/** How long a database that is away is waited for. */
const MAX_MS = 120_000;

/** A session of the login user, outside row security, as soon as the database accepts one. @throws the last error */
export async function connected(databaseUrl: string): Promise<Client> {
  for (const until = performance.now() + MAX_MS; ;) {
    const client = new Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(PAUSE_MS);
    }
  }
}
