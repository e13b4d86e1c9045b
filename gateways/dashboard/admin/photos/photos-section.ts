import type { Section } from '../section.ts';
import { photos as words } from './messages.ts';
import { PhotosView } from './photos-view.tsx';

/** Photos of the property (docs/reference/photos.md#photos). */
export const photosSection: Section = {
  lead: words.lead,
  View: PhotosView,
};
