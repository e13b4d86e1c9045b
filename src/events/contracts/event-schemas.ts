import { readdirSync, readFileSync } from 'node:fs';

import { type Topic, TOPIC_NAMES } from '../rules/topics.ts';

/** An Avro record schema as its file has it. */
export type RecordSchema = {
  type: 'record';
  name: string;
  doc?: string;
  fields: { name: string; type: unknown; default?: unknown; doc?: string }[];
};

const folder = new URL('events/', import.meta.url);
const read = (file: string): RecordSchema => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RecordSchema;

/** Schema of a topic in `events/<topic>.avsc`, for writing, and as reader schema for all other versions. */
export function schemaOf(topic: Topic): RecordSchema {
  return read(`${topic}.avsc`);
}

/** Registered versions of a topic, oldest first: they never change (docs/reference/events.md#schema-changes). */
export function registeredSchemas(topic: Topic): RecordSchema[] {
  const files = readdirSync(new URL('registered/', folder));
  const schemas: RecordSchema[] = [];
  for (let version = 1; files.includes(`${topic}.v${version}.avsc`); version++)
    schemas.push(read(`registered/${topic}.v${version}.avsc`));
  return schemas;
}

/** File of a registered version, below the folder of the schemas. */
export const registeredFile = (topic: Topic, version: number): URL =>
  new URL(`registered/${topic}.v${version}.avsc`, folder);

/** Files of no topic, and files after a missing number: mistakes. */
export function orphanFiles(): string[] {
  const expected = new Set(
    TOPIC_NAMES.flatMap((topic) => [
      `${topic}.avsc`,
      ...registeredSchemas(topic).map((_, index) => `${topic}.v${index + 1}.avsc`),
    ]),
  );
  const found = [...readdirSync(folder), ...readdirSync(new URL('registered/', folder))];
  return found.filter((file) => file !== 'registered' && !expected.has(file));
}
