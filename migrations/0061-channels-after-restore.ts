import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0061/channels-after-restore.sql', import.meta.url);

/** A restore asks channels what they have. */
export class ChannelsAfterRestore extends Migration {
  override readonly name = '0061-channels-after-restore';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
