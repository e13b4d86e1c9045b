import type { ModuleMetadata } from '@nestjs/common';

import {
  COMPONENTS,
  diskSpace,
  type HealthBoard,
  ping,
  unconfigured,
} from '../../gateways/http/telemetry/health-board.ts';
import type { Metrics } from '../../gateways/http/telemetry/metrics.ts';
import type { NodeFigures } from '../../gateways/http/telemetry/node-figures.ts';
import type { NodeStatus } from '../../gateways/http/telemetry/node-status.ts';
import type { OperatorReads } from '../../gateways/http/telemetry/operator-reads.ts';
import { AgentLimits } from '../../gateways/mcp/agent-limits.ts';
import { agentHandler } from '../../gateways/mcp/agent-server.ts';
import { Mcp, MCP, type McpParts } from '../../gateways/mcp/mcp.ts';
import { SERVICES } from '../../gateways/rest/answer.ts';
import { ChannelMappings } from '../../gateways/rest/channels/channel-mappings.ts';
import { SalesChannels } from '../../gateways/rest/channels/channels.ts';
import { CompetitorSync } from '../../gateways/rest/competitors/competitor-sync.ts';
import { DEMO_STATES, DevDemo } from '../../gateways/rest/demo/demo.ts';
import { AsyncApi, ASYNC_API } from '../../gateways/rest/events/asyncapi.ts';
import { DevEvents, EVENT_LOG } from '../../gateways/rest/events/dev-events.ts';
import { EventTest, TEST_EVENTS } from '../../gateways/rest/events/event-test.ts';
import { PropertyEvents } from '../../gateways/rest/events/property-events.ts';
import { Groups } from '../../gateways/rest/groups/groups.ts';
import { Guests } from '../../gateways/rest/guests/guests.ts';
import { History } from '../../gateways/rest/history/history.ts';
import { Imports } from '../../gateways/rest/imports/imports.ts';
import { Chargebacks } from '../../gateways/rest/money/chargebacks.ts';
import { Companies } from '../../gateways/rest/money/companies.ts';
import { ExchangeRates } from '../../gateways/rest/money/exchange-rates.ts';
import { Extras } from '../../gateways/rest/money/extras.ts';
import { Folio } from '../../gateways/rest/money/folio.ts';
import { Invoices } from '../../gateways/rest/money/invoices.ts';
import { Refunds } from '../../gateways/rest/money/refunds.ts';
import { ReservationMoney } from '../../gateways/rest/money/reservation-money.ts';
import { DevOutbox, OUTBOX } from '../../gateways/rest/notifications/dev-outbox.ts';
import { Letters } from '../../gateways/rest/notifications/letters.ts';
import { PropertyMessages } from '../../gateways/rest/notifications/property-messages.ts';
import { WaitingNotices } from '../../gateways/rest/notifications/waiting-matters.ts';
import { COUNT_VIOLATIONS, ReservationAdmin } from '../../gateways/rest/platform/admin.ts';
import { DevClock, DEVELOPMENT_CLOCK } from '../../gateways/rest/platform/dev-clock.ts';
import { HealthController, HEALTH } from '../../gateways/rest/platform/health.ts';
import { LoggersController, LOGGERS } from '../../gateways/rest/platform/loggers.ts';
import { MetricsController, METRICS } from '../../gateways/rest/platform/metrics.ts';
import { CLUSTER_REPORTS, OperatorCluster } from '../../gateways/rest/platform/operator-cluster.ts';
import { OPERATOR_READS, OperatorFigures } from '../../gateways/rest/platform/operator-figures.ts';
import { NODE_LOOKS, OperatorProperties } from '../../gateways/rest/platform/operator-properties.ts';
import { ProblemPages } from '../../gateways/rest/problems.ts';
import { Photos } from '../../gateways/rest/properties/photos.ts';
import { Properties } from '../../gateways/rest/properties/properties.ts';
import { CalendarEvents } from '../../gateways/rest/rates/calendar-events.ts';
import { Promotions } from '../../gateways/rest/rates/promotions.ts';
import { RateAdmin } from '../../gateways/rest/rates/rate-admin.ts';
import { RatePlans } from '../../gateways/rest/rates/rate-plans.ts';
import { Rates } from '../../gateways/rest/rates/rates.ts';
import { Restrictions } from '../../gateways/rest/rates/restrictions.ts';
import { AnalyticsReports } from '../../gateways/rest/revenue/analytics.ts';
import { Availability } from '../../gateways/rest/revenue/availability.ts';
import { ChainSearch } from '../../gateways/rest/revenue/chain-search.ts';
import { DayReportLists } from '../../gateways/rest/revenue/day-reports.ts';
import { Experiments } from '../../gateways/rest/revenue/price-experiments.ts';
import { SalesFigureReports } from '../../gateways/rest/revenue/sales-figures.ts';
import { Yield } from '../../gateways/rest/revenue/yield.ts';
import { HousekeepingReports } from '../../gateways/rest/rooms/housekeeping-reports.ts';
import { HousekeepingTasks } from '../../gateways/rest/rooms/housekeeping.ts';
import { Maintenances } from '../../gateways/rest/rooms/maintenances.ts';
import { RoomAssignmentRuns } from '../../gateways/rest/rooms/room-assignments.ts';
import { RoomTypes } from '../../gateways/rest/rooms/room-types.ts';
import { Rooms } from '../../gateways/rest/rooms/rooms.ts';
import { PropertySandbox, SANDBOXES } from '../../gateways/rest/sandbox/sandbox.ts';
import { AgreedPrice } from '../../gateways/rest/stay/agreed-price.ts';
import { Bookings } from '../../gateways/rest/stay/bookings.ts';
import { Receipts, Surveys } from '../../gateways/rest/stay/guest-pages.ts';
import { Holds } from '../../gateways/rest/stay/holds.ts';
import { Inquiries } from '../../gateways/rest/stay/inquiries.ts';
import { Reservations } from '../../gateways/rest/stay/reservations.ts';
import { ShiftNotes } from '../../gateways/rest/stay/shift-notes.ts';
import { StayDesk } from '../../gateways/rest/stay/stay-desk.ts';
import { StayDocuments } from '../../gateways/rest/stay/stay-documents.ts';
import { StayMailing } from '../../gateways/rest/stay/stay-mails.ts';
import { TenantReservations } from '../../gateways/rest/stay/tenant-reservations.ts';
import { Waitlist } from '../../gateways/rest/stay/waitlist.ts';
import { UserAssociations } from '../../gateways/rest/tenants/associations.ts';
import { AuditTrail } from '../../gateways/rest/tenants/audit-trail.ts';
import { UserInvitations } from '../../gateways/rest/tenants/invitations.ts';
import { TenantLimits } from '../../gateways/rest/tenants/limits.ts';
import { OperatorTenants, USED_NOW } from '../../gateways/rest/tenants/operator-tenants.ts';
import { Tenants } from '../../gateways/rest/tenants/tenants.ts';
import { Users } from '../../gateways/rest/tenants/users.ts';
import { EventWebhooks } from '../../gateways/rest/webhooks/webhooks.ts';
import type { HealthCheck } from '../kernel/ports.ts';
import type { AsyncApiSettings } from '../live/contracts/asyncapi.ts';
import type { Config } from '../platform/config/config.ts';
import { RESERVED_BYTES } from '../property-store/storage/write-gate.ts';
import type { UsedNow } from '../tenants/operations/read-limits.ts';
import type { Context } from './context.ts';

