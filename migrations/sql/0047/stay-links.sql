-- Staff mail a guest the link of the stay (docs/guide/my-stay.md#at-the-desk).
alter type notification_kind add value if not exists 'STAY_LINK';
