-- Browsers that are signed in at the dashboards, on whatever node. The id is a hash of what the browser has in its
-- cookie, and what the session may do is sealed under SECRET_KEYS: these rows alone sign nobody in.
create table browser_sessions (
  tenant_id text not null,
  id text not null,
  sealed varchar(32768) not null,
  -- Real time, as that of tokens: the development clock ends no session.
  ends_at timestamptz(3) not null,
  -- Somebody has gone to the issuer for a new token, which can be had once: nobody else goes before this.
  renewing_until timestamptz(3),
  primary key (tenant_id, id)
);
create index browser_sessions_end on browser_sessions (tenant_id, ends_at);

select system.protect_tenant_table('browser_sessions');
grant select, insert, update, delete on browser_sessions to innkeeper_app;
