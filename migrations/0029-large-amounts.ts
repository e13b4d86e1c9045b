import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0029/large-amounts.sql', import.meta.url);

/** Revenue of currencies of small units in the history of optimizations. */
export class LargeAmounts extends Migration {
  override readonly name = '0029-large-amounts';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
