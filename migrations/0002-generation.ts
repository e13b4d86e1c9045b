import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0002/generation.sql', import.meta.url);

/** The generation of the whole database, which properties that are created later begin in. */
export class Generation extends Migration {
  override readonly name = '0002-generation';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
