import { signal } from '@preact/signals';

/** Something that the command palette can do; a workspace offers its own. */
export type PaletteCommand = {
  name: string;
  /** Further words by which it is found. */
  words?: string;
  /** Why it is not possible now. */
  blocked?: string | undefined;
  run(): void;
};

type Source = () => readonly PaletteCommand[];

const sources = signal<readonly Source[]>([]);

/**
 * Offers commands in the palette, for effects of views.
 * @param isOfEveryPage they come behind those of the workspace, whichever is there first
 * @returns takes them back
 */
export function offerCommands(source: Source, isOfEveryPage = false): () => void {
  sources.value = isOfEveryPage ? [...sources.peek(), source] : [source, ...sources.peek()];
  return () => {
    sources.value = sources.peek().filter((one) => one !== source);
  };
}

/** All that is offered now. */
export function offeredCommands(): PaletteCommand[] {
  return sources.value.flatMap((source) => source());
}
