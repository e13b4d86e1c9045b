import { DEMO_TENANTS, DEMO_USERS, type DemoUser } from '../../src/demo/rules/demo-users.ts';

/** The development issuer's only page: one button for each demo user. No script, nothing from other origins. */
export function signInPage(action: string): string {
  const groups = DEMO_TENANTS.map((tenantId) => {
    const users = DEMO_USERS.filter((user) => user.tenantId === tenantId).toReversed();
    return `<section aria-label="${tenantId}"><h2>${tenantId}</h2>${users.map(button).join('')}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign in · Innkeeper development</title><style>${STYLE}</style></head>
<body><main><h1>Who are you today?</h1>
<p>This is the development issuer: no passwords, demo users only.</p>
<form method="post" action="${action}">${groups.join('')}</form></main></body></html>`;
}

function button({ subject, name, role }: DemoUser): string {
  return `<button name="subject" value="${subject}"><b>${title(role)} (${name.split(' ')[0]})</b><span aria-hidden="true">${name}</span></button>`;
}

const title = (role: string): string => role.charAt(0) + role.slice(1).toLowerCase();

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f4f2ee;color:#222}
main{max-width:40rem;margin:3rem auto;padding:0 1rem}
form{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:1.5rem}
button{display:flex;justify-content:space-between;width:100%;margin:.4rem 0;padding:.7rem 1rem;font:inherit;
background:#fff;border:1px solid #bbb;border-radius:.5rem;cursor:pointer}
button:hover,button:focus-visible{border-color:#1d4ed8;outline:2px solid #1d4ed8}
span{color:#555}`;
