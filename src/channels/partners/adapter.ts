import type { Day } from '../../kernel/rules/dates.ts';
import type { ChannelMessage, ChannelRun, ChannelLine, ChannelValue } from '../rules/channel.ts';

/** A request of a channel's protocol, with the runs that it carries: each with the members that are in this request. */
export type ChannelRequest = {
  method: 'POST' | 'GET';
  /** Added to the channel's address. */
  query?: Readonly<Record<string, string>>;
  contentType: string;
  body: string;
  runs: readonly ChannelRun[];
};

/** An answer over HTTP; the body may be cut off. */
export type ChannelAnswer = { status: number; body: string };

/** A run that the channel did not take, by its index in the request. */
export type RejectedRun = { index: number; why: string };

/** What an answer means, in texts of ours: nothing of the partner's wording but its codes. */
export type ChannelVerdict = { isTaken: true; rejected: readonly RejectedRun[] } | { isTaken: false; why: string };

/** A night as the channel has it. */
export type ChannelNight = Pick<ChannelLine, 'externalRoom' | 'externalRate'> & ChannelValue & { day: Day };

/** A protocol of channels. */
export interface ChannelAdapter {
  /** Requests for a message, in the order in which they are sent: one, or two where the protocol needs it. */
  requestsOf(message: ChannelMessage): ChannelRequest[];
  verdictOf(answer: ChannelAnswer, request: ChannelRequest): ChannelVerdict;
  /** Reads what the channel has; absent where the protocol has no such request. Both days inclusive. */
  readBack?: {
    request(of: { propertyId: string; from: Day; to: Day }): ChannelRequest;
    /** `undefined` when the channel cannot say. */
    nightsOf(answer: ChannelAnswer): ChannelNight[] | undefined;
  };
}
