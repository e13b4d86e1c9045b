import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { Workspace } from '../workspace.ts';
import { Operations } from './operations.ts';
import { OpsAddress } from './ops-address.ts';
import { OperationsView } from './view.tsx';

/** The operations view, loaded on demand; it needs no user of a tenant. */
export function openOperations(config: PageConfig): Workspace {
  const operations = new Operations(config);
  const address = new OpsAddress();
  const close = (): void => {
    operations.close();
    address.close();
  };
  return { view: () => <OperationsView operations={operations} address={address} />, close };
}
