import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { postgresPid } from '../../test/blackbox/launched.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Audit } from '../../test/blackbox/shapes.ts';
import { TemporaryDisk } from '../../test/blackbox/temporary-disk.ts';
import { until } from '../../test/blackbox/waiting.ts';
import { connected } from '../client/connected.ts';
import { NO_LIMITS } from '../first/hot-property.ts';

const DISK_BYTES = 200 * 2 ** 20;
const LOG_DISK_BYTES = 8 * 2 ** 20;
const ROOMS = 20_000;
const BACK_WITHIN_MS = 120_000;

/** What PostgreSQL says of pages that do not fit their log, or each other. */
const OF_PAGES =
  /(?:ERROR|FATAL|PANIC): +(?=.*(?:zero page|invalid page|could not read|could not access|flushed only to|sibling|chunk))(.*)/g;

/** A service with its embedded database on a small disk, whose own output goes to another one. */
export class StorageWorld implements AsyncDisposable {
  readonly service: Service;
  readonly property: BlackboxProperty;
  readonly disk: TemporaryDisk;
  readonly logDisk: TemporaryDisk;

  private constructor(service: Service, property: BlackboxProperty, disks: [TemporaryDisk, TemporaryDisk]) {
    this.service = service;
    this.property = property;
    [this.disk, this.logDisk] = disks;
  }

  /** @throws Error where no disk can be mounted */
  static async open(): Promise<StorageWorld> {
    const disk = TemporaryDisk.mount(DISK_BYTES);
    const logDisk = TemporaryDisk.mount(LOG_DISK_BYTES);
    if (!disk || !logDisk) throw new Error('only root can mount small disks, and this machine must allow it');
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = disk.folder;
    const service = await Service.prepare({ ...NO_LIMITS, LOG_LEVEL: 'warn' });
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    service.launchOptions = { before: `exec >>'${logDisk.folder}/service.log' 2>&1` };
    await service.up();
    const property = await BlackboxProperty.open(service, { rooms: { DLX: ROOMS } });
    return new StorageWorld(service, property, [disk, logDisk]);
  }

  get postmaster(): number | undefined {
    return postgresPid(this.service.dataDir);
  }

  /** What the service has said, as far as its disk had room. */
  get said(): string {
    return readFileSync(join(this.logDisk.folder, 'service.log'), 'utf8');
  }

  /** Each kind of complaint of PostgreSQL about its pages, once. */
  get complaints(): string[] {
    const said = readFileSync(join(this.service.dataDir, 'postgres.log'), 'utf8');
    return [...new Set([...said.matchAll(OF_PAGES)].map(([, text]) => text!.replaceAll(/[\d/]+/g, '…')))];
  }

  /** Rows of a statement of the superuser, in a session of its own. */
  async ask<T extends object>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    const client = await connected(embeddedDatabaseUrl(this.service.dataDir));
    client.on('error', () => {});
    try {
      return (await client.query<T>(sql, [...values])).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Those of these reservations that are not stored as confirmed. */
  async missing(ids: readonly string[]): Promise<string[]> {
    const sql = `select id from reservations where status = 'CONFIRMED' and id = any ($1)`;
    const rows = await until('the database answers', BACK_WITHIN_MS, () =>
      this.ask<{ id: string }>(sql, [ids]).catch(() => undefined),
    );
    const there = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !there.has(id));
  }

  async generation(): Promise<number> {
    const sql = 'select generation from property_actor where property_id = $1';
    return (await this.ask<{ generation: number }>(sql, [this.property.propertyId]))[0]!.generation;
  }

  /** What the audit finds, and cells that are oversold. */
  async violations(): Promise<unknown[]> {
    const { propertyId } = this.property;
    const url = `${this.service.dev.reservationUrl}/api/v1/admin/audit/${propertyId}`;
    const found = must(await this.service.call<Audit>('GET', url), 200).json.violations;
    const oversold = await this.ask(
      `select from availability.room_availability where property_id = $1
         and (booked_rooms + held_rooms > total_rooms or shortfall > 0)`,
      [propertyId],
    );
    return [...found, ...oversold];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.remove();
    this.disk[Symbol.dispose]();
    this.logDisk[Symbol.dispose]();
  }
}
