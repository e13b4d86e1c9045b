import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0027/accessible-rooms.sql', import.meta.url);

/** Accessible and connecting rooms. A migration of its own: each locks one table (docs/concepts/storage.md#migrations). */
export class AccessibleRooms extends Migration {
  override readonly name = '0027-accessible-rooms';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
