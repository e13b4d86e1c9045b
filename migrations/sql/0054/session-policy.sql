-- A change that waited for the lock of another evaluates the sub-queries of a policy all at once, also those of the branch that
-- does not apply, and these fail without a tenant or person. Plain calls are evaluated in their branch alone.
drop policy tenant on browser_sessions;
create policy tenant on browser_sessions to innkeeper_app
  using (case when coalesce(current_setting('innkeeper.person', true), '') = ''
    then tenant_id = system.current_tenant() else person = system.current_person() end)
  with check (case when coalesce(current_setting('innkeeper.person', true), '') = ''
    then tenant_id = system.current_tenant() else person = system.current_person() end);
