import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import type { TenantId, GuestId } from '../../kernel/rules/ids.ts';
import { TenantBatches } from '../../platform/database/batch-loader.ts';
import type { Database } from '../../platform/database/database.ts';
import type { GuestDirectory, GuestIdentity } from '../ports.ts';
import { guestKeys } from '../rules/guest-keys.ts';

/** A key that wraps guests' data keys, with the id that wrapped keys carry. */
type WrappingKey = { id: string; secret: Uint8Array };

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** All profiles that are requested at once; `n` is the index of the request. */
const FIND = 'select n, id, wrapped from find_guests_v1(?, ?::jsonb)';

const WRAPPED = `
  select guest_id as id, wrapped from guest_keys
  where tenant_id = current_setting('innkeeper.tenant') and wrapped is not null
    and guest_id in (select value::uuid from json_array_elements_text(?::json))`;

type Found = { id: string; wrapped: string | null };
type Wanted = { emailKey: string; lastNameKey: string };

/** Maximum of profiles of one query. */
const MAX_AT_ONCE = 200;

/**
 * Guest profiles and their data keys. Personal fields in the journal are encrypted with AES-256-GCM under a key per
 * guest, which is stored wrapped by the newest of SECRET_KEYS. Erasing a guest destroys only the key
 * (docs/concepts/guests-and-erasure.md#encryption).
 */
export class StoredGuests implements GuestDirectory {
  readonly #database: Database;
  readonly #keys: readonly { id: string; key: KeyObject }[];
  readonly #lookups = new TenantBatches<Wanted, Found | undefined>(MAX_AT_ONCE, (tenantId, wanted) =>
    this.#find(tenantId, wanted),
  );

  /** @param keys newest first */
  constructor(database: Database, keys: readonly WrappingKey[]) {
    this.#database = database;
    this.#keys = keys.map(({ id, secret }) => ({ id, key: createSecretKey(secret) }));
  }

  async identify(tenantId: TenantId, guest: { email: string; lastName: string }): Promise<GuestIdentity> {
    // Guests without an address are not known again: each has a profile of its own.
    const found = guest.email === '' ? undefined : await this.#lookups.ask(tenantId, guestKeys(guest));
    if (found?.wrapped) return identity(found.id, this.#unwrap(found.wrapped));
    return { guestId: uuidv7(), ...newGuestKey(this.#keys[0]!) };
  }

  async byId(tenantId: TenantId, guestId: GuestId): Promise<GuestIdentity> {
    const [found] = await this.#read(tenantId, WRAPPED, [JSON.stringify([guestId])]);
    if (!found?.wrapped) throw new Error('the guest has no key: erased or unknown');
    return identity(guestId, this.#unwrap(found.wrapped));
  }

  /** Decrypts texts by guest; those whose key was destroyed are left out. */
  async open(tenantId: TenantId, sealed: { guestId: GuestId; name: string }[]): Promise<Map<string, string>> {
    const opened = new Map<string, string>();
    if (sealed.length === 0) return opened;
    const ids = [...new Set(sealed.map(({ guestId }) => guestId))];
    const rows = await this.#read(tenantId, WRAPPED, [JSON.stringify(ids)]);
    const wrapped = new Map(rows.map((row) => [row.id, row.wrapped]));
    for (const { guestId, name } of sealed) {
      try {
        opened.set(name, decrypt(createSecretKey(this.#unwrap(wrapped.get(guestId)!)), name).toString());
      } catch {
        // Erased, or wrapped by a key that SECRET_KEYS no longer has: the feed shows no name.
      }
    }
    return opened;
  }

  async #find(tenantId: TenantId, wanted: readonly Wanted[]): Promise<(Found | undefined)[]> {
    const list = wanted.map(({ emailKey, lastNameKey }, n) => ({
      n,
      email_key: emailKey,
      last_name_key: lastNameKey,
    }));
    const em = this.#database.orm.em.fork();
    const rows = await em.execute<(Found & { n: number })[]>(FIND, [tenantId, JSON.stringify(list)]);
    const byNumber = new Map(rows.map((row) => [row.n, row]));
    return wanted.map((_, n) => byNumber.get(n));
  }

  async #read(tenantId: TenantId, sql: string, values: unknown[]): Promise<Found[]> {
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute(sql, values));
    return rows as unknown as Found[];
  }

  #unwrap(wrapped: string): Buffer {
    const at = wrapped.indexOf('.');
    const wrapping = this.#keys.find(({ id }) => id === wrapped.slice(0, at));
    if (!wrapping)
      throw new Error(`SECRET_KEYS lacks the key ${wrapped.slice(0, at)} that guest data is wrapped with`);
    return decrypt(wrapping.key, wrapped.slice(at + 1));
  }
}

/** A new data key of a guest, wrapped by a key as it is stored, with encryption under it. */
export function newGuestKey({
  id,
  key: wrapping,
}: {
  id: string;
  key: KeyObject;
}): Required<Pick<GuestIdentity, 'wrappedKey' | 'seal'>> {
  const key = randomBytes(KEY_BYTES);
  return { seal: identity('', key).seal, wrappedKey: `${id}.${encrypt(wrapping, key)}` };
}

function identity(guestId: GuestId, key: Buffer): GuestIdentity {
  return { guestId, seal: (plain) => encrypt(createSecretKey(key), Buffer.from(plain)) };
}

/** Keys are key objects: converting plain bytes takes Node twice as long as the encryption. */
function encrypt(key: KeyObject, plain: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function decrypt(key: KeyObject, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}
