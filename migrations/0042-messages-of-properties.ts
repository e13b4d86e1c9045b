import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0042/messages-of-properties.sql', import.meta.url);

/** The list of messages of a property. */
export class MessagesOfProperties extends Migration {
  override readonly name = '0042-messages-of-properties';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
