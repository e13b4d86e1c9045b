import { batch, computed, signal } from '@preact/signals';

import type {
  importAnswer,
  importDetailAnswer,
  importListAnswer,
  importSampleAnswer,
} from '../../../../src/imports/contracts/imports.ts';
import type { ImportMapping } from '../../../../src/imports/rules/mapping.ts';
import { fitsFiles } from '../../../../src/imports/rules/suggest-mapping.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import { dropDraft, type DraftOf, draftFor, saveDraft } from '../../access/draft.ts';
import { followAddress, parameter, writeParameters } from '../../address.ts';
import { ApiError, ask, read, readCsv } from '../../api.ts';
import { csvBlob, saveFile } from '../../charts/file.ts';
import type { AdminStore } from '../admin.ts';
import { curlOf } from '../form/curl.ts';
import { messageOf } from '../messages.ts';
import { readRoomTypes } from '../sections/room-reads.ts';
import { uploadFile } from './import-file.ts';
import { mappingGaps, savedMapping } from './mapping-draft.ts';
import { imports as words } from './messages.ts';
import { problemText } from './reason-texts.ts';

export type ImportRow = WireOf<typeof importAnswer>;
export type ImportDetail = Omit<WireOf<typeof importDetailAnswer>, 'mapping'> & { mapping: ImportMapping };
export type ImportSample = Omit<WireOf<typeof importSampleAnswer>, 'mapping'> & { mapping: ImportMapping };
export type SampleFile = ImportSample['files'][number];

/** Codes of the property that words of a file may stand for. */
type Codes = { roomTypes: readonly string[]; plans: readonly string[] };

/** What a person does next. */
export const IMPORT_STEPS = ['file', 'mapping', 'tryOut', 'import'] as const;
type ImportStep = (typeof IMPORT_STEPS)[number];

const PATH = '/api/v1/imports';
/** While an import runs it is read again so often; after an error less often. */
const LOOK_MS = 700;
const RETRY_MS = 3_000;
const DRAFT = 'import';
const MAX_MAPPING_BYTES = 1_000_000;

