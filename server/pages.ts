const escape = Bun.escapeHTML

/** A page for people: no script, no request to anybody else. */
export const page = (title: string, body: string, status = 200) => new Response(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} – Kiraya</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; background: Canvas; color: CanvasText }
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dt { opacity: .75 }
dd { margin: 0; overflow-wrap: anywhere }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button { font: inherit; padding: .65rem 1.1rem; border: 1px solid; border-radius: .5rem; background: transparent; color: inherit; cursor: pointer }
button.main { background: #0b6b4f; border-color: #0b6b4f; color: #fff }
button:focus-visible, a:focus-visible { outline: 3px solid #f0a500; outline-offset: 2px }
.note { opacity: .75; font-size: .9rem }
</style>
</head>
<body><main>
<h1>${escape(title)}</h1>
${body}
</main></body>
</html>
`, { status, headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action *; base-uri 'none'; frame-ancestors 'none'", 'referrer-policy': 'no-referrer' } })

export const facts = (rows: Record<string, string>) => `<dl>${Object.entries(rows).map(([name, value]) => `<dt>${escape(name)}</dt><dd>${value}</dd>`).join('')}</dl>`
export const link = (address: string) => `<a href="${escape(address)}" rel="noreferrer">${escape(address)}</a>`
/** Buttons that post to an address below this page's own. */
export const actions = (base: string, buttons: Record<string, string>) => `<div class="actions">${Object.entries(buttons).map(([path, label], index) => `<form method="post" action="${escape(`${base}/${path}`)}"><button${index ? '' : ' class="main"'}>${escape(label)}</button></form>`).join('')}</div>`
export const paragraph = (text: string, note = false) => `<p${note ? ' class="note"' : ''}>${escape(text)}</p>`
