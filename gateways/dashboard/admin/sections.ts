import { apiAccessSection } from './danger/clients-section.ts';
import { dangerSection } from './danger/danger-section.ts';
import { photosSection } from './photos/photos-section.ts';
import type { Section } from './section.ts';
import { auditTrailSection } from './sections/audit-trail.ts';
import { baseRatesSection } from './sections/base-rates.ts';
import { bookingPageSection } from './sections/booking-page.ts';
import { channelsSection } from './sections/channels.ts';
import { companiesSection } from './sections/companies.ts';
import { extrasSection } from './sections/extras.ts';
import { messagesSection } from './sections/guest-messages.ts';
import { lettersSection } from './sections/letters.ts';
import { maintenancesSection } from './sections/maintenances.ts';
import { policiesSection } from './sections/policies.ts';
import { promotionsSection } from './sections/promotions.ts';
import { propertiesSection } from './sections/properties.ts';
import { ratePlansSection } from './sections/rate-plans.ts';
import { roomTypesSection } from './sections/room-types.ts';
import { roomsSection } from './sections/rooms.ts';
import { taxesSection } from './sections/taxes.ts';
import { limitsSection } from './tenant/limits.ts';
import { usersSection } from './tenant/users.ts';

/** The sections of the administration, in the order of the navigation. */
export const SECTIONS: readonly Section[] = [
  propertiesSection,
  policiesSection,
  roomTypesSection,
  roomsSection,
  photosSection,
  ratePlansSection,
  baseRatesSection,
  taxesSection,
  promotionsSection,
  extrasSection,
  maintenancesSection,
  companiesSection,
  usersSection,
  apiAccessSection,
  limitsSection,
  bookingPageSection,
  channelsSection,
  lettersSection,
  messagesSection,
  auditTrailSection,
  dangerSection,
];
