-- Photos of properties and of their room types (docs/reference/photos.md#photos). No actor owns them: nothing is decided by
-- them, and they are too large for a journal.
create table property_photos (
  tenant_id text not null,
  property_id varchar(50) not null,
  -- SHA-256 of the content as it is served, 32 hexadecimal digits: a photo is there once.
  photo_id varchar(32) not null,
  -- Null for one of the property itself.
  room_type varchar(50),
  media_type varchar(20) not null,
  width int not null,
  height int not null,
  alt varchar(300) not null,
  position int not null,
  content bytea not null check (octet_length(content) <= 3145728),
  created_by text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, property_id, photo_id)
);
-- Compressed already.
alter table property_photos alter column content set storage external;

select system.protect_tenant_table('property_photos');
grant select, insert, update, delete on property_photos to innkeeper_app;
