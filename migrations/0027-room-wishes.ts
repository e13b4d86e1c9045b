import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0027/room-wishes.sql', import.meta.url);

/** What reservations wish of their room. */
export class RoomWishes extends Migration {
  override readonly name = '0027-room-wishes';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
