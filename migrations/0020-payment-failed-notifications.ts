import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0020/payment-failed-notifications.sql', import.meta.url);

/** The kind of notifications about instalments that could not be collected. */
export class PaymentFailedNotifications extends Migration {
  override readonly name = '0020-payment-failed-notifications';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
