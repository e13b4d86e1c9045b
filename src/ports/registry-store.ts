import type { CompatibilityLevel } from '../domain/compatibility-level.ts';

/** A schema as a version of a subject. */
export type RegisteredVersion = { subject: string; version: number; id: number; schema: string };

/** What the embedded schema registry keeps; no tenant's data. */
export interface RegistryStore {
  /** Those that have a version, by name. */
  subjects(): Promise<string[]>;
  /** Oldest first; empty for a subject that nobody has heard of. */
  versions(subject: string): Promise<RegisteredVersion[]>;
  /** Text of a schema by its id. */
  schema(id: number): Promise<string | undefined>;
  /** Where a schema is used. */
  usesOf(id: number): Promise<Pick<RegisteredVersion, 'subject' | 'version'>[]>;
  /** Adds a version. @returns false when somebody else has added one meanwhile */
  add(version: Omit<RegisteredVersion, 'id'>): Promise<boolean>;
  /** Of a subject, or of all others (`''`). */
  level(subject: string): Promise<CompatibilityLevel | undefined>;
  setLevel(subject: string, level: CompatibilityLevel): Promise<void>;
}
