import type { GroupCommands } from './commands/groups.ts';
import type { ImportCommands } from './commands/imports.ts';
import type { InquiryCommands } from './commands/inquiries.ts';
import type { MailCommands } from './commands/mails.ts';
import type { MoneyCommands } from './commands/money.ts';
import type { NoteCommands } from './commands/notes.ts';
import type { PropertyCommands } from './commands/properties.ts';
import type { RateCommands } from './commands/rates.ts';
import type { RoomCommands } from './commands/rooms.ts';
import type { StayCommands } from './commands/stay.ts';
import type { WaitlistCommands } from './commands/waitlist.ts';
import type { Day } from './dates.ts';
import type { ErrorDetails } from './domain-error.ts';
import type { Instant } from './property-time.ts';

/**
 * Commands of a property actor with their results: what gateways render and idempotency records store. Commands
 * contain everything that the decision needs beside the state: ids, ciphertext and verified quotes are made before, so
 * that deciding is a pure function.
 */
type Commands = PropertyCommands &
  RateCommands &
  RoomCommands &
  GroupCommands &
  StayCommands &
  MoneyCommands &
  WaitlistCommands &
  InquiryCommands &
  NoteCommands &
  MailCommands &
  ImportCommands &
  TimeCommands;

/** Commands of time: prices and grid depend on the state alone, so time changes the state too. */
type TimeCommands = {
  EXPIRE: { command: object; result: { released: number } };
  TICK: { command: object; result: { businessDate: Day } };
};

export type CommandType = keyof Commands;
export type CommandOf<T extends CommandType> = { [K in T]: { type: K } & Commands[K]['command'] }[T];
export type Command = CommandOf<CommandType>;
export type CommandResults = { [T in CommandType]: Commands[T]['result'] };

/** Commands with a dry run: the same answer without any effect. */
export type DryRun = { dryRun?: boolean };

/**
 * An `Idempotency-Key`: one effect and one recorded answer per tenant, subject and key
 * (docs/reference/api.md#idempotency). `ref` names the hold or payment attempt that a repeat resumes.
 */
export type KeyClaim = { key: string; fingerprint: string; ref: string };

/** Recorded answer of a key: the result or the error, as decided. */
export type IdempotencyRecord =
  | { result: unknown; seq: number }
  | { refusal: { code: string; detail: string; details: ErrorDetails }; requestId: string; seq: number };

/** A command with its sender and its idempotency key. */
export type Envelope = {
  command: Command;
  subject: string;
  requestId: string;
  /** Position in its trace (W3C `traceparent`), where it is traced. */
  trace?: string;
  key?: KeyClaim;
  /** When it is pointless to start (milliseconds, the property store's clock). */
  deadline: Instant;
};

/** An answer of an actor. Errors are thrown as `DomainError` with the `seq` of the state they were decided on. */
export type Reply<T> = { seq: number; result: T; replayed: boolean };
