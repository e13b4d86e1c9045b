import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0038/guest-languages.sql', import.meta.url);

/** Languages of guests. */
export class GuestLanguages extends Migration {
  override readonly name = '0038-guest-languages';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
