import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Sessions, codes and grants in memory; more than an afternoon of signing in needs. */
const MAX_RECORDS = 5_000;

/**
 * In-memory storage of the development issuer. (node-oidc-provider has its own, but warns about it at each start. Here
 * it is intended: only the signing keys survive.)
 */
export function memoryAdapter(): AdapterFactory {
  const records = new LRUCache<string, AdapterPayload>({ max: MAX_RECORDS });
  return (model) => adapterFor(records, model);
}

function adapterFor(records: LRUCache<string, AdapterPayload>, model: string): Adapter {
  const key = (id: string) => `${model}:${id}`;
  const where = (matches: (record: AdapterPayload) => boolean) =>
    [...records.entries()].find(([name, record]) => name.startsWith(`${model}:`) && matches(record))?.[1];
  return {
    async upsert(id, payload, expiresIn) {
      records.set(key(id), payload, expiresIn === undefined ? {} : { ttl: expiresIn * 1000 });
    },
    async find(id) {
      return records.get(key(id));
    },
    async findByUid(uid) {
      return where((record) => record.uid === uid);
    },
    async findByUserCode(code) {
      return where((record) => record.userCode === code);
    },
    async consume(id) {
      const record = records.get(key(id));
      if (record !== undefined) record['consumed'] = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      records.delete(key(id));
    },
    async revokeByGrantId(grantId) {
      // Tokens and codes end with their grant; a sign-in in progress for the next user continues.
      const revoked = [...records.entries()].filter(([, record]) => record.grantId === grantId);
      for (const [name] of revoked) if (!name.startsWith('Interaction:')) records.delete(name);
    },
  };
}
