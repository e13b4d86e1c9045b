import type { Role } from '../service.ts';

/** What a route is to a tenant that sells nothing any more (docs/concepts/tenants-and-roles.md#status-of-a-tenant). */
export type Kind = 'look' | 'go on' | 'sell';
export type Row = { role: Role; kind: Kind; routes: readonly string[] };

const TENANT = '/api/v1/tenants/{tenantId}';
const PROPERTY_ID = `${TENANT}/properties/{propertyId}`;
const BOOKING = '/api/v1/reservations/{reservationId}';

/** Routes of a list of things: the same below both of their paths (docs/reference/reservations.md#reservations). */
const bookings = (routes: readonly string[]): string[] =>
  routes.flatMap((route) => [route, route.replace('/api/v1/reservations', `${TENANT}/reservations`)]);

/**
 * The roles of docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do written out by hand for every
 * route of both services. It is not made from the code, so that it can disagree with it: a route that no row names
 * fails.
 */
export const TABLE: readonly Row[] = [
  {
    role: 'VIEWER',
    kind: 'look',
    routes: [
      'GET /api/v1/rates/current',
      'GET /api/v1/rates/base',
      'GET /api/v1/rates/calendar',
      'GET /api/v1/rates/plans',
      'GET /api/v1/rates/plans/{planId}',
      'GET /api/v1/rates/promotions',
      'GET /api/v1/rates/promotions/{promotionId}',
      'GET /api/v1/rates/restrictions',
      'GET /api/v1/rates/{rateId}/preview',
      `GET ${TENANT}/availability`,
      `POST ${TENANT}/availability/search`,
      ...bookings(['GET /api/v1/reservations', `GET ${BOOKING}`]),
      `GET ${BOOKING}/history`,
      `GET ${BOOKING}/invoice`,
      `GET ${BOOKING}/folio`,
      `GET ${BOOKING}/survey`,
      'GET /api/v1/invoices',
      'GET /api/v1/invoices/{number}',
      'GET /api/v1/reservations/holds/{holdId}',
      'GET /api/v1/reservations/groups',
      'GET /api/v1/reservations/groups/{groupId}',
      'GET /api/v1/guests',
      'GET /api/v1/guests/{guestId}',
      'GET /api/v1/guests/{guestId}/reservations',
      `GET ${TENANT}/properties`,
      `GET ${PROPERTY_ID}`,
      `GET ${PROPERTY_ID}/room-types`,
      `GET ${PROPERTY_ID}/room-types/{roomType}`,
      `GET ${PROPERTY_ID}/rooms`,
      `GET ${PROPERTY_ID}/rooms/{roomNumber}`,
      `GET ${PROPERTY_ID}/maintenances`,
      `GET ${PROPERTY_ID}/maintenances/{maintenanceId}`,
      `GET ${PROPERTY_ID}/exchange-rates`,
      `GET ${PROPERTY_ID}/services`,
      `GET ${PROPERTY_ID}/services/{code}`,
      `GET ${PROPERTY_ID}/history`,
      `GET ${PROPERTY_ID}/pickup`,
    ],
  },
  {
    role: 'STAFF',
    kind: 'look',
    routes: [
      'GET /api/v1/admin/desk-tasks',
      'GET /api/v1/reservations/refunds',
      'GET /api/v1/companies',
      'GET /api/v1/companies/{companyId}',
      'GET /api/v1/companies/{companyId}/ledger',
      'GET /api/v1/reports/{report}',
      `GET ${BOOKING}/guest-verification`,
      `GET ${PROPERTY_ID}/housekeeping-tasks`,
    ],
  },
  {
    role: 'STAFF',
    kind: 'sell',
    routes: [
      ...bookings(['POST /api/v1/reservations', `PUT ${BOOKING}`]),
      `POST ${BOOKING}/upgrade`,
      'POST /api/v1/reservations/holds',
      'POST /api/v1/reservations/holds/{holdId}/extend',
    ],
  },
  {
    role: 'STAFF',
    kind: 'go on',
    routes: [
      ...bookings([
        `DELETE ${BOOKING}`,
        `POST ${BOOKING}/checkin`,
        `POST ${BOOKING}/checkout`,
        `POST ${BOOKING}/payments`,
        `POST ${BOOKING}/no-show`,
      ]),
      `POST ${BOOKING}/confirm`,
      `PUT ${BOOKING}/room`,
      `POST ${BOOKING}/folio/postings`,
      `PUT ${BOOKING}/folio/routing`,
      `POST ${BOOKING}/refunds/{refundId}/pay-out`,
      'DELETE /api/v1/reservations/holds/{holdId}',
      'PUT /api/v1/guests/{guestId}',
      `PUT ${PROPERTY_ID}/rooms/{roomNumber}/status`,
      `POST ${PROPERTY_ID}/maintenances`,
      `PUT ${PROPERTY_ID}/maintenances/{maintenanceId}`,
      `DELETE ${PROPERTY_ID}/maintenances/{maintenanceId}`,
    ],
  },
  {
    role: 'MANAGER',
    kind: 'look',
    routes: [
      'GET /api/v1/rates/analysis',
      'GET /api/v1/rates/forecast',
      'GET /api/v1/rates/optimizations',
      'GET /api/v1/rates/optimizations/{optimizationId}',
      'GET /api/v1/analytics/reports',
      'GET /api/v1/analytics/reports/{reportId}',
      'GET /api/v1/analytics/metrics',
      'GET /api/v1/reports/revenue',
      'GET /api/v1/guests/{guestId}/export',
    ],
  },
  {
    role: 'MANAGER',
    kind: 'sell',
    routes: [
      'PUT /api/v1/rates/base',
      'POST /api/v1/rates/plans',
      'PUT /api/v1/rates/plans/{planId}',
      'DELETE /api/v1/rates/plans/{planId}',
      'POST /api/v1/rates/promotional',
      'POST /api/v1/rates/promotions/{promotionId}/pause',
      'POST /api/v1/rates/promotions/{promotionId}/resume',
      'PUT /api/v1/rates/restrictions',
      'POST /api/v1/rates/yield-optimization',
      'POST /api/v1/rates/{optimizationId}/implement',
      'POST /api/v1/reservations/groups',
      `POST ${BOOKING}/reinstate`,
      'POST /api/v1/companies',
      'PUT /api/v1/companies/{companyId}',
      'DELETE /api/v1/companies/{companyId}',
    ],
  },
  {
    role: 'MANAGER',
    kind: 'go on',
    routes: [
      `POST ${BOOKING}/waive-penalty`,
      `POST ${BOOKING}/refunds`,
      `POST ${BOOKING}/payments/{paymentId}/chargeback`,
      `POST ${BOOKING}/payments/{paymentId}/chargeback/win`,
      `POST ${BOOKING}/payments/{paymentId}/chargeback/close`,
      `POST ${BOOKING}/comp`,
      `DELETE ${BOOKING}/comp`,
      `POST ${BOOKING}/folio/postings/{postingId}/void`,
      'POST /api/v1/companies/{companyId}/payments',
    ],
  },
  {
    role: 'ADMIN',
    kind: 'look',
    routes: [
      'GET /api/v1/admin/audit/{propertyId}',
      'GET /api/v1/admin/audit-trail',
      'GET /api/v1/admin/competitor-sync/status',
      'GET /api/v1/admin/rates/validate/{propertyId}',
      'GET /api/v1/admin/rates/recalculate/{jobId}',
      'GET /api/v1/admin/room-assignments/conflicts',
      'GET /api/v1/admin/rooms/{roomNumber}/status',
      `GET ${PROPERTY_ID}/channel-mappings`,
      `GET ${PROPERTY_ID}/channel-mappings/{mappingId}`,
      'GET /dev/clock',
      'GET /dev/events',
      'GET /dev/outbox',
    ],
  },
  {
    role: 'ADMIN',
    kind: 'go on',
    routes: [
      'POST /api/v1/admin/competitor-sync/refresh',
      'POST /api/v1/admin/rates/recalculate',
      'DELETE /api/v1/admin/cache/rates',
      'POST /api/v1/admin/reservations/{reservationId}/assign-room',
      'POST /api/v1/admin/reservations/{reservationId}/force-checkout',
      'DELETE /api/v1/guests/{guestId}',
    ],
  },
  {
    role: 'ADMIN',
    kind: 'sell',
    routes: [
      `POST ${TENANT}/properties`,
      `PUT ${PROPERTY_ID}`,
      `DELETE ${PROPERTY_ID}`,
      `POST ${PROPERTY_ID}/room-types`,
      `PUT ${PROPERTY_ID}/room-types/{roomType}`,
      `DELETE ${PROPERTY_ID}/room-types/{roomType}`,
      `POST ${PROPERTY_ID}/rooms`,
      `PUT ${PROPERTY_ID}/rooms/{roomNumber}`,
      `DELETE ${PROPERTY_ID}/rooms/{roomNumber}`,
      `PUT ${PROPERTY_ID}/inventory`,
      `PUT ${PROPERTY_ID}/exchange-rates`,
      `PUT ${PROPERTY_ID}/services/{code}`,
      `DELETE ${PROPERTY_ID}/services/{code}`,
      `POST ${PROPERTY_ID}/channel-mappings`,
      `PUT ${PROPERTY_ID}/channel-mappings/{mappingId}`,
      `DELETE ${PROPERTY_ID}/channel-mappings/{mappingId}`,
      'POST /api/v1/rates/plans/{planId}/restore',
      `POST ${PROPERTY_ID}/restore`,
      `POST ${PROPERTY_ID}/room-types/{roomType}/restore`,
      `POST ${PROPERTY_ID}/rooms/{roomNumber}/restore`,
      `POST ${PROPERTY_ID}/services/{code}/restore`,
      `POST ${PROPERTY_ID}/channel-mappings/{mappingId}/restore`,
    ],
  },
  {
    role: 'OWNER',
    kind: 'look',
    routes: [
      `GET ${TENANT}`,
      `GET ${TENANT}/users`,
      `GET ${TENANT}/users/{userId}`,
      `GET ${TENANT}/associations`,
      `GET ${TENANT}/associations/{associationId}`,
    ],
  },
  {
    role: 'OWNER',
    kind: 'sell',
    routes: [
      `PUT ${TENANT}`,
      `POST ${TENANT}/users`,
      `PUT ${TENANT}/users/{userId}`,
      `POST ${TENANT}/users/{userId}/restore`,
      `POST ${TENANT}/associations`,
      `PUT ${TENANT}/associations/{associationId}`,
      `POST ${TENANT}/associations/{associationId}/restore`,
    ],
  },
  {
    role: 'OWNER',
    kind: 'go on',
    routes: [`DELETE ${TENANT}/users/{userId}`, `DELETE ${TENANT}/associations/{associationId}`],
  },
];

/** With user name and password instead of a token. */
export const BASIC: readonly string[] = ['GET /reservation-engine/api/test/kafka'];

/** Without a token: health, what describes the service, and pages behind a link that only its receiver knows. */
export const OPEN: readonly string[] = [
  'GET /actuator',
  'GET /actuator/health',
  'GET /actuator/health/{component}',
  'GET /actuator/loggers',
  'GET /actuator/loggers/{name}',
  'POST /actuator/loggers/{name}',
  'GET /actuator/metrics',
  'GET /actuator/metrics/{name}',
  'GET /actuator/prometheus',
  'GET /problems',
  'GET /v3/asyncapi.json',
  'GET /problems/{slug}',
  'GET /receipts/{link}',
  'GET /survey/{link}',
  'POST /survey/{link}',
];
