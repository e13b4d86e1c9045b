import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0034/desk-notes.sql', import.meta.url);

/** Notes of staff about stays, and to the next shift. */
export class DeskNotes extends Migration {
  override readonly name = '0034-desk-notes';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
