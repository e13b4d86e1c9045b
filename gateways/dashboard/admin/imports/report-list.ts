import type { importReportAnswer } from '../../../../src/imports/contracts/imports.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { AdminStore } from '../admin.ts';
import { NarrowedList } from '../narrowed-list.ts';

type ReportedLine = WireOf<typeof importReportAnswer>['items'][number];

/** What became of the lines of an import, narrowed by their outcome. */
export class ReportList extends NarrowedList<ReportedLine, 'outcome'> {
  constructor(admin: AdminStore, importId: string) {
    super(admin, { filters: { outcome: 'outcome' }, path: () => `/api/v1/imports/${importId}/report` });
  }
}
