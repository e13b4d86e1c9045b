import type { AdministrationChange, By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Administration, TenantRecords } from '../../tenants/ports.ts';

type NotedEntry = { fingerprint: string; result: unknown };

/** An administration that keeps only what is noted and answered, for operations that do nothing else with it. */
export class Noted {
  readonly changes: AdministrationChange[] = [];
  readonly #stored = new Map<string, NotedEntry>();
  readonly administration = {
    answered: async (by: By, key: RequestKey) => this.#answered(by, key),
    write: async <T>(by: By, key: RequestKey | undefined, work: (records: TenantRecords) => Promise<T>) => {
      const known = key && this.#answered<T>(by, key);
      if (known) return known;
      const note = async (change: AdministrationChange): Promise<void> => void this.changes.push(change);
      const result = await work({ note } as unknown as TenantRecords);
      if (key) this.#stored.set(placeOf(by, key), { fingerprint: key.fingerprint, result });
      return { result, replayed: false };
    },
  } as unknown as Administration;

  #answered<T>(by: By, key: RequestKey): Done<T> | undefined {
    const known = this.#stored.get(placeOf(by, key));
    if (known && known.fingerprint !== key.fingerprint)
      throw new DomainError('IDEMPOTENCY_MISMATCH', 'The key was used for another request.');
    return known && { result: known.result as T, replayed: true };
  }
}

const placeOf = ({ tenantId, subject }: By, { key }: RequestKey): string => `${tenantId}\n${subject}\n${key}`;
