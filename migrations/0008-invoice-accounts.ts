import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0008/invoice-accounts.sql', import.meta.url);

/** Payments by invoice say on whose account they are. */
export class InvoiceAccounts extends Migration {
  override readonly name = '0008-invoice-accounts';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
