import type { Minor } from '../../kernel/rules/money.ts';

export const IMPORT_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** What became of a line (docs/reference/import.md#report). */
export const IMPORT_OUTCOMES = ['CREATED', 'UNCHANGED', 'CHANGED', 'REFUSED'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** Sums over the reservations of an import: as read, and as stored now. */
export type ImportedFigures = {
  reservations: number;
  read: { charges: Minor; payments: Minor };
  stored: { charges: Minor; payments: Minor };
};

/** Running imports of a tenant. */
export const MAX_RUNNING_IMPORTS = 3;
/** Files of an archive. */
export const MAX_IMPORT_FILES = 20;
/** Lines of a report, and of one that is a file. */
export const LISTED_LINES = 50;
export const MAX_FILE_LINES = 50_000;
/** Listed differences. */
export const MAX_DIFFERENCES = 100;
