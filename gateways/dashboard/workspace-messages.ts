/** Names of the workspaces; separate from the texts of each, which the others need not load. */
export const workspaces = { label: 'Workspaces', revenue: 'Revenue', desk: 'Front desk', reports: 'Reports' };
