import type { ChannelAdapter } from '../ports.ts';
import type { ChannelAdapterName } from '../rules/channel.ts';
import { genericJson } from './generic-json.ts';
import { ota2003b } from './ota-2003b.ts';

/** The protocols that channels can have. */
export const CHANNEL_PROTOCOLS: Readonly<Record<ChannelAdapterName, ChannelAdapter>> = {
  'generic-json': genericJson,
  'ota-2003b': ota2003b,
};
