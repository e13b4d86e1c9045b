-- Language of messages to a guest (docs/reference/guests.md#language), ISO 639-1; null where nobody has said one.
alter table guests add column language varchar(2);
