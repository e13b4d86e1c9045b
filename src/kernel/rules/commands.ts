import type { GroupCommands } from './commands/groups.ts';
import type { MoneyCommands } from './commands/money.ts';
import type { PropertyCommands } from './commands/properties.ts';
import type { RateCommands } from './commands/rates.ts';
import type { RoomCommands } from './commands/rooms.ts';
import type { StayCommands } from './commands/stay.ts';
import type { Day } from './dates.ts';
import type { ErrorDetails } from './domain-error.ts';

/**
 * What may be asked of a property actor, and what it answers: the result is what gateways render and an idempotency
 * record keeps. Commands carry everything that the decision needs and that is not the actor's own: ids, ciphertext and
 * verified quotes are made before, so that deciding is a pure function.
 */
type Commands = PropertyCommands &
  RateCommands &
  RoomCommands &
  GroupCommands &
  StayCommands &
  MoneyCommands &
  TimeCommands;

/** Time is a command too: prices and grid depend only on the state. */
type TimeCommands = {
  EXPIRE: { command: object; result: { released: number } };
  TICK: { command: object; result: { businessDate: Day } };
};

export type CommandType = keyof Commands;
export type CommandOf<T extends CommandType> = { [K in T]: { type: K } & Commands[K]['command'] }[T];
export type Command = CommandOf<CommandType>;
export type CommandResults = { [T in CommandType]: Commands[T]['result'] };

/** What may be asked before it is done: a dry run answers the same and leaves no trace. */
export type DryRun = { dryRun?: boolean };

/**
 * An `Idempotency-Key`: one effect and one kept answer per tenant, subject and key (docs/reference/api.md#idempotency).
 * `ref` names the hold, or the attempt to pay, that a repeat resumes.
 */
export type KeyClaim = { key: string; fingerprint: string; ref: string };

/** What an idempotency record says: the result, or the refusal, as it was decided. */
export type IdempotencyRecord =
  | { result: unknown; seq: number }
  | { refusal: { code: string; detail: string; details: ErrorDetails }; requestId: string; seq: number };

/** Who sends a command, and under which key its answer is kept. */
export type Envelope = {
  command: Command;
  subject: string;
  requestId: string;
  /** Place in its trace (W3C `traceparent`), where it is traced. */
  trace?: string;
  key?: KeyClaim;
  /** When it is pointless to start (milliseconds, the property store's clock). */
  deadline: number;
};

/** An answer of an actor; refusals are thrown as `DomainError` with the `seq` of the state they were decided on. */
export type Reply<T> = { seq: number; result: T; replayed: boolean };
