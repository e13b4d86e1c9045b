import type { Form, Section } from '../section.ts';
import { propertiesSection } from '../sections/properties.ts';
import { type PropertySetUp, readProperties } from '../sections/property-body.ts';
import { DangerView } from './danger-view.tsx';
import { danger as words } from './messages.ts';

/** The form of the list of properties, with the name to be typed. */
const deletion: Form<PropertySetUp> = {
  ...propertiesSection.list!.forms.find(({ id }) => id === 'delete')!,
  confirm: (row) => row?.name ?? '',
};

/** Exports, and the end of a property. */
export const dangerSection: Section<PropertySetUp> = {
  lead: words.lead,
  setsProperties: true,
  list: {
    none: words.noProperty,
    read: async (place) => ({ rows: await readProperties(place) }),
    key: ({ propertyId }) => propertyId,
    columns: [],
    forms: [deletion],
  },
  View: DangerView,
};
