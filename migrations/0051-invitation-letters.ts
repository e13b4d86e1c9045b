import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0051/invitation-letters.sql', import.meta.url);

/** Letters that bring invitations, and who has invited. */
export class InvitationLetters extends Migration {
  override readonly name = '0051-invitation-letters';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
