import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0032/stay-mails.sql', import.meta.url);

/** Mails that staff send about stays: invoices and links to pay. */
export class StayMails extends Migration {
  override readonly name = '0032-stay-mails';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
