-- Payments by a card terminal beside the desk (docs/reference/reservations.md#card-terminal): {"terminal": {"reference",
-- "cardLast4"}} in payments.details. A slip is recorded once in a property; an attempt that came to nothing frees it.
alter type payment_method add value if not exists 'TERMINAL';
create unique index payments_terminal_reference
  on payments (tenant_id, property_id, upper(details -> 'terminal' ->> 'reference'))
  where details -> 'terminal' is not null and status <> 'FAILED' and status <> 'CANCELLED';
