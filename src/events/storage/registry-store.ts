import { createHash } from 'node:crypto';
import type { Client } from 'pg';

import type { RegisteredVersion, RegistryStore } from '../ports.ts';
import type { CompatibilityLevel } from '../rules/compatibility-level.ts';

const VERSIONS = `
  select v.subject, v.version, v.id, i.schema
  from system.registry_versions v join system.registry_ids i using (id)`;

/** One statement, so that a version is stored completely or not at all; the loser of a race gets no row. */
const ADD = `
  with text as (
    insert into system.registry_ids (fingerprint, schema) values ($1, $2)
    on conflict (fingerprint) do update set fingerprint = excluded.fingerprint returning id),
  named as (
    insert into system.registry_subjects (subject) values ($3)
    on conflict (subject) do update set subject = excluded.subject returning subject)
  insert into system.registry_versions (subject, version, id)
  select named.subject, $4, text.id from named, text
  on conflict do nothing returning version`;

const SET_LEVEL = `
  insert into system.registry_subjects (subject, compatibility) values ($1, $2)
  on conflict (subject) do update set compatibility = excluded.compatibility`;

/** The embedded schema registry in PostgreSQL, schema `system`. @param client acts as innkeeper_system */
export function databaseRegistryStore(client: () => Promise<Client>): RegistryStore {
  const ask = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await (await client()).query<Row>(sql, values)).rows;
  return {
    async subjects() {
      const sql = 'select distinct subject from system.registry_versions order by subject';
      return (await ask<{ subject: string }>(sql)).map(({ subject }) => subject);
    },
    versions: (subject) => ask<RegisteredVersion>(`${VERSIONS} where v.subject = $1 order by v.version`, [subject]),
    async schema(id) {
      const sql = 'select schema from system.registry_ids where id = $1';
      return (await ask<{ schema: string }>(sql, [id]))[0]?.schema;
    },
    usesOf(id) {
      const sql = 'select subject, version from system.registry_versions where id = $1 order by subject, version';
      return ask<{ subject: string; version: number }>(sql, [id]);
    },
    async add({ subject, version, schema }) {
      const fingerprint = createHash('sha256').update(schema).digest('hex');
      return (await ask(ADD, [fingerprint, schema, subject, version])).length > 0;
    },
    async level(subject) {
      const sql = 'select compatibility from system.registry_subjects where subject = $1';
      const [row] = await ask<{ compatibility: CompatibilityLevel | null }>(sql, [subject]);
      return row?.compatibility ?? undefined;
    },
    setLevel: async (subject, level) => void (await ask(SET_LEVEL, [subject, level])),
  };
}
