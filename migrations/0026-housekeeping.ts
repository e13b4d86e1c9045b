import { Migration } from '@mikro-orm/migrations';

/**
 * What happens to a housekeeping task (docs/concepts/rooms.md#housekeeping). Not in a transaction, because its indexes
 * are built beside check-outs (docs/concepts/storage.md#migrations); each step may be done already.
 */
export class Housekeeping extends Migration {
  override readonly name = '0026-housekeeping';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`alter table housekeeping_tasks
      add column if not exists inspected_at timestamptz(3),
      add column if not exists minutes int,
      add column if not exists completed_on date,
      add column if not exists is_open boolean not null default false`);
    // It waits for who has begun before it, and nobody waits for it.
    this.addSql('set lock_timeout = 0');
    const indexes = {
      // Release 0.1.0 does not say of its tasks whether they are open.
      housekeeping_tasks_current: `(tenant_id, property_id) where is_open or status = 'PENDING'`,
      housekeeping_tasks_completed: `(tenant_id, property_id, completed_on) where completed_on is not null`,
      housekeeping_tasks_created: `(tenant_id, property_id, created_at, id)`,
    };
    for (const [name, on] of Object.entries(indexes)) {
      // One that was broken off is left behind, and is of no use.
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on housekeeping_tasks ${on}`);
    }
    this.addSql('reset lock_timeout');
  }
}