/** Imports of the chosen property: the list of them, and the one that the address names. */
export class ImportDesk {
  readonly items = signal<readonly ImportRow[] | undefined>(undefined);
  readonly nextCursor = signal<string | null>(null);
  readonly maxBytes = signal(0);
  readonly importId = signal<string | undefined>(parameter('import'));
  readonly shown = signal<ImportDetail | undefined>(undefined);
  readonly sample = signal<ImportSample | undefined>(undefined);
  readonly mapping = signal<ImportMapping | undefined>(undefined);
  readonly codes = signal<Codes>({ roomTypes: [], plans: [] });
  /** The mapping is open again, after a run. */
  readonly isMapping = signal(parameter('step') === 'mapping');
  readonly upload = signal<{ name: string; sent: number; all: number } | undefined>(undefined);
  readonly busy = signal(false);
  readonly trouble = signal<string | undefined>(undefined);
  /** What has to be done before it can run, a sentence each. */
  readonly gaps = signal<readonly string[]>([]);
  readonly step = computed((): ImportStep => {
    const shown = this.shown.value;
    if (this.importId.value === undefined || !shown) return 'file';
    if (shown.status === 'UPLOADED' || this.isMapping.value) return 'mapping';
    return shown.dryRun ? 'tryOut' : 'import';
  });
  readonly #admin: AdminStore;
  readonly #propertyId: string;
  readonly #stop: () => void;
  readonly #closed = new AbortController();
  #sending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(admin: AdminStore, propertyId: string) {
    this.#admin = admin;
    this.#propertyId = propertyId;
    this.#stop = followAddress(() => this.#follow());
  }

  get admin(): AdminStore {
    return this.#admin;
  }

  /** Reads what the address names. */
  async load(): Promise<void> {
    if (this.importId.peek() === undefined) await this.list();
    else await this.#look();
  }

  /** The newest imports, or with a cursor the next ones. */
  async list(cursor?: string): Promise<void> {
    await this.#try(async () => {
      const query = { propertyId: this.#propertyId, limit: '20', ...(cursor !== undefined && { cursor }) };
      const access = await this.#admin.fresh();
      const { items, nextCursor, maxBytes } = await read<WireOf<typeof importListAnswer>>(
        access,
        'reservation',
        PATH,
        query,
      );
      batch(() => {
        this.items.value = [...(cursor === undefined ? [] : (this.items.peek() ?? [])), ...items];
        this.nextCursor.value = nextCursor;
        this.maxBytes.value = maxBytes;
      });
    });
  }

  /** Sends a file, and opens what was read of it. */
  async send(file: File): Promise<void> {
    const why = this.#whyNot(file);
    if (why !== undefined) {
      this.trouble.value = why;
      return;
    }
    this.#sending = new AbortController();
    const signal = AbortSignal.any([this.#sending.signal, this.#closed.signal]);
    await this.#try(async () => {
      const all = Math.max(1, file.size);
      this.upload.value = { name: file.name, sent: 0, all };
      const access = await this.#admin.fresh();
      const onProgress = (sent: number): void => void (this.upload.value = { name: file.name, sent, all });
      const id = await uploadFile({ access, propertyId: this.#propertyId, file, onProgress, signal });
      if (!this.#closed.signal.aborted) await this.open(id);
    });
    this.upload.value = undefined;
  }

  stopSending(): void {
    this.#sending.abort();
  }

  /** Opens an import; without one the list. */
  async open(id: string | undefined): Promise<void> {
    writeParameters({ import: id, step: undefined, outcome: undefined }, 'push');
    this.#show();
    await this.load();
  }

  /** Opens the mapping of an import that has run, or closes it. */
  async openMapping(isOpen: boolean): Promise<void> {
    writeParameters({ step: isOpen ? 'mapping' : undefined }, 'push');
    this.isMapping.value = isOpen;
    if (isOpen && !this.sample.peek()) await this.readSample();
  }

  /** Reads the sample; with other settings it is read in another way. */
  async readSample(as?: ReadAs): Promise<void> {
    const id = this.importId.peek();
    const before = this.mapping.peek();
    await this.#try(async () => {
      const access = await this.#admin.fresh();
      const saved = draftFor(this.#draft(access.user)) as SavedDraft | undefined;
      const draft = saved?.importId === id ? saved?.mapping : undefined;
      const query = queryOf(as ?? draft);
      const sample = await read<ImportSample>(access, 'reservation', `${PATH}/${id}/sample`, query);
      await this.#readCodes();
      if (id !== this.importId.peek()) return;
      // What was chosen stays where the columns are the same, also what was chosen in the meantime.
      const now = this.mapping.peek();
      const chosen = as || now !== before ? now : draft;
      const isSame = chosen !== undefined && fitsFiles(chosen, sample.files);
      batch(() => {
        this.sample.value = sample;
        this.mapping.value = { ...(isSame ? chosen : sample.mapping), ...(as && asRead(sample, as)) };
      });
    });
  }

  /** Changes the mapping; it survives a reload. */
  change(mapping: ImportMapping): void {
    batch(() => {
      this.mapping.value = mapping;
      this.gaps.value = [];
    });
    const importId = this.importId.peek();
    if (importId !== undefined) saveDraft(this.#draft(this.#admin.user), { importId, mapping } satisfies SavedDraft);
  }

  /** Runs what was sent; what every line would be refused for is said before. */
  async run(dryRun: boolean): Promise<void> {
    const shown = this.shown.peek();
    const mapping = this.step.peek() === 'mapping' ? this.mapping.peek() : shown?.mapping;
    if (!shown || !mapping) return;
    this.gaps.value = mappingGaps(mapping);
    if (this.gaps.peek().length > 0) return;
    await this.#try(async () => {
      const access = await this.#admin.fresh();
      const sent = { method: 'POST' as const, body: { mapping, dryRun } };
      await ask(access, 'reservation', `${PATH}/${shown.importId}/runs`, sent);
      dropDraft(DRAFT);
      writeParameters({ step: undefined, outcome: undefined }, 'push');
      this.isMapping.value = false;
      await this.#look();
    });
  }

  /** The command that runs it. */
  command(dryRun: boolean): string {
    const { config, user } = this.#admin.place().access;
    const body = { mapping: this.mapping.peek() ?? this.shown.peek()?.mapping, dryRun };
    const path = `${PATH}/${this.importId.peek()}/runs`;
    return curlOf(config, user.tenantId, [{ service: 'reservation', method: 'POST', path, body }]);
  }

  /** Saves the report as a file, with those lines alone. */
  async saveReport(outcome: string): Promise<void> {
    const shown = this.shown.peek();
    if (!shown) return;
    await this.#try(async () => {
      const query = { format: 'csv', ...(outcome !== '' && { outcome }) };
      const parts = await readCsv(await this.#admin.fresh(), `${PATH}/${shown.importId}/report`, query);
      saveFile(`import-${shown.importId}.csv`, csvBlob(parts.join('')));
    });
  }

  /** Takes a saved mapping, where the files have its columns. */
  async loadMapping(file: File): Promise<void> {
    const saved = file.size <= MAX_MAPPING_BYTES ? savedMapping(await file.text()) : undefined;
    if (!saved) {
      this.gaps.value = [words.noMapping(file.name)];
      return;
    }
    const before = this.mapping.peek();
    await this.readSample(saved);
    const files = this.sample.peek()?.files ?? [];
    if (fitsFiles(saved, files)) this.change(saved);
    else {
      if (before) {
        await this.readSample(before);
        this.change(before);
      }
      this.gaps.value = [words.otherColumns(file.name)];
    }
  }

  /** Saves the mapping, for the command line and other properties. */
  saveMapping(): void {
    const mapping = this.mapping.peek() ?? this.shown.peek()?.mapping;
    saveFile('mapping.json', new Blob([JSON.stringify(mapping, undefined, 2)], { type: 'application/json' }));
  }

  close(): void {
    this.#stop();
    this.#closed.abort();
    clearTimeout(this.#timer);
  }

  #draft(user: DraftOf['user']): DraftOf {
    return { name: DRAFT, user, propertyId: this.#propertyId };
  }

  #whyNot(file: File): string | undefined {
    const most = this.maxBytes.peek();
    if (file.size === 0) return words.emptyFile(file.name);
    if (most > 0 && file.size > most) return words.tooLarge(file.name, file.size, most);
    return /\.(xlsx?|xlsm|ods|numbers)$/i.test(file.name) ? words.workbook(file.name) : undefined;
  }

  #follow(): void {
    const before = this.importId.peek();
    this.#show();
    if (before !== this.importId.peek()) void this.load();
    else if (this.isMapping.peek() && !this.sample.peek()) void this.readSample();
  }

  /** What the address names, not read yet. */
  #show(): void {
    clearTimeout(this.#timer);
    batch(() => {
      const id = parameter('import');
      if (id !== this.importId.peek()) {
        this.shown.value = undefined;
        this.sample.value = undefined;
        this.mapping.value = undefined;
      }
      this.importId.value = id;
      this.isMapping.value = parameter('step') === 'mapping';
      this.trouble.value = undefined;
      this.gaps.value = [];
    });
  }

  /** Reads the import, and while it runs again and again: it goes on without this page. */
  async #look(): Promise<void> {
    const id = this.importId.peek();
    clearTimeout(this.#timer);
    if (id === undefined || this.#closed.signal.aborted) return;
    let wait = LOOK_MS;
    try {
      const access = await this.#admin.fresh();
      const before = performance.now();
      const shown = await read<ImportDetail>(access, 'reservation', `${PATH}/${encodeURIComponent(id)}`);
      if (id !== this.importId.peek() || this.#closed.signal.aborted) return;
      // Lines of a large import are counted for each answer.
      wait = Math.max(LOOK_MS, (performance.now() - before) * 3);
      batch(() => {
        this.shown.value = shown;
        this.trouble.value = undefined;
      });
      if (shown.status !== 'RUNNING') {
        if (this.step.peek() === 'mapping' && !this.sample.peek()) await this.readSample();
        return;
      }
    } catch (error) {
      if (id !== this.importId.peek()) return;
      this.trouble.value = problemText(error);
      // One that is not there stays so.
      if (error instanceof ApiError && error.code !== '') return;
      wait = RETRY_MS;
    }
    if (!this.#closed.signal.aborted) this.#timer = setTimeout(() => void this.#look(), wait);
  }

  async #readCodes(): Promise<void> {
    const place = this.#admin.place();
    type Plans = { items: readonly { code: string }[] };
    const [types, plans] = await Promise.all([
      readRoomTypes(place),
      read<Plans>(place.access, 'rate', '/api/v1/rates/plans', { propertyId: this.#propertyId }),
    ]);
    this.codes.value = {
      roomTypes: types.map(({ roomType }) => roomType),
      plans: plans.items.map(({ code }) => code),
    };
  }

  async #try(work: () => Promise<void>): Promise<void> {
    batch(() => {
      this.busy.value = true;
      this.trouble.value = undefined;
    });
    try {
      await work();
    } catch (error) {
      if (!this.#closed.signal.aborted)
        this.trouble.value = error instanceof ApiError ? problemText(error) : messageOf(error);
    } finally {
      this.busy.value = false;
    }
  }
}

type SavedDraft = { importId: string; mapping: ImportMapping };

type ReadAs = { encoding?: string; delimiter?: string | undefined };

const queryOf = ({ encoding, delimiter }: ReadAs = {}): Record<string, string> => ({
  ...(encoding !== undefined && { encoding }),
  ...(delimiter !== undefined && { delimiter }),
});

/** Members of a mapping that read as the sample was read. */
const asRead = ({ encoding }: ImportSample, { delimiter }: ReadAs): Partial<ImportMapping> => ({
  encoding,
  ...(delimiter !== undefined && { delimiter }),
});
