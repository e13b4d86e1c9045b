import type { Instant } from '../domain/property-time.ts';

/** Where a session is found: in a tenant, under the hash of what its browser has. */
export type SessionPlace = { tenantId: string; id: string };

/** What is kept of a session; only its owner's process can read it. */
export type KeptSession = { sealed: string; endsAt: Instant };

/** Sessions of browsers, for every node and over restarts. Instants are of the real clock. */
export interface BrowserSessionStore {
  /** Adds a session; those of the tenant that are over go. */
  keep(place: SessionPlace, session: KeptSession): Promise<void>;
  /** What was sealed; `undefined` when there is no such session, or none any more. */
  find(place: SessionPlace): Promise<string | undefined>;
  /** Takes the turn to renew a session for so long. @returns false where somebody has it, or the session is gone */
  claim(place: SessionPlace, forMs: number): Promise<boolean>;
  /** Puts a renewed session in the place of the old one, if that has not been ended, and gives the turn back. */
  renew(place: SessionPlace, session: KeptSession): Promise<void>;
  /** Removes a session. @returns what was sealed */
  end(place: SessionPlace): Promise<string | undefined>;
}
