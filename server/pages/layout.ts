import { html, Html, type Content } from './html'
import style from './style.css' with { type: 'text' }

export type NavItem = { label: string; href: string }
export type PageOptions = {
  status?: number
  headers?: Record<string, string>
  /** A label beside the brand. */
  tag?: string
  nav?: NavItem[]
  /** The navigation's current address. */
  current?: string
  /** Whether the page shows a PDF of this server within itself. */
  hasDocument?: boolean
}

/** Renders a page without scripts or requests to other hosts. */
export function page(title: string, body: Content, options: PageOptions = {}) {
  const { status = 200, headers, hasDocument } = options
  const documentPolicy = hasDocument ? "object-src 'self'; frame-src 'self'; " : ''
  return new Response(toDocument(title, body, options).text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
        documentPolicy +
        "form-action *; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'same-origin', // with no-referrer a form would have no origin
      ...headers,
    },
  })
}

function toDocument(title: string, body: Content, { tag, nav, current }: PageOptions) {
  return html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${iconUrl}" />
        <title>${title} – Kiraya</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body${!nav && html` class="narrow"`}>
        ${nav && html`<a class="skip" href="#main">Skip to the content</a>`}
        <header>
          <div class="bar">
            <span class="brand">${logo}Kiraya</span>
            ${tag && html`<span class="tag">${tag}</span>`}
            ${nav && navigation(nav, current)}
          </div>
        </header>
        <main id="main">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
}

function navigation(items: NavItem[], current?: string) {
  const links = items.map(({ label, href }) => {
    const isCurrent = href === current && html` aria-current="page"`
    return html`<a href="${href}" ${isCurrent}>${label}</a>`
  })
  return html`<nav aria-label="Sandbox">${links}</nav>`
}

const HOUSE = 'M12 2.5 2.5 10v11.5h7V15h5v6.5h7V10z'
export const logo = new Html(
  `<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false"><path fill="currentColor" d="${HOUSE}"/></svg>`,
)
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0b6b4f" d="${HOUSE}"/></svg>`
const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`
