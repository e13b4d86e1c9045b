import { Migration } from '@mikro-orm/migrations';

/**
 * The second guest of a room (docs/reference/sharers.md#sharers): the profile, and name and contact of that guest. Not in a
 * transaction, because its index is built beside bookings (docs/concepts/storage.md#migrations); each step may be done
 * already.
 */
export class Sharers extends Migration {
  override readonly name = '0030-sharers';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`alter table reservations
      add column if not exists sharer_id uuid,
      add column if not exists sharer jsonb`);
    // It waits for who has begun before it, and nobody waits for it.
    this.addSql('set lock_timeout = 0');
    // One that was broken off is left behind, and is of no use.
    this.addSql('drop index concurrently if exists reservations_sharer');
    this.addSql(`create index concurrently reservations_sharer on reservations (tenant_id, sharer_id)
      where sharer_id is not null`);
    this.addSql('reset lock_timeout');
  }
}
