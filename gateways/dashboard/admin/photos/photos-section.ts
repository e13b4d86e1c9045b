import type { Section } from '../section.ts';
import { photos as words } from './messages.ts';
import { PhotosView } from './photos-view.tsx';

/** Photos of the property (docs/reference/photos.md#photos). */
export const photosSection: Section = {
  id: 'photos',
  name: words.name,
  lead: words.lead,
  of: 'property',
  View: PhotosView,
};
