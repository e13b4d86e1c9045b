import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0049/live-rates.sql', import.meta.url);

/** Live rates of nights, by rooms left. */
export class LiveRatesOfNights extends Migration {
  override readonly name = '0049-live-rates';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
