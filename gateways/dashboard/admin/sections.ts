import { textsOf } from '../language/texts.ts';
import type { SectionEntry } from './section.ts';

const ofProperty = textsOf('admin-property');
const ofPhotos = textsOf('admin-photos');
const ofSelling = textsOf('admin-selling');
const ofUsers = textsOf('admin-users');
const ofDanger = textsOf('admin-danger');
const ofLimits = textsOf('admin-limits');
const ofBookingPage = textsOf('admin-booking-page');
const ofImport = textsOf('admin-import');
const ofWebhooks = textsOf('admin-webhooks');
const ofChannels = textsOf('admin-channels');
const ofAll = textsOf('admin');

/**
 * The sections of the administration, in the order of the navigation. Each is loaded when it is opened: most visits open
 * two of them.
 */
export const SECTIONS: readonly SectionEntry[] = [
  {
    id: 'properties',
    name: ofProperty('Properties'),
    of: 'tenant',
    load: async () => (await import('./sections/properties.ts')).propertiesSection,
  },
  {
    id: 'policies',
    name: ofProperty('Policies'),
    of: 'property',
    load: async () => (await import('./sections/policies.ts')).policiesSection,
  },
  {
    id: 'room-types',
    name: ofProperty('Room types'),
    of: 'property',
    load: async () => (await import('./sections/room-types.ts')).roomTypesSection,
  },
  {
    id: 'rooms',
    name: ofProperty('Rooms'),
    of: 'property',
    load: async () => (await import('./sections/rooms.ts')).roomsSection,
  },
  {
    id: 'photos',
    name: ofPhotos('Photos'),
    of: 'property',
    load: async () => (await import('./photos/photos-section.ts')).photosSection,
  },
  {
    id: 'rate-plans',
    name: ofSelling('Rate plans'),
    of: 'property',
    load: async () => (await import('./sections/rate-plans.ts')).ratePlansSection,
  },
  {
    id: 'rates',
    name: ofSelling('Base rates'),
    of: 'property',
    load: async () => (await import('./sections/base-rates.ts')).baseRatesSection,
  },
  {
    id: 'taxes',
    name: ofProperty('Taxes'),
    of: 'property',
    load: async () => (await import('./sections/taxes.ts')).taxesSection,
  },
  {
    id: 'promotions',
    name: ofSelling('Promotions'),
    of: 'property',
    load: async () => (await import('./sections/promotions.ts')).promotionsSection,
  },
  {
    id: 'extras',
    name: ofSelling('Extras'),
    of: 'property',
    load: async () => (await import('./sections/extras.ts')).extrasSection,
  },
  {
    id: 'maintenance',
    name: ofProperty('Maintenance'),
    of: 'property',
    load: async () => (await import('./sections/maintenances.ts')).maintenancesSection,
  },
  {
    id: 'companies',
    name: ofSelling('Companies'),
    of: 'tenant',
    load: async () => (await import('./sections/companies.ts')).companiesSection,
  },
  {
    id: 'users',
    name: ofUsers('Users'),
    of: 'tenant',
    least: 'OWNER',
    load: async () => (await import('./tenant/users.ts')).usersSection,
  },
  {
    id: 'api-access',
    name: ofDanger('API access'),
    of: 'tenant',
    load: async () => (await import('./danger/clients-section.ts')).apiAccessSection,
  },
  {
    id: 'limits',
    name: ofLimits('Limits'),
    of: 'tenant',
    load: async () => (await import('./tenant/limits.ts')).limitsSection,
  },
  {
    id: 'booking-page',
    name: ofBookingPage('Booking page'),
    of: 'property',
    load: async () => (await import('./sections/booking-page.ts')).bookingPageSection,
  },
  {
    id: 'channels',
    name: ofChannels('Channels'),
    of: 'property',
    load: async () => (await import('./channels/channels-section.ts')).channelsSection,
  },
  {
    id: 'webhooks',
    name: ofWebhooks('Webhooks'),
    of: 'tenant',
    load: async () => (await import('./webhooks/webhooks-section.ts')).webhooksSection,
  },
  {
    id: 'import',
    name: ofImport('Import'),
    of: 'property',
    load: async () => (await import('./imports/imports-section.ts')).importsSection,
  },
  {
    id: 'letters',
    name: ofAll('Letters'),
    of: 'property',
    load: async () => (await import('./sections/letters.ts')).lettersSection,
  },
  {
    id: 'messages',
    name: ofAll('Messages'),
    of: 'property',
    load: async () => (await import('./sections/guest-messages.ts')).messagesSection,
  },
  {
    id: 'events',
    name: ofAll('Events'),
    of: 'property',
    load: async () => (await import('./events/events-section.ts')).eventsSection,
  },
  {
    id: 'audit-trail',
    name: ofAll('Audit trail'),
    of: 'tenant',
    load: async () => (await import('./sections/audit-trail.ts')).auditTrailSection,
  },
  {
    id: 'danger-zone',
    name: ofDanger('Danger zone'),
    of: 'tenant',
    load: async () => (await import('./danger/danger-section.ts')).dangerSection,
  },
];
