import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0010/invoice-documents.sql', import.meta.url);

/** Invoices and credit notes under numbers of their property; `commit_batch_v3` writes them. */
export class InvoiceDocuments extends Migration {
  override readonly name = '0010-invoice-documents';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
