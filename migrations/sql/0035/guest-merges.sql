-- Profiles of one person that were merged, consent, and the version of a profile (docs/reference/guests.md#guests). A merged
-- profile keeps its row: reservations, which property actors own, and journals keep its id, and its key opens them.
alter table guests
  -- The surviving profile; never one that is merged itself.
  add column merged_into uuid,
  add column merged_at timestamptz(3),
  -- {"marketingByMail", "at", "by"}; null when nobody has asked the guest.
  add column consent jsonb,
  add column version int not null default 1;
create index guests_merged on guests (tenant_id, merged_into) where merged_into is not null;

-- A note about a guest belongs to no property: its property_id is ''.
alter table desk_notes add column guest_id uuid;
create index desk_notes_guest on desk_notes (tenant_id, guest_id, written_at) where guest_id is not null;
