-- What belongs to a person and not to one of his tenants (docs/reference/own-settings.md#own-settings). A person is the hash of issuer
-- and subject of his tokens; the rows do not say who that is.

-- As system.current_tenant: a transaction without a person sees no row by mistake.
create function system.current_person() returns text
  language plpgsql stable parallel safe
as $$
declare
  person text := current_setting('innkeeper.person', true);
begin
  if person is null or person = '' then
    raise exception 'no person is set for this transaction' using errcode = 'insufficient_privilege';
  end if;
  return person;
end
$$;
grant execute on function system.current_person() to innkeeper_app;

create table person_preferences (
  person text primary key check (char_length(person) = 43),
  -- Members that a node does not know are kept: another release may.
  preferences jsonb not null default '{}' check (octet_length(preferences::text) <= 4096),
  updated_at timestamptz(3) not null default app_now()
);
alter table person_preferences enable row level security;
alter table person_preferences force row level security;
create policy person on person_preferences to innkeeper_app
  using (person = (select system.current_person()))
  with check (person = (select system.current_person()));
grant select, insert, update on person_preferences to innkeeper_app;

-- Access tokens of sessions that were ended before the tokens were over, as hashes. Whoever adds one removes those that are over.
create table ended_tokens (
  person text not null check (char_length(person) = 43),
  mark text not null check (char_length(mark) <= 100),
  -- Real time, as that of tokens.
  ends_at timestamptz(3) not null,
  primary key (person, mark)
);
alter table ended_tokens enable row level security;
alter table ended_tokens force row level security;
create policy person on ended_tokens to innkeeper_app
  using (person = (select system.current_person()) or ends_at <= now())
  with check (person = (select system.current_person()));
grant select, insert, delete on ended_tokens to innkeeper_app;

-- Rows of nodes that do not know these columns get them when their session is used.
alter table browser_sessions
  add column person text check (char_length(person) = 43),
  add column began_at timestamptz(3),
  add column used_at timestamptz(3),
  add column browser varchar(60),
  -- Hashes of the newest access token and of the one before, which is valid for another minute.
  add column token_marks text[] check (cardinality(token_marks) <= 2),
  add column token_ends_at timestamptz(3);
create index browser_sessions_person on browser_sessions (person) where person is not null;

-- A person sees his sessions of all tenants, and no others; a transaction of a tenant those of the tenant, as before.
drop policy tenant on browser_sessions;
create policy tenant on browser_sessions to innkeeper_app
  using (case when coalesce(current_setting('innkeeper.person', true), '') = ''
    then tenant_id = (select system.current_tenant()) else person = (select system.current_person()) end)
  with check (case when coalesce(current_setting('innkeeper.person', true), '') = ''
    then tenant_id = (select system.current_tenant()) else person = (select system.current_person()) end);

-- The tenants of a person.
create index users_person on users (iss, sub);
