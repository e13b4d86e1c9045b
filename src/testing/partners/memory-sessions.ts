import type { BrowserSessionStore, StoredSession, SessionPlace } from '../../tenants/ports.ts';

/** Sessions of browsers in memory, for tests that need no database. */
export function memorySessions(): BrowserSessionStore {
  const rows = new Map<string, StoredSession & { renewingUntil: number }>();
  const keyOf = ({ tenantId, id }: SessionPlace): string => `${tenantId} ${id}`;
  const alive = (place: SessionPlace) => {
    const row = rows.get(keyOf(place));
    return row !== undefined && row.endsAt > Date.now() ? row : undefined;
  };
  return {
    async store(place, session) {
      rows.set(keyOf(place), { ...session, renewingUntil: 0 });
    },
    find: async (place) => alive(place)?.sealed,
    async claim(place, forMs) {
      const row = alive(place);
      if (row === undefined || row.renewingUntil > Date.now()) return false;
      row.renewingUntil = Date.now() + forMs;
      return true;
    },
    async renew(place, session) {
      if (rows.has(keyOf(place))) rows.set(keyOf(place), { ...session, renewingUntil: 0 });
    },
    async end(place) {
      const sealed = rows.get(keyOf(place))?.sealed;
      rows.delete(keyOf(place));
      return sealed;
    },
  };
}
