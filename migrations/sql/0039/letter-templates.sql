-- Own texts of a property for letters to guests (docs/reference/letters.md#own-texts). Null where the text is the standard
-- one. A row stays when all of them are, because its version goes on.
create table letter_templates (
  tenant_id text not null,
  property_id varchar(50) not null,
  kind varchar(40) not null,
  language varchar(2) not null,
  subject varchar(200),
  opening varchar(2000),
  closing varchar(2000),
  version int not null default 1,
  changed_by text not null,
  changed_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id, kind, language)
);

select system.protect_tenant_table('letter_templates');
grant select, insert, update, delete on letter_templates to innkeeper_app;
