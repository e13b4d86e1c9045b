import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0039/letter-templates.sql', import.meta.url);

/** Own texts of properties for letters to guests. */
export class LetterTemplates extends Migration {
  override readonly name = '0039-letter-templates';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
