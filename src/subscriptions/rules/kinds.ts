/** What a subscription is for: who sends its events. */
const SUBSCRIPTION_KINDS = ['WEBHOOK', 'CHANNEL'] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];
