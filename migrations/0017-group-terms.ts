import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0017/group-terms.sql', import.meta.url);

/** Terms and guarantee that a group has agreed on. */
export class GroupTerms extends Migration {
  override readonly name = '0017-group-terms';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
