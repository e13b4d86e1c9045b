import { InitialSchema } from './0001-initial-schema.ts';
import { Generation } from './0002-generation.ts';
import { ClusterMembers } from './0003-cluster-members.ts';
import { JobRounds } from './0004-job-rounds.ts';
import { Penalties } from './0005-penalties.ts';
import { CommitFunction } from './0006-commit-function.ts';
import { Companies } from './0007-companies.ts';
import { InvoiceAccounts } from './0008-invoice-accounts.ts';
import { AccountIndex } from './0009-account-index.ts';
import { InvoiceDocuments } from './0010-invoice-documents.ts';
import { PaymentDetails } from './0011-payment-details.ts';
import { CompRooms } from './0012-comp-rooms.ts';
import { SecretKeys } from './0013-secret-keys.ts';
import { UnusedFunctions } from './0014-unused-functions.ts';
import { GroupTerms } from './0017-group-terms.ts';
import { ChildAgesAndDayUse } from './0018-child-ages-and-day-use.ts';
import { CommitListNames } from './0019-commit-list-names.ts';
import { PaymentFailedNotifications } from './0020-payment-failed-notifications.ts';
import { Maintenances } from './0021-maintenances.ts';
import { Bookings } from './0022-bookings.ts';
import { ExternalIds } from './0023-external-ids.ts';
import { GroupChanges } from './0024-group-changes.ts';
import { Waitlist } from './0025-waitlist.ts';
import { Housekeeping } from './0026-housekeeping.ts';
import { AccessibleRooms } from './0027-accessible-rooms.ts';
import { RoomWishes } from './0027-room-wishes.ts';
import { Inquiries } from './0028-inquiries.ts';
import { ExtraStock } from './0029-extra-stock.ts';
import { Sharers } from './0030-sharers.ts';
import { DemoState } from './0031-demo-state.ts';
import { StayMails } from './0032-stay-mails.ts';
import { CalendarEvents } from './0033-calendar-events.ts';
import { DeskNotes } from './0034-desk-notes.ts';
import { GuestMerges } from './0035-guest-merges.ts';
import { CardTerminal } from './0036-card-terminal.ts';
import { GuestLanguages } from './0038-guest-languages.ts';
import { LetterTemplates } from './0039-letter-templates.ts';
import { Photos } from './0040-photos.ts';
import { NodeFigures } from './0041-node-figures.ts';
import { MessagesOfProperties } from './0042-messages-of-properties.ts';
import { StayPages } from './0043-stay-pages.ts';
import { People } from './0044-people.ts';
import { Invitations } from './0045-invitations.ts';
import { Sandboxes } from './0046-sandboxes.ts';
import { StayLinks } from './0047-stay-links.ts';
import { BidPricesOfNights } from './0048-bid-prices.ts';
import { LiveRatesOfNights } from './0049-live-rates.ts';
import { QuoteCountTables } from './0050-quote-counts.ts';
import { InvitationLetters } from './0051-invitation-letters.ts';
import { FailedMessages } from './0052-failed-messages.ts';
import { AcceptedRates } from './0053-accepted-rates.ts';
import { SessionPolicy } from './0054-session-policy.ts';
import { Subscriptions } from './0055-subscriptions.ts';
import { PriceExperimentTable } from './0056-price-experiments.ts';
import { ImportTables } from './0058-imports.ts';
import { AgentChannel } from './0059-agent-channel.ts';
import { Channels } from './0060-channels.ts';
import { ChannelsAfterRestore } from './0061-channels-after-restore.ts';
import { ChannelNotices } from './0062-channel-notices.ts';

