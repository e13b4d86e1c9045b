import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0011/payment-details.sql', import.meta.url);

/** Chargebacks and what was tendered in another currency, and the exchange rates of properties. */
export class PaymentDetails extends Migration {
  override readonly name = '0011-payment-details';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
