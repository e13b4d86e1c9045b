import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0052/failed-messages.sql', import.meta.url);

/** An index of messages that could not be sent. */
export class FailedMessages extends Migration {
  override readonly name = '0052-failed-messages';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
