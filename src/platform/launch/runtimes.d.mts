export type Runtime = 'deno' | 'node';

type Env = Readonly<Record<string, string | undefined>>;

/** @returns program and arguments that run a script of the project as `npm start` would */
export declare function serviceCommand(
  runtime: Runtime,
  script: string,
  options: { readonly env: Env; readonly watch?: boolean },
): string[];

/** @returns program and arguments of a tool, which always runs on Node */
export declare function nodeCommand(script: string, args?: readonly string[], watch?: boolean): string[];

/** What Deno's process needs in its environment. */
export declare function denoEnv(env: Env): Record<string, string>;

export declare function requireInstalled(name: string): string;
