import type { ImportedOutcome, ImportedStay } from '../../../stay/rules/imported-stay.ts';
import type { DryRun } from '../commands.ts';

export type ImportCommands = {
  /** Stores reservations of another system, each for itself (docs/reference/import.md#reservations). */
  IMPORT_RESERVATIONS: {
    command: DryRun & {
      importId: string;
      stays: ImportedStay[];
      /** What does not fit is stored all the same, with a shortfall. */
      overbook: boolean;
    };
    result: { outcomes: ImportedOutcome[] };
  };
};
