/** Markup that is safe as it is: everything else is escaped where it is put in. */
export class Html {
  constructor(readonly text: string) {}
}
type Piece = Html | string | number | null | undefined | false | readonly Piece[]
const render = (piece: Piece): string =>
  piece instanceof Html
    ? piece.text
    : Array.isArray(piece)
      ? piece.map(render).join('')
      : piece === null || piece === undefined || piece === false
        ? ''
        : Bun.escapeHTML(String(piece))
export const html = (parts: TemplateStringsArray, ...pieces: Piece[]) =>
  new Html(parts.map((part, index) => part + render(pieces[index])).join(''))

type Tone = 'plain' | 'good' | 'bad' | 'busy'
export type Nav = { label: string; href: string }[]
type Options = { status?: number; nav?: Nav; here?: string; tag?: string; headers?: Record<string, string> }

/** A page for people: no script, no request to anybody else. */
export const page = (title: string, body: Piece, { status = 200, nav, here, tag, headers }: Options = {}) =>
  new Response(
    html`<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${icon}">
<title>${title} – Kiraya</title>
<style>${style}</style>
</head>
<body${!nav && html` class="narrow"`}>
${nav && html`<a class="skip" href="#main">Skip to the content</a>`}
<header><div class="bar"><span class="brand">${mark}Kiraya</span>${tag && html` <span class="tag">${tag}</span>`}
${nav && html`<nav aria-label="Sandbox">${nav.map(({ label, href }) => html`<a href="${href}" ${href === here && html` aria-current="page"`}>${label}</a>`)}</nav>`}</div></header>
<main id="main">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action *; base-uri 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        ...headers,
      },
    },
  )

export const paragraph = (text: Piece, kind?: 'lead' | 'note') =>
  html`<p${kind && html` class="${kind}"`}>${text}</p>`
export const section = (heading: string, body: Piece, kind?: 'card') =>
  html`<section${kind && html` class="${kind}"`}><h2>${heading}</h2>
${body}
</section>
`
export const descriptionList = (rows: Record<string, Piece>) =>
  html`<dl>
    ${Object.entries(rows).map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
export const orderedList = (items: Piece[]) =>
  html`<ol class="steps">
    ${items.map(item => html`<li>${item}</li>`)}
  </ol>`
/** What an entry of a list is, and what else is to say of it. */
export const listItem = (what: Piece, ...more: Piece[]) =>
  html`<span class="what">${what}<small>${more.map(one => html`<span>${one}</span>`)}</small></span>`
export const itemList = (items: Piece[], none: string) =>
  items.length
    ? html`<ul class="rows">
        ${items.map(item => html`<li>${item}</li>`)}
      </ul>`
    : html`<p class="note">${none}</p>`
export const badge = (text: string, tone: Tone = 'plain') => html`<span class="badge ${tone}">${text}</span>`
export const notice = (text: Piece, tone: Tone = 'good') =>
  html`<p class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${text}</p>`
export const button = (label: string, kind?: 'main' | 'small') =>
  html`<button${kind && html` class="${kind}"`}>${label}</button>`

/** Only what leads to the web is a link; any other address is shown as the text that it is. */
export const isHttpUrl = (address: string) =>
  /^https?:$/.test(URL.parse(address)?.protocol ?? '') || /^\/(?!\/)/.test(address)
export const link = (address: string, label: string = address) =>
  isHttpUrl(address) ? html`<a href="${address}" rel="noreferrer">${label}</a>` : html`${address}`
/** Buttons that post to an address below this page's own; one of them may be the one that is meant. */
export const actions = (base: string, buttons: Record<string, string>, main?: string) =>
  html`<div class="actions">
    ${Object.entries(buttons).map(([path, label]) => html`<form method="post" action="${`${base}/${path}`}">${button(label, path === main ? 'main' : undefined)}</form>`)}
  </div>`

type Field = { label: string; hint?: string; broad?: true } & (
  | { type: 'number' | 'text' | 'datetime-local' | 'tel'; value?: string; min?: number; max?: number }
  | { type: 'select'; value?: string; choices: [value: string, label: string][] }
)
/** An input with its label and hint. */
export const field = (name: string, { label, hint, broad, ...input }: Field) =>
  html`<div class="field${broad && ' broad'}">
    <label for="${name}">${label}</label> ${
      input.type === 'select'
        ? html`<select id="${name}" name="${name}" ${hint && html` aria-describedby="${name}-hint"`}>
            ${input.choices.map(([value, text]) => html`<option value="${value}" ${value === input.value && html` selected`}>${text}</option>`)}
          </select>`
        : html`<input
            id="${name}"
            name="${name}"
            type="${input.type}"
            value="${input.value ?? ''}"
            ${input.min !== undefined && html` min="${input.min}"`}${input.max !== undefined && html` max="${input.max}"`}${hint && html` aria-describedby="${name}-hint"`}
            autocomplete="off"
          />`
    }
    ${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
  </div> `

/** Made when first used: loading what the runtime knows of dates takes longer than most of a start. */
const formatOf = (options: Intl.DateTimeFormatOptions) => {
  let made: Intl.DateTimeFormat | undefined
  return (at: Date) =>
    (made ??= new Intl.DateTimeFormat('en-IN', {
      timeZone: 'Asia/Kolkata',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      ...options,
    })).format(at)
}
const india = formatOf({ hour: 'numeric', minute: '2-digit', hour12: true })
const exact = formatOf({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
/** A moment as one reads it in India. */
export const dateTime = (at: string | Date, seconds = false) =>
  `${(seconds ? exact : india)(new Date(at)).replace(/\u202f/g, ' ')} IST`
/** A moment as a time element. */
export const time = (at: string | Date) =>
  html`<time datetime="${new Date(at).toISOString()}">${dateTime(at)}</time>`

/** The last four digits tell whose it is. */
export const maskedPhone = (phone: string) => phone.replace(/.(?=.{4})/gsu, '*')

const mark = new Html(
  '<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false"><path fill="currentColor" d="M12 2.5 2.5 10v11.5h7V15h5v6.5h7V10z"/></svg>',
)
const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0b6b4f" d="M12 2.5 2.5 10v11.5h7V15h5v6.5h7V10z"/></svg>')}`

const style = new Html(`
:root { color-scheme: light dark; font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif
  ; --ground: light-dark(#f5f6f4, #121715); --card: light-dark(#fff, #1b2220); --ink: light-dark(#17211d, #e8eeea); --soft: light-dark(#52605a, #a6b3ac)
  ; --line: light-dark(#d9dfdb, #33403a); --edge: light-dark(#7b8a83, #71827a); --main: light-dark(#0b6b4f, #5fd0a7); --on-main: light-dark(#fff, #06281d)
  ; --good: light-dark(#0b6b4f, #7fdcb8); --good-back: light-dark(#e2f3ec, #16382c); --bad: light-dark(#a3231c, #ffaba3); --bad-back: light-dark(#fcebe9, #451d1a)
  ; --busy: light-dark(#7a4f00, #f3c56b); --busy-back: light-dark(#fcf1da, #3d2f10); --focus: light-dark(#b35c00, #ffb648) }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink) }
header { background: var(--card); border-bottom: 1px solid var(--line) }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; max-width: 62rem; margin: 0 auto; padding: .75rem 1.25rem }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 700; font-size: 1.1rem; color: var(--main) }
.tag { font-size: .8rem; font-weight: 600; padding: .1rem .55rem; border-radius: 1rem; background: var(--busy-back); color: var(--busy) }
nav { display: flex; flex-wrap: wrap; gap: .25rem; margin-left: auto }
nav a { padding: .4rem .75rem; border-radius: .5rem; color: inherit; text-decoration: none }
nav a:hover { background: var(--ground) }
nav a[aria-current] { background: var(--good-back); color: var(--good); font-weight: 600 }
.skip { position: absolute; left: -99rem }
.skip:focus { left: .5rem; top: .5rem; padding: .5rem 1rem; background: var(--card); z-index: 1 }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem }
.narrow main, .narrow .bar { max-width: 38rem }
time { white-space: nowrap }
h1 { font-size: clamp(1.45rem, 5vw, 1.9rem); line-height: 1.2; margin: .5rem 0 .75rem; text-wrap: balance }
h2 { font-size: 1.1rem; line-height: 1.3; margin: 0 0 .75rem }
h3 { font-size: 1rem; margin: 1.25rem 0 .5rem }
p { margin: 0 0 .75rem; overflow-wrap: anywhere }
section { margin: 1.75rem 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .85rem; padding: 1.15rem 1.25rem; margin: 1.25rem 0 }
.card > *, .card > .rows { margin-block: 0 }
.card > * + *, .card > * + .rows { margin-top: .85rem }
.columns { display: grid; gap: 0 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); align-items: start }
.lead { font-size: 1.1rem; color: var(--soft) }
.note, .hint { color: var(--soft); font-size: .9rem }
a { color: var(--main); overflow-wrap: anywhere }
dl { margin: 0; display: grid; gap: .6rem }
dl div { display: grid; grid-template-columns: minmax(6.5rem, max-content) 1fr; gap: 0 1rem }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
.rows { list-style: none; margin: 0; padding: 0 }
.rows li { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; padding: .65rem 0; border-top: 1px solid var(--line) }
.rows li:first-child { border-top: 0; padding-top: 0 }
.rows li:last-child { padding-bottom: 0 }
.rows .what { flex: 1 1 7.5rem; min-width: 0; overflow-wrap: anywhere }
.rows .what small { display: flex; flex-wrap: wrap; gap: 0 .9rem; color: var(--soft); font-size: .9rem }
.steps { margin: 0; padding-left: 1.35rem }
.steps li { padding: .15rem 0 .15rem .25rem }
.badge { font-size: .85rem; font-weight: 600; padding: .1rem .6rem; border-radius: 1rem; background: var(--ground); color: var(--soft); border: 1px solid var(--line); white-space: nowrap }
.good { background: var(--good-back); color: var(--good); border-color: transparent }
.bad { background: var(--bad-back); color: var(--bad); border-color: transparent }
.busy { background: var(--busy-back); color: var(--busy); border-color: transparent }
.notice { padding: .7rem 1rem; border-radius: .6rem }
.actions { display: flex; flex-wrap: wrap; gap: .65rem }
.actions + .actions { margin-top: .65rem }
button, .button, input, select { font: inherit; border-radius: .55rem; border: 1px solid var(--edge); background: var(--card); color: inherit; min-height: 2.75rem; padding: .5rem 1.1rem; max-width: 100% }
button, .button { cursor: pointer; display: inline-block; font-weight: 600; text-decoration: none; text-align: center }
button:hover, .button:hover { border-color: var(--main) }
button.main { background: var(--main); border-color: var(--main); color: var(--on-main); padding-inline: 1.75rem }
button.main:hover { filter: brightness(1.08) }
button.small { min-height: 2.25rem; padding: .25rem .8rem; font-size: .9rem }
input, select { width: 100%; padding-inline: .75rem }
.inline { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end }
.inline .field { flex: 0 1 16rem; margin: 0 }
.fields { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fill, minmax(min(11.5rem, 100%), 1fr)); align-items: start }
.field { margin: 0 0 .9rem; min-width: 0 }
.fields .broad { grid-column: 1 / -1 }
label { display: block; font-weight: 600; margin-bottom: .25rem }
.hint { display: block; margin-top: .2rem }
summary { cursor: pointer; font-weight: 600; padding: .35rem 0 }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .4rem }
@media (max-width: 30rem) { dl div { grid-template-columns: 1fr } nav { margin-left: 0 } .people .actions form, .people .actions form button { width: 100% } }
@media (prefers-reduced-motion: no-preference) { button, .button, nav a { transition: background-color .12s, border-color .12s } }
@media print { header, .actions { display: none } }
`)
