import type { HealthCheck } from '../kernel/ports.ts';
import type { Database } from '../platform/database/database.ts';

/**
 * Health components of this process (docs/operations/health.md#components); the edge adds ping and disk, and UNKNOWN
 * for unconfigured ones.
 */
export function healthChecks(
  database: Database,
  lease: { held: boolean },
  parts: Iterable<readonly [string, HealthCheck]>,
): Map<string, HealthCheck> {
  const answers: HealthCheck = {
    essential: true,
    async check() {
      await database.orm.em.fork().execute('select 1');
      return { status: 'UP', details: { database: 'PostgreSQL' } };
    },
  };
  const owns: HealthCheck = {
    essential: true,
    check: async () => ({ status: lease.held ? 'UP' : 'OUT_OF_SERVICE', details: { lease: lease.held } }),
  };
  const { icu, tz: tzdata } = process.versions;
  const zones: HealthCheck = { essential: false, check: async () => ({ status: 'UP', details: { icu, tzdata } }) };
  return new Map([...parts, ['timeZones', zones], ['availabilityService', owns], ['db', answers]]);
}
