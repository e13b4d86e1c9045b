import { connect, type ConnectOptions } from '../../platform/database/connection.ts';

const WRITTEN_TABLES = ['reservations', 'payments', 'reservation_status_history', 'journal', 'guests', 'guest_keys'];

/**
 * Gathers statistics after a past was written: plans made for empty tables read them from end to end, and autovacuum
 * would come a minute later. @param ownerUrl login of the owner of the tables
 */
export async function analyzeTables(ownerUrl: string, Kind?: ConnectOptions['Client']): Promise<void> {
  const client = await connect(ownerUrl, 'innkeeper_owner', { answerWithinMs: 0, ...(Kind && { Client: Kind }) });
  try {
    await client.query(`analyze ${WRITTEN_TABLES.join(', ')}`);
  } finally {
    await client.end();
  }
}
