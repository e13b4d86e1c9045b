import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import type { Workspace } from '../workspace.ts';
import { ExperimentDesk } from './experiment-desk.ts';
import { ExperimentsView } from './view.tsx';

/** The page of experiments with rates, loaded on demand. */
export function openExperiments(config: PageConfig, user: SignedIn): Workspace {
  const desk = new ExperimentDesk(config, user);
  return {
    view: (onSignOut) => <ExperimentsView desk={desk} onSignOut={onSignOut} />,
    close: () => desk.close(),
  };
}
