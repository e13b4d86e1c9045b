import { Migration } from '@mikro-orm/migrations';

/**
 * Drops functions whose parameters have other names now: PostgreSQL replaces no function under other names. They were
 * in no release; the files of functions, which are run after the migrations, create them again.
 */
export class CommitListNames extends Migration {
  override readonly name = '0019-commit-list-names';

  override up(): void {
    // Functions belong to the writer, and only their owner may drop them.
    this.addSql('set local role innkeeper_writer');
    this.addSql(`do $$
      declare
        one regprocedure;
      begin
        for one in
          select oid::regprocedure from pg_proc
          where proname in ('commit_batch_v3', 'write_keys_v3', 'write_front_desk_v3')
        loop
          execute format('drop function %s', one);
        end loop;
      end $$`);
    this.addSql('set local role innkeeper_owner');
    this.addSql(`delete from system.function_file
      where name in ('commit-batch.v3/keys.sql', 'commit-batch.v3/front-desk.sql', 'commit-batch.v3/commit-batch.sql')`);
  }
}
