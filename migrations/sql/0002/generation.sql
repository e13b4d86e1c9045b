-- How often the history of this database was rewound (restore, point-in-time recovery), counted from 1. A property that
-- is created after that begins in this generation: one of its name may have had positions in what was rewound.
create table system.generation (
  only_row boolean primary key default true check (only_row),
  current int not null default 1 check (current > 0)
);
insert into system.generation default values;

grant select, update (current) on system.generation to innkeeper_writer;
