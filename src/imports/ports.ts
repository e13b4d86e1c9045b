import type { PagePosition } from '../kernel/ports.ts';
import type { By } from '../kernel/rules/administration.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { PropertyId, ReservationId, TenantId } from '../kernel/rules/ids.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { ImportedFigures, ImportOutcome, ImportStatus } from './rules/import.ts';
import type { ImportKind, ImportMapping } from './rules/mapping.ts';

/** An import as it is shown. */
export type StoredImport = {
  importId: string;
  propertyId: PropertyId;
  status: ImportStatus;
  dryRun: boolean;
  /** Names of its files. */
  files: string[];
  lines: number;
  done: number;
  counts: Partial<Record<ImportOutcome, number>>;
  failure?: string;
  createdAt: Instant;
  finishedAt?: Instant;
};

/** How an import is to be run. */
export type RunOfImport = Pick<StoredImport, 'importId' | 'propertyId' | 'dryRun' | 'lines'> & {
  mapping: ImportMapping;
  bodyHash: string;
};

/** A new import with what was sent, sealed in parts; without a run it waits to be looked at. */
type NewImport = RunOfImport & { parts: readonly string[]; isUploadOnly?: true };

/** Lines that were refused for one reason. */
export type ImportProblem = { code: string; reason: string; lines: number; firstLine: number };

/** An import that this node has taken; writes with an older `epoch` change nothing. */
export type ImportRun = {
  to: Address;
  importId: string;
  epoch: number;
  dryRun: boolean;
  mapping: ImportMapping;
  requestedBy: string;
};

/** What became of a line. */
export type ImportedLine = {
  /** Number of the line in the whole import. */
  n: number;
  file: string;
  line: number;
  kind: ImportKind;
  externalId?: string;
  outcome: ImportOutcome;
  code?: string;
  reason?: string;
  recordId?: string;
  charges?: Minor;
  paid?: Minor;
};

/** An imported reservation as it was stored last. */
export type ImportRecord = { externalId: string; recordId: ReservationId; fingerprint: string; version: number };

/** A reservation that has the id or the external id of a line; its guest may be erased since it was imported. */
export type FoundReservation = {
  id: ReservationId;
  externalId: string;
  channel: string;
  version: number;
  isErased: boolean;
};

/** A stored reservation whose money is not that of its line. */
export type LineDifference = Required<Pick<ImportedLine, 'line' | 'file' | 'externalId' | 'charges' | 'paid'>> & {
  storedCharges: Minor;
  storedPaid: Minor;
};

/** Imports of tenants (docs/reference/import.md#import). What was sent is sealed before it comes here. */
export interface ImportStore {
  /**
   * Stores an import that is to be run; the same body while it runs is the same import.
   * @throws DomainError INVALID_STATE while the property has another one, or the tenant too many
   */
  begin(by: By, one: NewImport): Promise<StoredImport>;
  /**
   * Runs what was sent for an import with another mapping, or after its dry run; its report begins anew.
   * @throws DomainError INVALID_STATE while it runs or another one does, or what was sent is not stored any more
   */
  rerun(by: By, one: RunOfImport): Promise<StoredImport>;
  get(tenantId: TenantId, importId: string): Promise<StoredImport | undefined>;
  mapping(tenantId: TenantId, importId: string): Promise<ImportMapping | undefined>;
  /** Mappings of imports of a property that have run, the newest first, but for one. */
  earlierMappings(to: Address, butFor: string, limit: number): Promise<ImportMapping[]>;
  /** Newest first. */
  list(to: Address, limit: number, after?: PagePosition): Promise<StoredImport[]>;
  /** Why lines were refused, the most frequent reasons first. */
  problems(tenantId: TenantId, importId: string, limit: number): Promise<ImportProblem[]>;
  /** Lines after a number, in order. */
  lines(
    tenantId: TenantId,
    importId: string,
    page: { limit: number; after: number; outcome?: ImportOutcome },
  ): Promise<ImportedLine[]>;
  /** Sums of what was read and of what is stored now, of the lines that are stored. */
  figures(tenantId: TenantId, importId: string): Promise<ImportedFigures>;
  differences(tenantId: TenantId, importId: string, limit: number): Promise<LineDifference[]>;

  /** Imports of all tenants that no node runs. */
  waiting(limit: number): Promise<{ tenantId: TenantId; importId: string }[]>;
  /** Tenants with an import that stored nothing and ended before the one instant, or any before the other. */
  tenantsWithOld(uploadsBefore: Instant, reportsBefore: Instant, limit: number): Promise<TenantId[]>;
  /** Takes an import for a while; every {@link keep} renews it. */
  take(tenantId: TenantId, importId: string, leaseMs: number): Promise<ImportRun | undefined>;
  /** Renews the lease. @returns whether it is still this run's */
  touch(run: ImportRun, leaseMs: number): Promise<boolean>;
  /** A part of what was sent, counted from 0; absent behind the last one, and where it is not stored any more. */
  uploadPart(run: Pick<ImportRun, 'to' | 'importId'>, part: number): Promise<string | undefined>;
  /** Numbers of the lines that have an outcome. */
  reported(run: ImportRun): Promise<number[]>;
  known(run: ImportRun, externalIds: readonly string[]): Promise<ImportRecord[]>;
  found(run: ImportRun, of: readonly Omit<FoundReservation, 'version' | 'isErased'>[]): Promise<FoundReservation[]>;
  /** Stores outcomes and records together. @returns whether the import is still this run's */
  keep(run: ImportRun, lines: readonly ImportedLine[], records: readonly ImportRecord[]): Promise<boolean>;
  /** Ends an import, and removes what was sent where it is complete and no dry run. */
  finish(run: ImportRun, status: ImportStatus, failure?: string): Promise<void>;
  /** Notes a failure. @returns failures in a row */
  failed(run: ImportRun): Promise<number>;
  /** Forgets what another system calls the stays of an erased guest, in records and reports. */
  forgetStays(tenantId: TenantId, stays: readonly ReservationId[]): Promise<void>;
  /** Removes what was sent and is not stored as reservations, and old reports. */
  forget(tenantId: TenantId, uploadsBefore: Instant, reportsBefore: Instant): Promise<void>;
}
