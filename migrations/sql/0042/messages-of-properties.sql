-- Messages of a property, newest first (docs/reference/desk.md#messages). None of the columns ever changes.
create index notifications_property on notifications (tenant_id, property_id, at);
