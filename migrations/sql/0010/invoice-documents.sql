-- Invoices and credit notes as they were issued (docs/reference/invoices.md#issue). A row is written with the commit that
-- makes it due and never again: innkeeper_writer may insert, and of a row change nothing but the words of its lines, when
-- a guest is erased.
create table invoice_documents (
  tenant_id text not null,
  property_id varchar(50) not null,
  -- Printed once in a property, whatever an owner that does not know of another one gives out.
  number varchar(50) not null,
  kind varchar(20) not null check (kind in ('INVOICE', 'CREDIT_NOTE')),
  -- Its place in the sequence of its kind and year; null where release 0.1.0 gave the number.
  year int,
  serial int check (serial > 0),
  reservation_id uuid not null,
  confirmation_number varchar(20) not null,
  corrects varchar(50),
  issued_at timestamptz(3) not null,
  issued_by json not null,
  -- {"name", "address"}: tax law wants it retained when the guest is erased.
  issued_to json not null,
  currency char(3) not null,
  subtotal numeric(12, 2) not null default 0,
  taxes numeric(12, 2) not null default 0,
  fees numeric(12, 2) not null default 0,
  total numeric(12, 2) not null default 0,
  lines json not null,
  primary key (tenant_id, property_id, number),
  check (total = subtotal + taxes + fees),
  check ((kind = 'CREDIT_NOTE') = (corrects is not null)),
  check ((year is null) = (serial is null)),
  check (serial is null or number = case kind when 'INVOICE' then 'INV-' else 'CN-' end || year || '-'
    || lpad(serial::text, greatest(6, length(serial::text)), '0'))
);
-- The end of each sequence is read whenever a property is activated, and documents are listed by their numbers.
create unique index invoice_documents_sequence on invoice_documents (tenant_id, property_id, kind, year, serial)
  where serial is not null;
create index invoice_documents_reservation on invoice_documents (tenant_id, reservation_id);

select system.protect_tenant_table('invoice_documents');
grant select on invoice_documents to innkeeper_app;
grant select, insert on invoice_documents to innkeeper_writer;
grant update (lines) on invoice_documents to innkeeper_writer;
