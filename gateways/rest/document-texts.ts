/** A group of operations in the interactive page. */
type Tag = { name: string; description: string };

/** Tags by controller, in the order of a newcomer's needs: prices and bookings first, tools last. */
export const TAGS: ReadonlyMap<string, Tag> = new Map([
  ['Rates', { name: 'Prices', description: 'What a stay costs, and the base rates behind it' }],
  ['RatePlans', { name: 'Rate plans', description: 'Under which conditions a price is sold' }],
  ['Restrictions', { name: 'Restrictions', description: 'Minimum stays, closed arrivals and departures, stop sell' }],
  ['Promotions', { name: 'Promotions', description: 'Discounts with codes, periods and a number of rooms' }],
  [
    'CalendarEvents',
    { name: 'Calendar events', description: 'Fairs, concerts and holidays on the nights of a property' },
  ],
  ['Yield', { name: 'Yield', description: 'Analysis, demand forecast and recommended rates' }],
  ['CompetitorSync', { name: 'Competitor rates', description: 'When the market was asked, and asking it now' }],
  [
    'RateAdmin',
    { name: 'Administration of rates', description: 'Validation, recalculation and the cache of prices' },
  ],
  ['Availability', { name: 'Availability', description: 'Rooms left by night, and the inventory behind them' }],
  ['ChainSearch', { name: 'Search of all properties', description: 'The cheapest rooms of a tenant for a stay' }],
  ['Reservations', { name: 'Reservations', description: 'Book, change, cancel, check in, take payment, check out' }],
  ['Holds', { name: 'Holds', description: 'Rooms kept for a guest who is still deciding' }],
  ['Inquiries', { name: 'Inquiries', description: 'Quotes kept with a name, without a room' }],
  ['Waitlist', { name: 'Waitlist', description: 'Refused requests that wait for a room' }],
  ['Groups', { name: 'Groups', description: 'Blocks of rooms for one party' }],
  ['Guests', { name: 'Guests', description: 'Profiles with loyalty, stays, export and erasure' }],
  [
    'StayDocuments',
    { name: 'Documents of a stay', description: 'Room, history, invoice, survey and identity check' },
  ],
  [
    'ReservationMoney',
    { name: 'Exceptions of a stay', description: 'Confirm, walk, waive a penalty, force a check-out' },
  ],
  ['AgreedPrice', { name: 'Agreed prices', description: 'Complimentary nights, and upgrades for a surcharge' }],
  ['Invoices', { name: 'Invoices', description: 'Issued invoices and credit notes by number' }],
  ['Folio', { name: 'Folio', description: 'What a stay costs, line by line, and who pays for it' }],
  ['Refunds', { name: 'Refunds', description: 'What is still to be paid back' }],
  ['Chargebacks', { name: 'Chargebacks', description: 'Payments that card issuers have taken back' }],
  ['Companies', { name: 'Companies', description: 'Who is invoiced, what they owe and have paid' }],
  ['ReservationAdmin', { name: 'Room assignment', description: 'Rooms for reservations, conflicts, room status' }],
  ['HousekeepingTasks', { name: 'Housekeeping', description: 'Rooms to clean and to inspect' }],
  ['HousekeepingReports', { name: 'Housekeeping reports', description: 'Minutes that rooms have taken' }],
  ['ExchangeRates', { name: 'Exchange rates', description: 'What money of other currencies is counted at' }],
  ['Extras', { name: 'Extras', description: 'Services that are charged besides the room' }],
  ['DayReportLists', { name: 'Lists of a day', description: 'Arrivals, departures, balances and more, to print' }],
  ['AnalyticsReports', { name: 'Reports', description: 'Daily reports of the night audit, and their figures' }],
  ['SalesFigureReports', { name: 'Sales figures', description: 'Booking curve, mix and rates of competitors' }],
  ['History', { name: 'History of a night', description: 'Changes of a night, and pickup' }],
  ['Bookings', { name: 'Bookings of several rooms', description: 'All rooms or none, and who stays in them' }],
  ['TenantReservations', { name: 'Reservations by tenant', description: 'The same with the tenant in the path' }],
  ['Properties', { name: 'Properties', description: 'Set a property up, change and delete it' }],
  ['RoomTypes', { name: 'Room types', description: 'Kinds of rooms of a property' }],
  ['Rooms', { name: 'Rooms', description: 'Numbered rooms and their status' }],
  ['ChannelMappings', { name: 'Channel mappings', description: 'Names of our room types at sales channels' }],
  ['SalesChannels', { name: 'Channels', description: 'Other sellers of the rooms of a property' }],
  ['EventWebhooks', { name: 'Webhooks', description: 'Addresses of other systems that are sent events' }],
  ['Tenants', { name: 'Tenant', description: 'Name, type and default policies' }],
  ['Users', { name: 'Users', description: 'Who belongs to the tenant' }],
  ['UserAssociations', { name: 'Roles of users', description: 'What each user may do' }],
  ['UserInvitations', { name: 'Invitations', description: 'Colleagues who have not signed in yet' }],
  ['TenantLimits', { name: 'Limits', description: 'What bounds the tenant' }],
  ['AuditTrail', { name: 'Audit trail', description: 'Who changed what, when' }],
  ['OperatorTenants', { name: 'Tenants of the installation', description: 'Only for its operator' }],
  ['OperatorCluster', { name: 'Nodes of the installation', description: 'Only for its operator' }],
  ['Receipts', { name: 'Receipts', description: 'Pages for guests who have the link' }],
  ['Surveys', { name: 'Surveys', description: 'Pages for guests who have the link' }],
  ['EventTest', { name: 'Event test', description: 'Whether events reach their topic' }],
  ['AsyncApi', { name: 'Events', description: 'The AsyncAPI document of the event streams' }],
  ['DevEvents', { name: 'Development: events', description: 'Events as consumers read them' }],
  ['DevOutbox', { name: 'Development: messages', description: 'Messages that development does not send' }],
  ['DevDemo', { name: 'Development: demo', description: 'The pace of the guests of the demo' }],
  ['DevClock', { name: 'Development: clock', description: 'The time of the service' }],
  ['Health', { name: 'Health', description: 'Whether the service and its components are up' }],
  ['Metrics', { name: 'Metrics', description: 'Counters, gauges and histograms' }],
  ['Loggers', { name: 'Log levels', description: 'Levels of the log at run time' }],
  ['ProblemPages', { name: 'Problems', description: 'Cause and remedy of each problem' }],
]);

/** How readers of the page get an access token. */
export function tokenGuide(development: boolean): string {
  return development
    ? [
        'To try a request: run `npm run token -- --tenant demo --role MANAGER` in the folder of the service,',
        'press **Authorize**, paste the token under `bearer`, and then **Try it out** at any operation.',
        'Other roles: VIEWER, STAFF, ADMIN, OWNER; `npm run token -- --operator` is for the operations of the installation.',
        'User and password of `basic` are in `dev.json` of the data directory.',
      ].join(' ')
    : 'To try a request: press **Authorize** and paste an access token of your issuer under `bearer`.';
}
