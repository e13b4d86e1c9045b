import { v7 as uuidv7 } from 'uuid';

import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ChangeChannelBody, ChannelsQuery, CreateChannelBody } from '../contracts/channels.ts';
import type { Channel } from '../rules/channel.ts';
import { channelOwner } from './channel-owner.ts';

type Connecting = Pick<Services, 'channels' | 'channelLinks' | 'sealed' | 'subscriptionChanges'>;

/** Channels of a tenant or of one property, oldest first. */
export const listChannels = (
  { channels }: Pick<Services, 'channels'>,
  { tenantId }: Caller,
  { propertyId }: ChannelsQuery,
): Promise<Channel[]> => channels.list(tenantId, propertyId);

/** @throws DomainError CHANNEL_NOT_FOUND */
export async function getChannel(
  { channels }: Pick<Services, 'channels'>,
  { tenantId }: Caller,
  channelId: string,
): Promise<Channel> {
  const found = await channels.get(tenantId, channelId);
  if (!found) throw new DomainError('CHANNEL_NOT_FOUND', 'The tenant has no such channel.');
  return found;
}

/**
 * Connects a channel to a property, and sends it everything. @throws DomainError PROPERTY_NOT_FOUND, UNKNOWN_ROOM_TYPE,
 * UNKNOWN_RATE_CODE, ALREADY_EXISTS, INVALID_STATE, VALIDATION_FAILED for its address
 */
export async function createChannel(
  services: Connecting,
  by: By,
  { authorization, ...settings }: CreateChannelBody,
  key?: RequestKey,
): Promise<Done<Channel>> {
  mustBeReachable(services, settings.url);
  const channelId = uuidv7();
  const sealed = authorization && services.sealed.seal(authorization, channelOwner(by.tenantId, channelId));
  const channel = { ...settings, channelId, ...(sealed && { authorization: sealed }) };
  const done = await services.channels.create(by, channel, key);
  services.subscriptionChanges.emit('changed', done.result.channelId);
  return done;
}

/** Replaces the settings of a channel, pauses or resumes it. @throws DomainError CHANNEL_NOT_FOUND and as {@link createChannel} */
export async function changeChannel(
  services: Connecting,
  by: By,
  channelId: string,
  { authorization, ...change }: ChangeChannelBody,
  key?: RequestKey,
): Promise<Done<Channel>> {
  mustBeReachable(services, change.url);
  const sealed = authorization && services.sealed.seal(authorization, channelOwner(by.tenantId, channelId));
  const header = authorization === undefined ? {} : { authorization: sealed ?? null };
  return woken(services, channelId, await services.channels.change(by, channelId, { ...change, ...header }, key));
}

/** Ends a channel with its mappings; what it has stays as it is there. @throws DomainError CHANNEL_NOT_FOUND */
export async function removeChannel(
  services: Connecting,
  by: By,
  channelId: string,
  key?: RequestKey,
): Promise<Done<null>> {
  return woken(services, channelId, await services.channels.remove(by, channelId, key));
}

/** Sends a channel everything again. @throws DomainError CHANNEL_NOT_FOUND */
export async function sendAllToChannel(
  services: Connecting,
  by: By,
  channelId: string,
  key?: RequestKey,
): Promise<Done<Channel>> {
  return woken(services, channelId, await services.channels.sendAll(by, channelId, key));
}

function woken<T>({ subscriptionChanges }: Connecting, channelId: string, done: T): T {
  subscriptionChanges.emit('changed', channelId);
  return done;
}

function mustBeReachable({ channelLinks }: Connecting, url: string): void {
  const fault = channelLinks.faultOf(url);
  if (fault === undefined) return;
  const errors = [{ pointer: '/url', code: 'ADDRESS_REFUSED', detail: fault }];
  throw new DomainError('VALIDATION_FAILED', `The address ${fault}.`, { errors });
}
