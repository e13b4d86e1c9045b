-- Notes of staff about a stay, or to the next shift of a property (docs/reference/desk.md#notes). No actor owns them: their
-- texts are personal data, and an erasure removes them here, which it could not do in the journal.
create table desk_notes (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  -- Null in a shift note.
  reservation_id uuid,
  business_date date not null,
  text varchar(1000) not null,
  written_by text not null,
  written_at timestamptz(3) not null,
  done_by text,
  done_at timestamptz(3),
  primary key (tenant_id, id)
);
create index desk_notes_stay on desk_notes (tenant_id, reservation_id, written_at) where reservation_id is not null;
create index desk_notes_day on desk_notes (tenant_id, property_id, business_date) where reservation_id is null;

select system.protect_tenant_table('desk_notes');
grant select, insert, update, delete on desk_notes to innkeeper_app;
