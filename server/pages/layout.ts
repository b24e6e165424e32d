import { html, Html, type Content } from './html'
import base from './base.css' with { type: 'text' }
import style from './style.css' with { type: 'text' }

export type PageOptions = {
  status?: number
  headers?: Record<string, string>
  /** A label beside the brand. */
  tag?: string
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
      'referrer-policy': 'no-referrer',
      ...headers,
    },
  })
}

function toDocument(title: string, body: Content, { tag }: PageOptions) {
  return html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${iconUrl}" />
        <title>${title} – Kiraya</title>
        <style>
          ${new Html(base + style)}
        </style>
      </head>
      <body>
        <header>
          <div class="bar">
            <span class="brand">${logo}Kiraya</span>
            ${tag && html`<span class="tag">${tag}</span>`}
          </div>
        </header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
}

const HOUSE = 'M12 2.5 2.5 10v11.5h7V15h5v6.5h7V10z'
export const logo = new Html(
  `<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false"><path fill="currentColor" d="${HOUSE}"/></svg>`,
)
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0b6b4f" d="${HOUSE}"/></svg>`
const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`
