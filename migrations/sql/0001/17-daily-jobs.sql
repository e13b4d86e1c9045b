-- What has been done for each property on a business day: a job runs once, whatever dies meanwhile.

create table daily_jobs (
  tenant_id text not null,
  property_id varchar(50) not null,
  job varchar(50) not null,
  date date not null,
  at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id, job, date)
);

select system.protect_tenant_table('daily_jobs');
grant select, insert, update, delete on daily_jobs to innkeeper_app;
