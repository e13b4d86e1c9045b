import avro from 'avsc';

import type { CompatibilityLevel } from '../rules/compatibility-level.ts';

/** Bounds for what strangers may register: text, and how deep it may be nested. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_LEVELS = 64;

/** The Avro type of a schema text. @throws Error saying what is wrong with it */
export function parseSchema(text: string): avro.Type {
  if (text.length > MOST_CHARACTERS) throw new Error(`a schema has at most ${MOST_CHARACTERS} characters`);
  const schema = JSON.parse(text) as avro.Schema;
  if (depthOf(schema) > MOST_LEVELS) throw new Error(`a schema is at most ${MOST_LEVELS} levels deep`);
  // Names do not become types of ours: each text stands for itself.
  return avro.Type.forSchema(schema, { registry: {} });
}

/** Without recursion, since it guards what recurses. */
function depthOf(schema: unknown): number {
  let level = [schema];
  let depth = 0;
  for (; level.length > 0 && depth <= MOST_LEVELS * 2; depth++)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  return depth / 2;
}

/** Why who reads with one schema cannot read what the other has written; `undefined` when he can. */
function unreadable(reader: avro.Type, writer: avro.Type): string | undefined {
  try {
    reader.createResolver(writer);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * What keeps a schema from following versions, oldest first, under a level; empty where nothing does.
 * @throws Error where the schema itself is none
 */
export function incompatibilities(text: string, versions: readonly string[], level: CompatibilityLevel): string[] {
  const schema = parseSchema(text);
  if (level === 'NONE') return [];
  const transitive = level.endsWith('_TRANSITIVE');
  const faults: string[] = [];
  for (const [index, version] of versions.entries()) {
    if (!transitive && index < versions.length - 1) continue;
    const before = parseSchema(version);
    const backward = level.startsWith('FORWARD') ? undefined : unreadable(schema, before);
    const forward = level.startsWith('BACKWARD') ? undefined : unreadable(before, schema);
    if (backward !== undefined) faults.push(`cannot read version ${index + 1}: ${backward}`);
    if (forward !== undefined) faults.push(`cannot be read with version ${index + 1}: ${forward}`);
  }
  return faults;
}
