import { incompatibilities } from '../contracts/schema-compatibility.ts';
import type { RegisteredVersion, RegistryStore } from '../ports.ts';
import type { CompatibilityLevel } from '../rules/compatibility-level.ts';

/** Default level of subjects (docs/reference/events.md#format). */
const USUAL_LEVEL: CompatibilityLevel = 'BACKWARD';

/** Effective level of a subject: its own, the global one, or the default. */
export async function levelOf(store: RegistryStore, subject: string): Promise<CompatibilityLevel> {
  return (await store.level(subject)) ?? (await store.level('')) ?? USUAL_LEVEL;
}

/** Incompatibilities of a schema with earlier versions of its subject, oldest first; empty without any. */
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
