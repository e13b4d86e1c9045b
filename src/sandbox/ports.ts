import type { Address, Caller } from '../kernel/rules/caller.ts';
import type { PropertyId } from '../kernel/rules/ids.ts';
import type { SandboxState } from './rules/sandbox-state.ts';

/** The sandbox of a property as its owner sees it. */
export type Sandbox = {
  state: SandboxState;
  /** The copy; absent without one. */
  sandboxId?: PropertyId;
  /** How far it is written. */
  percent: number;
};

/** Sandboxes of properties, at most one of each (docs/concepts/sandbox.md#how-the-year-is-written). */
export interface Sandboxes {
  of(to: Address): Promise<Sandbox>;
  /**
   * Makes the sandbox behind the answer; one that is there, or being made, stays.
   * @param name of the copy; that of the property with a note when absent
   * @throws DomainError PROPERTY_NOT_FOUND; INVALID_STATE where nobody could be invented: no room has a number and a price
   */
  begin(caller: Caller, to: Address, name?: string): Promise<Sandbox>;
  /** Throws it away behind the answer; without one nothing happens. */
  end(caller: Caller, to: Address): Promise<Sandbox>;
  /** The same for a property that has been deleted: its sandbox goes with it. */
  endWithProperty(caller: Caller, to: Address): Promise<void>;
}

/** A run that makes or ends a sandbox; `run` is what it may still write under. */
export type SandboxRun = { run: string; number: number; sandboxId: PropertyId };

/** A sandbox as it is stored. */
export type StoredSandbox = SandboxRun & {
  state: 'NONE' | 'PLAYING' | 'READY' | 'ENDING' | 'FAILED';
  percent: number;
  /** Whether its run has not said for a while that it lives. */
  isStale: boolean;
  /** Whether the copy is a property that is not deleted. */
  isThere: boolean;
};

export interface SandboxStore {
  of(to: Address): Promise<StoredSandbox | undefined>;
  /**
   * Takes the property for a run that makes its sandbox, where nobody is at work.
   * @param replaced a sandbox in READY that is not there any more
   */
  beginRun(to: Address, run: SandboxRun, replaced: boolean): Promise<boolean>;
  /** Takes it for a run that ends its sandbox, also from one that makes it. */
  endRun(to: Address, run: string): Promise<boolean>;
  /** Says that a run lives, and how far it is. @returns false where another one has taken over */
  touch(to: Address, run: string, percent: number): Promise<boolean>;
  finish(to: Address, run: string, state: StoredSandbox['state']): Promise<void>;
  /** Removes every row of a sandbox and its invented guests, in one transaction. */
  remove(to: Address): Promise<void>;
  /** Whether there was ever a property with this id. */
  isUsed(to: Address): Promise<boolean>;
}
