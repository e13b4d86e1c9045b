import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0053/accepted-rates.sql', import.meta.url);

/** Recommended rates that were accepted, with what they were to bring. */
export class AcceptedRates extends Migration {
  override readonly name = '0053-accepted-rates';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
