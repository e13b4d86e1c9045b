import { Migration } from '@mikro-orm/migrations';

/** Finds what is on an account; beside bookings, so in no transaction (docs/concepts/storage.md#migrations). */
export class AccountIndex extends Migration {
  override readonly name = '0009-account-index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // It waits for who has begun before it, and nobody waits for it.
    this.addSql('set lock_timeout = 0');
    // One that was broken off is left behind, and is of no use.
    this.addSql('drop index concurrently if exists payments_account');
    this.addSql(
      'create index concurrently payments_account on payments (tenant_id, account) where account is not null',
    );
    this.addSql('reset lock_timeout');
  }
}
