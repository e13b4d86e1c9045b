import { photos as words } from '../photos/messages.ts';
import type { Step } from './steps.ts';

/** Photos are stored when they are added: nothing is sent when the step is left. */
export const photosStep: Step = {
  id: 'photos',
  title: words.name,
  lead: words.stepLead,
  fields: () => [],
  values: () => ({}),
  requests: () => [],
};
