import { Migration } from '@mikro-orm/migrations';

const UNUSED = [
  'public.commit_batch_v1',
  'public.forget_keys_v1',
  'system.raise_unless_all',
  'system.write_bookings_v1',
  'system.write_housekeeping_v1',
  'system.write_inventory_v1',
  'system.write_keys_v1',
  'system.write_room_stays_v1',
  'system.write_sales_v1',
  'system.write_setup_v1',
];

/** Drops functions that no node calls since release 0.1.0: it commits with `commit_batch_v2`. */
export class UnusedFunctions extends Migration {
  override readonly name = '0014-unused-functions';

  override up(): void {
    // Functions belong to the writer, and only their owner may drop them.
    this.addSql('set local role innkeeper_writer');
    this.addSql(`drop function if exists ${UNUSED.join(', ')}`);
    this.addSql('set local role innkeeper_owner');
    this.addSql(`delete from system.function_file where name in ('commit-batch.v1.sql', 'forget-keys.v1.sql')`);
  }
}
