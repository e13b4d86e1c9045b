-- Values that clients know: they are only added (docs/reference/api.md#every-answer).

create type tenant_status as enum ('TRIAL', 'ACTIVE', 'SUSPENDED', 'INACTIVE', 'CANCELLED');
create type tenant_type as enum ('INDEPENDENT', 'CHAIN', 'FRANCHISE', 'MANAGEMENT_COMPANY');
create type tenant_role as enum ('OWNER', 'ADMIN', 'MANAGER', 'STAFF', 'VIEWER');
create type reservation_status as enum
  ('PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED', 'NO_SHOW');
create type reservation_source as enum ('DIRECT', 'WEBSITE', 'PHONE', 'WALKIN', 'OTA', 'CORPORATE', 'GROUP');
create type payment_status as enum ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED', 'REFUNDED');
create type room_status as enum ('AVAILABLE', 'OCCUPIED', 'DIRTY', 'CLEAN', 'INSPECTED', 'OUT_OF_ORDER');
create type rate_strategy as enum ('FIXED', 'DYNAMIC', 'SEASONAL', 'WEEKEND', 'LASTMINUTE', 'EARLYBIRD');

create type rate_status as enum ('DRAFT', 'ACTIVE', 'INACTIVE');
create type availability_status as enum ('OPEN', 'LIMITED', 'SOLD_OUT', 'CLOSED');
create type payment_method as enum
  ('CREDIT_CARD', 'DEBIT_CARD', 'CASH', 'BANK_TRANSFER', 'INVOICE', 'CARD_ON_FILE');
create type transaction_type as enum ('CHARGE', 'REFUND', 'VOID');
create type metric_type as enum ('OCCUPANCY', 'ADR', 'REVPAR', 'CANCELLATION_RATE', 'PICKUP');
create type loyalty_tier as enum ('NONE', 'SILVER', 'GOLD', 'PLATINUM');
-- Ours, of the rows behind a property actor.
create type hold_kind as enum ('PAYING', 'PENDING', 'EXPLICIT', 'LATE');
create type key_state as enum ('IN_PROGRESS', 'DONE');
create type time_granularity as enum ('DAY', 'WEEK', 'MONTH');
