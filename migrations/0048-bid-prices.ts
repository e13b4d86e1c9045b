import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0048/bid-prices.sql', import.meta.url);

/** Computed bid prices of nights. */
export class BidPricesOfNights extends Migration {
  override readonly name = '0048-bid-prices';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
