import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0024/group-changes.sql', import.meta.url);

/** Groups that can be changed, with shoulder nights and a contact. */
export class GroupChanges extends Migration {
  override readonly name = '0024-group-changes';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
