import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0054/session-policy.sql', import.meta.url);

/** Concurrent changes of a browser session. */
export class SessionPolicy extends Migration {
  override readonly name = '0054-session-policy';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
