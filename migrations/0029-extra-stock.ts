import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0029/extra-stock.sql', import.meta.url);

/** How many pieces of an extra there are on a night, and which reservations have them. */
export class ExtraStock extends Migration {
  override readonly name = '0029-extra-stock';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
