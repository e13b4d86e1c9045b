import { EventEmitter } from 'node:events';

/** Events for changes of subscriptions by this process: its runner looks at them at once. */
export class SubscriptionChanges extends EventEmitter<{ changed: [subscriptionId: string] }> {}
