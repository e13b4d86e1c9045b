import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Minor } from '../../kernel/rules/money.ts';

/** UPLOADED: only its file is stored, to be looked at and mapped. */
export const IMPORT_STATUSES = ['UPLOADED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** What was sent is removed once it is stored as reservations, and after a while. */
export const UPLOAD_GONE = new DomainError('INVALID_STATE', 'What was sent is not stored any more: send it again.');

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
/** Imports of a property whose files are stored at a time; those of older ones are removed. */
export const MAX_STORED_UPLOADS = 5;
/** Lines of each file that a sample shows, and lines that it looks at for the values of a column. */
export const SAMPLE_ROWS = 10;
export const MAX_SAMPLE_LINES = 50_000;
/** Values of a column that a sample names. */
export const MAX_SAMPLE_VALUES = 30;
/** Earlier imports of a property whose mappings are looked at for one that fits. */
export const MAX_EARLIER_MAPPINGS = 20;
/** Reasons of refused lines that are counted. */
export const MAX_PROBLEMS = 20;
/** Lines of a report, and of one that is a file. */
export const LISTED_LINES = 50;
export const MAX_FILE_LINES = 50_000;
/** Listed differences. */
export const MAX_DIFFERENCES = 100;
