import avro from 'avsc';

import type { CompatibilityLevel } from '../rules/compatibility-level.ts';

/** Limits for schemas from outside: length, and nesting depth. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_LEVELS = 64;

/** Parses a schema text to an Avro type. @throws Error that says what is wrong */
export function parseSchema(text: string): avro.Type {
  if (text.length > MAX_CHARACTERS) throw new Error(`a schema has at most ${MAX_CHARACTERS} characters`);
  const schema = JSON.parse(text) as avro.Schema;
  if (depthOf(schema) > MAX_LEVELS) throw new Error(`a schema is at most ${MAX_LEVELS} levels deep`);
  // Its own registry: names in one text must not define types for others.
  return avro.Type.forSchema(schema, { registry: {} });
}

/** Not recursive, because it protects recursive code. */
function depthOf(schema: unknown): number {
  let level = [schema];
  let depth = 0;
  for (; level.length > 0 && depth <= MAX_LEVELS * 2; depth++)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  return depth / 2;
}

/** Reason why a reader with one schema cannot read data written with the other; `undefined` when it can. */
function unreadable(reader: avro.Type, writer: avro.Type): string | undefined {
  try {
    reader.createResolver(writer);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Incompatibilities of a schema that follows versions, oldest first, under a level; empty without any.
 * @throws Error for an invalid schema
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
