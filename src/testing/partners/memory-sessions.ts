import type { BrowserSessionStore, OwnSession, People, SessionPlace, StoredSession } from '../../tenants/ports.ts';
import type { PersonId, Preferences } from '../../tenants/rules/preferences.ts';

type Row = SessionPlace &
  StoredSession & { renewingUntil: number; marks: string[]; person?: PersonId } & Omit<OwnSession, 'tenantId' | 'id'>;

/** Sessions of browsers and preferences of people in memory, for tests that need no database. */
export function memorySessions(): BrowserSessionStore & { people: People } {
  const rows = new Map<string, Row>();
  const ended = new Set<string>();
  const preferred = new Map<PersonId, Preferences>();
  const keyOf = ({ tenantId, id }: SessionPlace): string => `${tenantId} ${id}`;
  const alive = (place: SessionPlace) => {
    const row = rows.get(keyOf(place));
    return row !== undefined && row.endsAt > Date.now() ? row : undefined;
  };
  const ofPerson = (person: PersonId) => [...rows.values()].filter((row) => row.person === person);
  const remove = (row: Row): void => {
    rows.delete(keyOf(row));
    for (const mark of row.marks) ended.add(`${row.person} ${mark}`);
  };
  return {
    async store(place, session) {
      const now = Date.now();
      const fresh = { renewingUntil: 0, browser: null, beganAt: now, usedAt: now, marks: [session.token.mark] };
      rows.set(keyOf(place), { ...place, ...session, ...fresh });
    },
    find: async (place) => alive(place)?.sealed,
    async claim(place, forMs) {
      const row = alive(place);
      if (row === undefined || row.renewingUntil > Date.now()) return false;
      row.renewingUntil = Date.now() + forMs;
      return true;
    },
    async renew(place, session) {
      const row = rows.get(keyOf(place));
      if (row)
        Object.assign(row, session, { renewingUntil: 0, marks: [...new Set([session.token.mark, ...row.marks])] });
    },
    async end(place) {
      const row = rows.get(keyOf(place));
      if (row) remove(row);
      return row?.sealed;
    },
    async used(place, { person, browser }) {
      const row = rows.get(keyOf(place));
      if (row) Object.assign(row, { person, browser, usedAt: Date.now() });
    },
    ofPerson: async (person, limit) =>
      ofPerson(person)
        .filter((row) => row.endsAt > Date.now())
        .map(({ tenantId, id, browser, beganAt, usedAt }) => ({
          tenantId,
          id,
          browser: browser === '' ? null : browser,
          beganAt,
          usedAt,
        }))
        .sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))
        .slice(0, limit),
    async endOfPerson(person, which) {
      const meant = ofPerson(person).filter(({ id }) => ('id' in which ? id === which.id : id !== which.butFor));
      meant.forEach(remove);
      return meant;
    },
    people: {
      preferences: async (person) => preferred.get(person) ?? {},
      async prefer(person, change) {
        const all = { ...preferred.get(person), ...change };
        const left = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Preferences;
        preferred.set(person, left);
        return left;
      },
      hasEnded: async (person, mark) => ended.has(`${person} ${mark}`),
    },
  };
}