export type ServiceName = 'rate' | 'reservation' | 'live';

export const TITLES: Record<ServiceName, string> = {
  rate: 'Innkeeper rate service',
  reservation: 'Innkeeper reservation service',
  live: 'Innkeeper live gateway',
};

const RATE = [
  RatePlans,
  Rates,
  Restrictions,
  Promotions,
  CalendarEvents,
  Experiments,
  Yield,
  RateAdmin,
  CompetitorSync,
];
const RESERVATION = [
  Groups,
  ShiftNotes,
  StayMailing,
  Letters,
  PropertyMessages,
  WaitingNotices,
  PropertyEvents,
  Holds,
  Waitlist,
  Inquiries,
  Bookings,
  Reservations,
  TenantReservations,
  ReservationMoney,
  AgreedPrice,
  Invoices,
  Folio,
  Refunds,
  Chargebacks,
  Companies,
  StayDesk,
  StayDocuments,
  Receipts,
  Surveys,
  Properties,
  PropertySandbox,
  Photos,
  RoomTypes,
  Rooms,
  Availability,
  ChainSearch,
  HousekeepingTasks,
  // Before the other reports, whose path has the name as a parameter.
  HousekeepingReports,
  Maintenances,
  RoomAssignmentRuns,
  History,
  AnalyticsReports,
  SalesFigureReports,
  DayReportLists,
  ExchangeRates,
  Extras,
  Guests,
  ReservationAdmin,
  AuditTrail,
  Tenants,
  Users,
  UserAssociations,
  UserInvitations,
  TenantLimits,
  ChannelMappings,
  SalesChannels,
  EventWebhooks,
  Imports,
  OperatorTenants,
  OperatorCluster,
  OperatorFigures,
  OperatorProperties,
  Mcp,
];

