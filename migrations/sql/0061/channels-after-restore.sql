-- After a restore channels are asked what they have (system.rewind_tenants_v1).
grant select, update (audited_day) on channels to innkeeper_writer;
