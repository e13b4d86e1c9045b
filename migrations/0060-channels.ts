import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0060/channels.sql', import.meta.url);

/** Channels, and what each of them has. */
export class Channels extends Migration {
  override readonly name = '0060-channels';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
