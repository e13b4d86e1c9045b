import type { AdministrationChange } from '../domain/administration.ts';
import type { Administration, TenantRecords } from '../ports/administration.ts';

/** An administration that keeps only what is noted, for operations that do nothing else with it. */
export class Noted {
  readonly changes: AdministrationChange[] = [];
  readonly administration = {
    write: async <T>(_by: unknown, _key: unknown, work: (records: TenantRecords) => Promise<T>) => {
      const note = async (change: AdministrationChange): Promise<void> => void this.changes.push(change);
      return { result: await work({ note } as unknown as TenantRecords), replayed: false };
    },
  } as unknown as Administration;
}