/** Controllers of the API of a service: those of its document that clients are written for. */
export const apiControllersOf = (name: 'rate' | 'reservation') => (name === 'rate' ? RATE : RESERVATION);

/** Parts that all services of this node share. */
export type Own = {
  board: HealthBoard;
  status: NodeStatus;
  figures: NodeFigures;
  reads: OperatorReads;
  usedNow: UsedNow;
};

/** Controllers and providers of a service; each has the actuator and the problem pages. */
export function moduleOf(
  name: ServiceName,
  context: Context,
  metrics: Metrics,
  { board, status, reads, usedNow }: Own,
): ModuleMetadata {
  const { services, clock, config, outbox, events } = context;
  const controllers: NonNullable<ModuleMetadata['controllers']> = [
    HealthController,
    MetricsController,
    LoggersController,
    ProblemPages,
    AsyncApi,
  ];
  if (name === 'rate') controllers.push(...RATE);
  if (name === 'reservation') {
    controllers.push(...RESERVATION);
    if (config.developmentParts) controllers.push(DevClock, DevOutbox, DevEvents);
    if (context.demo) controllers.push(DevDemo);
    // In production without the variable nobody would know its password.
    if (config.developmentParts || config.EVENT_TEST_PASSWORD) controllers.push(EventTest);
  }
  const what = 'Differences that audits of properties have found, and reservations whose money did not add up';
  const countViolations = metrics.counter('actor.invariant.violations', what);
  services.metricEvents.on('violation', () => countViolations());
  const providers = [
    { provide: SERVICES, useValue: services },
    { provide: DEVELOPMENT_CLOCK, useValue: clock },
    { provide: SANDBOXES, useValue: context.sandboxes },
    { provide: DEMO_STATES, useValue: context.demo },
    { provide: OUTBOX, useValue: outbox },
    { provide: EVENT_LOG, useValue: events },
    { provide: TEST_EVENTS, useValue: context.tests },
    {
      provide: ASYNC_API,
      // The document is public: it must not contain internal addresses.
      useValue: { brokers: config.production ? [] : (config.KAFKA_BROKERS ?? []), live: liveServerOf(config) },
    },
    { provide: HEALTH, useValue: board },
    { provide: CLUSTER_REPORTS, useValue: status.reports },
    { provide: OPERATOR_READS, useValue: reads },
    { provide: NODE_LOOKS, useValue: context.looks },
    { provide: USED_NOW, useValue: usedNow },
    { provide: METRICS, useValue: metrics },
    { provide: LOGGERS, useValue: context.loggers },
    { provide: COUNT_VIOLATIONS, useValue: countViolations },
    { provide: MCP, useValue: mcpParts(context) },
  ];
  return { controllers, providers };
}

function mcpParts({ config, requestCounters, loggers }: Context): McpParts {
  const log = loggers.of('http');
  return {
    handler: agentHandler((err) => log.warn({ err }, 'a message of an agent could not be answered')),
    limits: new AgentLimits(config.RATE_LIMIT_AGENT, requestCounters),
  };
}

/** All components of health; those that are not configured are UNKNOWN. */
export function componentsOf(
  own: Iterable<readonly [string, HealthCheck]>,
  { dataDir, INNKEEPER_EMBEDDED_POSTGRES: isEmbedded }: Config,
): ReadonlyMap<string, HealthCheck> {
  const disk = isEmbedded ? diskSpace(dataDir, RESERVED_BYTES) : diskSpace(dataDir);
  const there = new Map<string, HealthCheck>([...own, ['diskSpace', disk], ['ping', ping]]);
  return new Map(COMPONENTS.map((name) => [name, there.get(name) ?? unconfigured]));
}
/** Address of the live protocol, for its description. */

function liveServerOf({ PUBLIC_LIVE_URL, HOST, LIVE_PORT }: Config): AsyncApiSettings['live'] {
  const { host, protocol } = new URL(PUBLIC_LIVE_URL ?? `http://${HOST}:${LIVE_PORT}`);
  return { host, protocol: protocol === 'https:' ? 'wss' : 'ws' };
}
