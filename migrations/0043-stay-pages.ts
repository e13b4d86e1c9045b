import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0043/stay-pages.sql', import.meta.url);

/** The page of a stay for its guest: since when its links are valid, and the check-in online. */
export class StayPages extends Migration {
  override readonly name = '0043-stay-pages';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
