import type { Client } from 'pg';

import {
  type CommitArguments,
  inTransaction,
  ownedBy,
  POSITION,
  RELEASE,
  TAKE,
} from '../../demo/storage/write-past.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { COMMIT } from '../../property-store/storage/lists.ts';
import { takenOf, type TakenRow } from '../../property-store/storage/property-activation.ts';

const GUESTS = `
  insert into sandbox_guests (tenant_id, property_id, guest_id) select $1, $2, g::uuid from unnest($3::text[]) as g`;

/** The run must still be the one that writes; the row stays locked until the copy is there. */
const STILL = `select 1 from sandboxes where tenant_id = $1 and property_id = $2 and run = $3 for update`;

type WrittenBatch = { values: CommitArguments; guestIds: readonly string[]; seq: number };

/** Who writes: a node, and its run for a property. */
type Writer = { nodeId: string; of: Address; run: string };

/**
 * Writes a sandbox with its whole past in one transaction: it is there with all of it, or not at all.
 * @param client as innkeeper_app
 * @returns false when the id is used already, or another run has taken over
 */
export async function writeSandbox(
  client: Client,
  to: Address,
  { nodeId, of, run }: Writer,
  batches: AsyncIterable<WrittenBatch>,
): Promise<boolean> {
  const here = [to.tenantId, to.propertyId];
  return inTransaction(client, to, async () => {
    const { rows } = await client.query<TakenRow>(TAKE, [...here, nodeId]);
    const owned = takenOf(rows[0]!);
    if ('heldBy' in owned || owned.seq > 0) return false;
    let last = 0;
    for await (const { values, guestIds, seq } of batches) {
      await client.query(COMMIT, ownedBy(values, owned.epoch));
      await client.query(GUESTS, [...here, guestIds]);
      last = seq;
    }
    // Readers of the journal begin after it: nobody gets a mail of last year.
    await client.query(POSITION, [...here, last]);
    const released = [{ t: to.tenantId, p: to.propertyId, epoch: owned.epoch }];
    await client.query(RELEASE, [to.tenantId, nodeId, JSON.stringify(released)]);
    const { rows: still } = await client.query(STILL, [of.tenantId, of.propertyId, run]);
    return still.length > 0;
  });
}
