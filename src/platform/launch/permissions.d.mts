/**
 * @param env as the service will see it: DATA_DIR absolute, DATABASE_URL set
 * @returns flags of deno run, for a process that starts in the project's folder
 */
export declare function permissions(env: Readonly<Record<string, string | undefined>>): string[];
