import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { createClient } from 'redis';

import { pause } from '../../test/blackbox/waiting.ts';
import { connected } from '../client/connected.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import type { Fault } from './fault.ts';

/** Longer than the sweeps and the shorter rounds need to reach it. */
const POISONED_MS = 10_000;
/** A property that no client uses. */
const POISONED = 'nemesis-poison';

/**
 * An unreadable row, for a while, of a property without bookings: all others must continue. Each stands for one kind of
 * row, and runs only on request (`--poison`).
 */
export const POISON_FAULTS: readonly Fault[] = [
  {
    name: 'a journal row that cannot be read',
    hitsNode: false,
    seconds: 10,
    needs: 'poison',
    run: ({ world }) => withRows(world, insertJournalRow),
  },
  {
    name: 'a property with an unreadable time zone',
    hitsNode: false,
    seconds: 10,
    needs: 'poison',
    run: ({ world }) => withRows(world, insertProperty),
  },
  {
    name: 'a job that is not JSON, in every queue',
    hitsNode: false,
    seconds: 10,
    needs: 'poison',
    run: ({ world }) => withJobs(world),
  },
];

type To = { tenantId: string; propertyId: string };

async function insertJournalRow(admin: Client, { tenantId, propertyId }: To): Promise<void> {
  await admin.query('insert into property_actor (tenant_id, property_id, seq) values ($1, $2, 1)', [
    tenantId,
    propertyId,
  ]);
  const facts = { bookings: 7, cells: 'none', holds: [null] };
  await admin.query(
    `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     values ($1, $2, 1, app_now(), 'CONFIRM_BOOKING', 'nemesis', 'nemesis', 'nemesis', $3, '')`,
    [tenantId, propertyId, JSON.stringify(facts)],
  );
}

/** Like any other property of the tenant, except for its time zone. */
async function insertProperty(admin: Client, { tenantId, propertyId }: To): Promise<void> {
  await admin.query(
    `insert into properties
     select (jsonb_populate_record(p, jsonb_build_object('property_id', $2::text, 'property_code', null,
       'metadata', p.metadata || '{"timezone": "Nowhere/At_All"}'))).*
     from properties p where p.tenant_id = $1 and p.deleted_at is null order by p.created_at limit 1`,
    [tenantId, propertyId],
  );
}

async function withRows(world: ClusterWorld, insert: (admin: Client, to: To) => Promise<void>): Promise<void> {
  const to = { tenantId: world.tenantId, propertyId: `${POISONED}-${randomUUID().slice(0, 8)}` };
  const admin = await connected(world.database.url);
  try {
    await insert(admin, to);
    await pause(POISONED_MS);
  } finally {
    for (const table of ['journal', 'relay_cursor', 'property_actor', 'properties'])
      await admin.query(`delete from ${table} where tenant_id = $1 and property_id = $2`, [
        to.tenantId,
        to.propertyId,
      ]);
    await admin.end();
  }
}

/** Waiting jobs as BullMQ has them: an id in a list, and a hash with their data. */
async function withJobs({ services }: ClusterWorld): Promise<void> {
  const client = createClient({ url: services.redis!.url });
  client.on('error', () => undefined);
  await client.connect();
  const id = `${POISONED}-${randomUUID()}`;
  const queues = (await client.keys('innkeeper:jobs:*:meta')).map((key) => key.slice(0, -':meta'.length));
  const job = {
    name: 'nemesis',
    data: 'not JSON {',
    opts: '{"attempts":1}',
    timestamp: Date.now(),
    delay: 0,
    priority: 0,
  };
  try {
    for (const queue of queues) {
      await client.hSet(`${queue}:${id}`, job);
      await client.lPush(`${queue}:wait`, id);
      await client.zAdd(`${queue}:marker`, { score: 0, value: '0' });
    }
    await pause(POISONED_MS);
  } finally {
    for (const queue of queues) {
      await client.del(`${queue}:${id}`);
      for (const list of ['wait', 'active', 'paused']) await client.lRem(`${queue}:${list}`, 0, id);
      for (const set of ['failed', 'completed', 'delayed']) await client.zRem(`${queue}:${set}`, id);
    }
    client.destroy();
  }
}
