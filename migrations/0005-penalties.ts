import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0005/penalties.sql', import.meta.url);

/** Penalties as a figure of a business day. */
export class Penalties extends Migration {
  override readonly name = '0005-penalties';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
