import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0045/invitations.sql', import.meta.url);

/** Invitations of users by mail address. */
export class Invitations extends Migration {
  override readonly name = '0045-invitations';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
