export const serviceVariables: readonly string[];
