import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0046/sandboxes.sql', import.meta.url);

/** Copies of properties with invented guests. */
export class Sandboxes extends Migration {
  override readonly name = '0046-sandboxes';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
