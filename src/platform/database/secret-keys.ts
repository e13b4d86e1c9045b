import { createHmac } from 'node:crypto';
import type { Client } from 'pg';

import { ConfigError } from '../config/config.ts';
import type { SecretKey } from '../config/environment.ts';

type Known = { id: string; proof: string };

const RECORD = `
  insert into system.secret_key (id, proof)
  select * from unnest($1::text[], $2::text[]) on conflict (id) do nothing`;

/** Says that a key is the one of its name, and nothing of the key itself. */
function proofOf({ id, key }: SecretKey): string {
  return createHmac('sha256', key).update(`innkeeper secret key ${id}`).digest('base64url');
}

/**
 * Compares the keys of a node with those that data of the database may be sealed with, and records new ones
 * (docs/guide/production.md#keys): a node without one of them would fail for everybody whose data it cannot open.
 *
 * @param client a session of innkeeper_system
 * @throws ConfigError that names each key that is missing, or has another value
 */
export async function checkSecretKeys(client: Client, keys: readonly SecretKey[]): Promise<void> {
  const wrong = await wrongSecretKeys(client, keys);
  if (wrong.length > 0) throw new ConfigError(wrong);
  await client.query(RECORD, [keys.map(({ id }) => id), keys.map(proofOf)]);
}

/** Each key of the database that is missing or has another value, one line each; records nothing. */
export async function wrongSecretKeys(client: Client, keys: readonly SecretKey[]): Promise<string[]> {
  const { rows } = await client.query<Known>('select id, proof from system.secret_key order by id');
  const given = new Map(keys.map((one) => [one.id, proofOf(one)]));
  return rows.filter(({ id, proof }) => given.get(id) !== proof).map(({ id }) => problemOf(id, given.has(id)));
}

function problemOf(id: string, isGiven: boolean): string {
  const what = isGiven ? `the key ${id} is another one than before` : `the key ${id} is missing`;
  return (
    `SECRET_KEYS: ${what}, and guest data of this database may be sealed with it. Give it back: from where you keep ` +
    `it, or from secrets.json of a backup of DATA_DIR. Keys that nothing needs any more: docs/guide/production.md`
  );
}
