-- Letters that bring invitations (docs/reference/set-up.md#letters-of-invitations), who has invited, and when it was
-- accepted. Null where the service sends no letter.
alter table invitations
  add column invited_by text,
  add column accepted_at timestamptz(3),
  add column letter_language varchar(2),
  add column letter_state varchar(10),
  -- When the letter was ordered: it names the letter, of which an invitation has one at a time.
  add column letter_at timestamptz(3),
  add column letter_due_at timestamptz(3),
  add column letter_sent_at timestamptz(3),
  add column letter_attempts int,
  add column letter_error varchar(100),
  -- Letters of the day that begins with the first of them.
  add column letters int,
  add column letters_since timestamptz(3);
