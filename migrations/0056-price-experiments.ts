import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0056/price-experiments.sql', import.meta.url);

/** Rates that are tried on drawn days. */
export class PriceExperimentTable extends Migration {
  override readonly name = '0056-price-experiments';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
