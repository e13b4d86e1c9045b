import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0028/inquiries.sql', import.meta.url);

/** Quotes that are stored with a name, without a room. */
export class Inquiries extends Migration {
  override readonly name = '0028-inquiries';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
