import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { Workspace } from '../workspace.ts';
import { Operations } from './operations.ts';
import { OperationsView } from './view.tsx';

/** The operations view, which is loaded when somebody opens it; nobody of a tenant has to sign in for it. */
export function openOperations(config: PageConfig): Workspace {
  const operations = new Operations(config);
  return { view: () => <OperationsView operations={operations} />, close: () => operations.close() };
}
