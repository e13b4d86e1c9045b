import { incompatibilities } from '../contracts/schema-compatibility.ts';
import type { RegisteredVersion, RegistryStore } from '../ports.ts';
import type { CompatibilityLevel } from '../rules/compatibility-level.ts';

/** Of subjects that have none of their own (docs/reference/events.md#format). */
const USUAL_LEVEL: CompatibilityLevel = 'BACKWARD';

/** The level that holds for a subject: its own, that of all, or the usual one. */
export async function levelOf(store: RegistryStore, subject: string): Promise<CompatibilityLevel> {
  return (await store.level(subject)) ?? (await store.level('')) ?? USUAL_LEVEL;
}

/** What keeps a schema from following versions of its subject, oldest first; empty where nothing does. */
export async function hindrances(
  store: RegistryStore,
  { subject, schema, versions }: { subject: string; schema: string; versions: readonly RegisteredVersion[] },
): Promise<string[]> {
  const level = await levelOf(store, subject);
  return incompatibilities(
    schema,
    versions.map((version) => version.schema),
    level,
  );
}