/** Every migration in order, forward only. A list, not a folder scan: nothing is imported by a computed name. */
export const MIGRATIONS = [
  { name: '0001-initial-schema', class: InitialSchema },
  { name: '0002-generation', class: Generation },
  { name: '0003-cluster-members', class: ClusterMembers },
  { name: '0004-job-rounds', class: JobRounds },
  { name: '0005-penalties', class: Penalties },
  { name: '0006-commit-function', class: CommitFunction },
  { name: '0007-companies', class: Companies },
  { name: '0008-invoice-accounts', class: InvoiceAccounts },
  { name: '0009-account-index', class: AccountIndex },
  { name: '0010-invoice-documents', class: InvoiceDocuments },
  { name: '0011-payment-details', class: PaymentDetails },
  { name: '0012-comp-rooms', class: CompRooms },
  { name: '0013-secret-keys', class: SecretKeys },
  { name: '0014-unused-functions', class: UnusedFunctions },
  { name: '0017-group-terms', class: GroupTerms },
  { name: '0018-child-ages-and-day-use', class: ChildAgesAndDayUse },
  { name: '0019-commit-list-names', class: CommitListNames },
  { name: '0020-payment-failed-notifications', class: PaymentFailedNotifications },
  { name: '0021-maintenances', class: Maintenances },
  { name: '0022-bookings', class: Bookings },
  { name: '0023-external-ids', class: ExternalIds },
  { name: '0024-group-changes', class: GroupChanges },
  { name: '0025-waitlist', class: Waitlist },
  { name: '0026-housekeeping', class: Housekeeping },
  { name: '0027-accessible-rooms', class: AccessibleRooms },
  { name: '0027-room-wishes', class: RoomWishes },
  { name: '0028-inquiries', class: Inquiries },
  { name: '0029-extra-stock', class: ExtraStock },
  { name: '0030-sharers', class: Sharers },
  { name: '0031-demo-state', class: DemoState },
  { name: '0032-stay-mails', class: StayMails },
  { name: '0033-calendar-events', class: CalendarEvents },
  { name: '0034-desk-notes', class: DeskNotes },
  { name: '0035-guest-merges', class: GuestMerges },
  { name: '0036-card-terminal', class: CardTerminal },
  { name: '0038-guest-languages', class: GuestLanguages },
  { name: '0039-letter-templates', class: LetterTemplates },
  { name: '0040-photos', class: Photos },
  { name: '0041-node-figures', class: NodeFigures },
  { name: '0042-messages-of-properties', class: MessagesOfProperties },
  { name: '0043-stay-pages', class: StayPages },
  { name: '0044-people', class: People },
  { name: '0045-invitations', class: Invitations },
  { name: '0046-sandboxes', class: Sandboxes },
  { name: '0047-stay-links', class: StayLinks },
  { name: '0048-bid-prices', class: BidPricesOfNights },
  { name: '0049-live-rates', class: LiveRatesOfNights },
  { name: '0050-quote-counts', class: QuoteCountTables },
  { name: '0051-invitation-letters', class: InvitationLetters },
  { name: '0052-failed-messages', class: FailedMessages },
  { name: '0053-accepted-rates', class: AcceptedRates },
  { name: '0054-session-policy', class: SessionPolicy },
  { name: '0055-subscriptions', class: Subscriptions },
  { name: '0056-price-experiments', class: PriceExperimentTable },
  { name: '0058-imports', class: ImportTables },
  { name: '0059-agent-channel', class: AgentChannel },
  { name: '0060-channels', class: Channels },
  { name: '0061-channels-after-restore', class: ChannelsAfterRestore },
  { name: '0062-channel-notices', class: ChannelNotices },
];

/**
 * Functions that are replaced as a whole whenever their file changes, after the migrations, as innkeeper_writer.
 * A change that callers of the old text would not survive gets a new name (`.v2.sql`) beside the old one. The commit
 * function is a folder, and frozen with its first release (CONTRIBUTING.md#add-a-column).
 */
export const FUNCTION_FILES = [
  'property-actor.v1.sql',
  'guests.v1.sql',
  'erasure.v1.sql',
  'erasure.v2.sql',
  'erasure.v3.sql',
  'erasure.v4.sql',
  'erasure.v5.sql',
  'erasure.v6.sql',
  'erasure.v7.sql',
  'guest-merges.v1.sql',
  'rate-versions.v1.sql',
  // v2 is called by the release before.
  ...['v2', 'v3'].flatMap((version) =>
    ['keys', 'set-up', 'sales', 'front-desk', 'bookings', 'inventory', 'commit-batch'].map(
      (subject) => `commit-batch.${version}/${subject}.sql`,
    ),
  ),
  'generations.v1.sql',
  'checkpoint.v1.sql',
  'forget-keys.v2.sql',
  'kept-answers.v1.sql',
  'relay.v1.sql',
  'sandboxes.v1.sql',
  'subscriptions.v1.sql',
  'channels.v1.sql',
].map((name) => ({
  name,
  url: new URL(`./sql/${name}`, import.meta.url),
}));
