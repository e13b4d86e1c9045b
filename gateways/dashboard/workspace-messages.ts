/** The way between workspaces; apart from the words of each, which the others need not load. See words.ts. */
export const workspaces = { label: 'Workspaces', revenue: 'Revenue', desk: 'Front desk', reports: 'Reports' };
