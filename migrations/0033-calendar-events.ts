import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0033/calendar-events.sql', import.meta.url);

/** What happens in town on the nights of a property. */
export class CalendarEvents extends Migration {
  override readonly name = '0033-calendar-events';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
