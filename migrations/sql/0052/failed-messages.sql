-- Notices of messages that could not be sent (docs/reference/own-settings.md#what-waits): few of many.
create index notifications_failed on notifications (tenant_id, property_id) where state in ('FAILED', 'UNKNOWN');
