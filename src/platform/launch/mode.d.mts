type Variables = Record<string, string | undefined>;
export function isLoopback(host: string): boolean;
export function missingMode(env: Variables): string | undefined;
