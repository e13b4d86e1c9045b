import type { Client } from 'pg';

/**
 * Roles of the database (docs/concepts/storage.md#schemas-and-roles): nobody logs in as one; connections of the login
 * act as one.
 */
export const DATABASE_ROLES = [
  'innkeeper_owner',
  'innkeeper_app',
  'innkeeper_writer',
  'innkeeper_system',
  'innkeeper_jobs',
] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/**
 * Creates missing roles, lets the login act as them, and gives the owner its schema rights. Needs a superuser, or a
 * login with CREATEROLE that owns the database; nothing when roles and grants exist.
 */
export async function ensureRoles(login: Client): Promise<void> {
  await createMissing(login);
  await refusePowerful(login);
  await letLoginAct(login);
  await login.query(`
    do $$
    declare
      database text := quote_ident(current_database());
    begin
      if not has_database_privilege('innkeeper_owner', current_database(), 'CREATE') then
        execute 'grant create on database ' || database || ' to innkeeper_owner';
      end if;
      -- BullMQ says "create schema if not exists", which asks for this right even when the schema exists.
      if not has_database_privilege('innkeeper_jobs', current_database(), 'CREATE') then
        execute 'grant create on database ' || database || ' to innkeeper_jobs';
      end if;
      -- A temporary table is found before a real one of its name: nobody needs one here.
      if has_database_privilege('innkeeper_app', current_database(), 'TEMPORARY') then
        execute 'revoke temporary on database ' || database || ' from public';
      end if;
      if not has_schema_privilege('innkeeper_owner', 'public', 'CREATE WITH GRANT OPTION') then
        grant all on schema public to innkeeper_owner with grant option;
      end if;
      if not exists (select from pg_namespace where nspname = 'bullmq') then
        create schema bullmq;
        grant usage, create on schema bullmq to innkeeper_jobs;
      end if;
    end
    $$`);
}

/** Roles belong to the whole server: another database's start may create the same one concurrently. */
async function createMissing(login: Client): Promise<void> {
  const wanted = DATABASE_ROLES.map((role) => `'${role}'`).join(', ');
  await login.query(`
    do $$
    declare
      missing text;
    begin
      for missing in
        select wanted from unnest(array[${wanted}]) as wanted
        where not exists (select from pg_roles where rolname = wanted)
      loop
        begin
          execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', missing);
        exception when duplicate_object or unique_violation then null;
        end;
      end loop;
    end
    $$`);
}

/** Refuses to start with a superuser or a BYPASSRLS role, to which row security does not apply. */
async function refusePowerful(login: Client): Promise<void> {
  const { rows } = await login.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any ($1) and (rolsuper or rolbypassrls or rolcanlogin)',
    [DATABASE_ROLES],
  );
  if (rows.length === 0) return;
  const names = rows.map((row) => row.rolname).join(', ');
  throw new Error(`these database roles may do too much (superuser, bypassrls or login): ${names}`);
}

async function letLoginAct(login: Client): Promise<void> {
  const { rows } = await login.query<{ role: string }>(
    `select role from unnest($1::text[]) as role where not pg_has_role(current_user, role, 'SET')`,
    [DATABASE_ROLES],
  );
  for (const { role } of rows) {
    await login.query(`grant ${role} to current_user with inherit false, set true`);
  }
}
