import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0062/channel-notices.sql', import.meta.url);

/** What channels have said of bookings that are not there as said. */
export class ChannelNotices extends Migration {
  override readonly name = '0062-channel-notices';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
