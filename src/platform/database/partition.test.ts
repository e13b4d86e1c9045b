import type { Client } from 'pg';
import t from 'tap';

import { databaseOutbox } from '../../events/storage/outbox.ts';
import type { BackgroundPartition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { StoredOpenPayments } from '../../money/storage/open-payments.ts';
import { StoredHolds } from '../../stay/storage/hold-sweep.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import { connect } from './connection.ts';
import { openDatabase } from './database.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const system: Client = await connect(url, 'innkeeper_system');
t.teardown(async () => {
  await system.end();
  await database[Symbol.asyncDispose]();
});
const NOW = Date.parse('2026-06-01T10:00:00Z');

/** A property with all that sweeps look for: a hold that has run out, one that is paying, an attempt and a refund. */
async function property(owner: string | undefined): Promise<string> {
  const { tenantId, propertyId } = await storedProperty(admin);
  const values = [tenantId, propertyId];
  await admin.query(
    'insert into property_actor (tenant_id, property_id, epoch, seq, owner_node) values ($1, $2, 1, 1, $3)',
    [...values, owner],
  );
  await admin.query(
    `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     values ($1, $2, 1, now(), 'TICK', 's', 'r', 'e', '{}', 'h')`,
    values,
  );
  for (const kind of ['EXPLICIT', 'PAYING'])
    await admin.query(
      `insert into holds (tenant_id, property_id, id, kind, room_type, check_in, check_out, expires_at, created_at)
       values ($1, $2, gen_random_uuid(), $3, 'STD', '2026-07-01', '2026-07-02', to_timestamp($4), to_timestamp($4))`,
      [...values, kind, NOW / 1_000 - 60],
    );
  return propertyId;
}

async function alive(nodeId: string, seconds: number): Promise<void> {
  await admin.query(
    `insert into system.cluster_node (node_id, lease_until, lock_key)
     values ($1, clock_timestamp() + $2 * interval '1 second', hashtext($1))
     on conflict (node_id) do update set lease_until = excluded.lease_until`,
    [nodeId, seconds],
  );
}

/** What a node finds, by who owns it. */
async function found(
  share: BackgroundPartition,
  names: ReadonlyMap<string, string>,
  limit = 100,
): Promise<Record<string, string[]>> {
  const holds = new StoredHolds(async () => system, database, share);
  const relay = databaseOutbox(async () => system, share);
  const named = (all: Address[]): string[] =>
    [...new Set(all.map(({ propertyId }) => names.get(propertyId)!))].toSorted();
  return {
    expired: named(await holds.expired(NOW, limit)),
    unsettled: named((await holds.unsettled(NOW, limit)).map(({ to }) => to)),
    behind: named((await relay.behind(limit)).map(({ to }) => to)),
  };
}

t.test(
  'a node sees to its own, to what no node alive owns where it takes it, and never to that of others',
  async (t) => {
    await alive('me', 60);
    await alive('other', 60);
    await alive('dead', -1);
    const names = new Map<string, string>();
    for (const owner of ['me', 'other', 'dead', 'unheard-of', undefined])
      names.set(await property(owner), owner ?? 'nobody');
    const all = (list: string[]) => ({ expired: list, unsettled: list, behind: list });
    t.same(await found({ nodeId: 'me', takes: () => true }, names), all(['dead', 'me', 'nobody', 'unheard-of']));
    t.same(await found({ nodeId: 'me', takes: () => false }, names), all(['me']));
    const takesDead: BackgroundPartition = {
      nodeId: 'me',
      takes: ({ propertyId }) => names.get(propertyId) === 'dead',
    };
    t.same(await found(takesDead, names), all(['dead', 'me']));
    t.same(await found({ ...takesDead, nodeId: 'other' }, names), all(['dead', 'other']));
    t.same(await found({ nodeId: 'me', takes: () => true }, names, 1), all(['me']), 'its own come first');
    await alive('other', -1);
    t.same(
      await found({ nodeId: 'me', takes: () => true }, names),
      all(['dead', 'me', 'nobody', 'other', 'unheard-of']),
    );
  },
);

t.test('payments without an end likewise', async (t) => {
  await alive('me', 60);
  await alive('other', 60);
  await admin.query(`insert into tenants (tenant_id, name) values ('acme', 'Acme')`);
  const names = new Map<string, string>();
  for (const owner of ['me', 'other', 'dead', undefined]) {
    const propertyId = await property(owner);
    names.set(propertyId, owner ?? 'nobody');
    const { rows } = await admin.query<{ id: string }>('select gen_random_uuid() as id');
    await paying(propertyId, rows[0]!.id);
  }
  const attempts = async (share: BackgroundPartition): Promise<string[]> =>
    (await new StoredOpenPayments(async () => system, database, share).attempts('acme', NOW, 100))
      .map(({ to }) => names.get(to.propertyId)!)
      .toSorted();
  t.same(await attempts({ nodeId: 'me', takes: () => true }), ['dead', 'me', 'nobody']);
  t.same(await attempts({ nodeId: 'me', takes: () => false }), ['me']);
  t.same(await attempts({ nodeId: 'other', takes: () => false }), ['other']);
});

/** A reservation with an attempt to pay, past the triggers and checks that only actors satisfy. */
async function paying(propertyId: string, id: string): Promise<void> {
  await admin.query('begin');
  await admin.query(`set local session_replication_role = replica`);
  await admin.query(
    `insert into reservations (tenant_id, id, property_id, confirmation_number, status, check_in, check_out, nights,
       adults, currency)
     values ('acme', $1::uuid, $2, left($1::uuid::text, 20), 'CONFIRMED', '2026-07-01', '2026-07-02', 1, 1, 'EUR')`,
    [id, propertyId],
  );
  await admin.query(
    `insert into payments (tenant_id, id, property_id, reservation_id, amount, status, transaction_type, created_at)
     values ('acme', gen_random_uuid(), $2, $1, 100, 'PROCESSING', 'CHARGE', to_timestamp($3))`,
    [id, propertyId, NOW / 1_000 - 60],
  );
  await admin.query('commit');
}
