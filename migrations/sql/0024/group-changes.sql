-- Shoulder nights and the contact of a group (docs/reference/groups.md#groups).
alter table reservation_groups add column shoulder_nights jsonb, add column contact jsonb;
-- A night outside of the blocks with as many rooms as guests of the group have there.
alter table group_blocks add column is_shoulder boolean;
-- A block that a change leaves out, and a shoulder night that nobody has any more.
grant delete on group_blocks to innkeeper_writer;
