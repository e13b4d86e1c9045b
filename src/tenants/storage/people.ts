import type { Database } from '../../platform/database/database.ts';
import { preferencesAnswer } from '../contracts/person.ts';
import type { People } from '../ports.ts';
import type { Preferences } from '../rules/preferences.ts';

const FIND = 'select preferences from person_preferences where person = ?';
/** Members that are `null` go; those that are not named stay, also those that only another release knows. */
const SET = `
  insert into person_preferences as kept (person, preferences) values (?, jsonb_strip_nulls(?::jsonb))
  on conflict (person) do update
    set preferences = jsonb_strip_nulls(kept.preferences || ?::jsonb), updated_at = app_now()
  returning preferences`;
const ENDED = 'select 1 from ended_tokens where person = ? and mark = ? and ends_at > now()';

type Row = { preferences: Record<string, unknown> };

/** Preferences and ended tokens of people in PostgreSQL. */
export function databasePeople(database: Pick<Database, 'ofPerson'>): People {
  return {
    async preferences(person) {
      const rows = await database.ofPerson(person, (em) => em.execute<Row[]>(FIND, [person]));
      return knownOf(rows[0]);
    },
    async prefer(person, change) {
      const text = JSON.stringify(change);
      const rows = await database.ofPerson(person, (em) => em.execute<Row[]>(SET, [person, text, text]));
      return knownOf(rows[0]);
    },
    hasEnded: (person, mark) =>
      database.ofPerson(person, async (em) => (await em.execute(ENDED, [person, mark])).length > 0),
  };
}

/** Members with values that this release knows. */
function knownOf(row: Row | undefined): Preferences {
  const { shape } = preferencesAnswer;
  const known = Object.entries(row?.preferences ?? {}).filter(
    ([name, value]) => Object.hasOwn(shape, name) && shape[name as keyof typeof shape].safeParse(value).success,
  );
  return Object.fromEntries(known);
}
