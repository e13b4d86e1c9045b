-- On whose account a payment by invoice is: 'company:<id>' or 'channel:<channel>'; null for all others, and where nobody
-- was named. A column, for under row security no index on what stands in reservations.details would ever be used by
-- innkeeper_app (->> may not run before the policy).
alter table payments add column account varchar(60);

-- As its reservation says when the payment is written; a refund is on the account of its charge.
create function system.put_on_account() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if new.charge_id is not null then
    select c.account into new.account from public.payments c
    where c.tenant_id = new.tenant_id and c.id = new.charge_id;
  end if;
  if new.account is null then
    select case r.details -> 'guarantee' ->> 'kind'
        when 'CHANNEL' then 'channel:' || (r.details -> 'guarantee' ->> 'channel')
        else 'company:' || lower(r.details ->> 'companyId') end
      into new.account
    from public.reservations r where r.tenant_id = new.tenant_id and r.id = new.reservation_id;
  end if;
  return new;
end
$$;

-- The database does it for whoever writes: nodes of the release before have a commit function that knows no accounts.
-- Payments in any other way cost no more than the comparison.
create trigger put_on_account before insert or update on payments for each row
  when (new.method = 'INVOICE' and new.account is null) execute function system.put_on_account();
