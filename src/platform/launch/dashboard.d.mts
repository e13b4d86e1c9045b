export function bundleDashboard(into: string, source?: string): Promise<void>;
export function compressDashboard(into: string): void;
