import type { Address, Caller } from '../domain/caller.ts';
import type { Command, Envelope, Reply } from '../domain/commands.ts';
import type { FollowFrom, LiveFeed, LiveListener } from './properties.ts';
import type { Member } from './placement.ts';

/** The call found nobody, or was cut off. */
export class LinkLost extends Error {
  /** Whether the other node may have begun with it. */
  readonly mayHaveRun: boolean;

  constructor(member: Member, why: string, mayHaveRun: boolean) {
    super(`node ${member.nodeId} at ${member.host}:${member.port}: ${why}`);
    this.name = 'LinkLost';
    this.mayHaveRun = mayHaveRun;
  }
}

/** The node that was asked does not own the property; its view has this version. */
export class NotOwner extends Error {
  readonly viewVersion: number;
  /** Who has it in memory, where that is known. */
  readonly holder: Member | undefined;

  constructor(viewVersion: number, holder?: Member) {
    super('the node does not own the property');
    this.name = 'NotOwner';
    this.viewVersion = viewVersion;
    this.holder = holder;
  }
}

/** What nodes ask of each other about properties. Each call has an end: an answer, a refusal, or {@link LinkLost}. */
export interface NodeLinks {
  /** @throws Refusal of the owner, NotOwner, LinkLost */
  execute(member: Member, to: Address, envelope: Envelope & { command: Command }): Promise<Reply<unknown>>;
  /** Follows a property at its owner. @throws as `execute` */
  follow(member: Member, to: Address, from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed>;
  /**
   * Asks the node to let go of a property, unless it has it in memory: then it is the one to ask until it moves.
   * @returns whether it has let go @throws LinkLost
   */
  release(member: Member, to: Address): Promise<boolean>;
  /** Has the node wake a property that was handed over to it; answers when it can be asked. @throws LinkLost */
  takeOver(member: Member, to: Address): Promise<void>;
  /** What the node remembers of a tenant's rates is believed no more. @returns how many properties @throws LinkLost */
  forgetRates(member: Member, tenantId: string): Promise<number>;
}

/** What another node has found out about a request that it hands on. */
export type Admitted = { caller?: Caller; operator?: { subject: string; requestId: string } };

/** What a request may still do: go whole to another node, as long as nothing of it has been done here. */
export type Turn = {
  /** Whether a command of it was given to an actor: what it is about to do is then done from here. */
  begun: boolean;
  /** It came from another node, which has let it in. */
  admitted?: Admitted;
  /** Whether it may go on to a further node: the one it came from cannot reach the owner itself. */
  relay?: boolean;
  /** Who has the property, found out on the way. */
  holder?: Member;
};

/** The request that the present work belongs to. */
export interface Turns {
  current(): Turn | undefined;
  run<T>(turn: Turn, work: () => T): T;
}

/** A request's property lives elsewhere, and nothing was done yet: whoever received it hands it on as a whole. */
export class Elsewhere extends Error {
  readonly to: Address;
  /** Who has it in memory, where that is not whom the view names. */
  readonly holder: Member | undefined;

  constructor(to: Address, holder?: Member) {
    super('the property lives on another node');
    this.name = 'Elsewhere';
    this.to = to;
    this.holder = holder;
  }
}
