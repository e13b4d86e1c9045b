-- Keys of SECRET_KEYS that data of this database may be sealed with: a node that lacks one, or has another under its
-- name, could not read what it is asked for. The proof is a MAC of the name under the key, and says nothing of the key.
create table system.secret_key (
  id text primary key,
  proof text not null,
  first_used_at timestamptz(3) not null default app_now()
);
grant select, insert on system.secret_key to innkeeper_system;
