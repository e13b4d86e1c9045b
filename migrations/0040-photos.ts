import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0040/photos.sql', import.meta.url);

/** Photos of properties and room types. */
export class Photos extends Migration {
  override readonly name = '0040-photos';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
