import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0050/quote-counts.sql', import.meta.url);

/** Counted quotes, and what properties have learned of them. */
export class QuoteCountTables extends Migration {
  override readonly name = '0050-quote-counts';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
