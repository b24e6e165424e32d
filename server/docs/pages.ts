import type { Config } from '../config'
import { listVariants } from '../http/openapi/document'
import { html, Html, type Content } from '../pages/html'
import { link, listItem, itemList, paragraph } from '../pages/elements'
import { logo, page } from '../pages/layout'
import type { Assets } from './assets'
import { guides } from './guides'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

type Simulated = Config['sandbox']
const hasSandbox = ({ messages, signing, kyc }: Simulated) => messages || signing || kyc

/** The one-time password of the sandbox, for a sign-in by one click where it is no secret. */
function findOtp({ NODE_ENV, SANDBOX_OTP, SANDBOX_TOKEN, sandbox }: Config) {
  return NODE_ENV !== 'production' && sandbox.messages && !SANDBOX_TOKEN ? SANDBOX_OTP : undefined
}

/** Says what runs here. */
export function homePage({ sandbox }: Config) {
  const items = [
    listItem(link('/docs', 'API documentation'), 'every call with an example to try, and guides'),
    listItem(link('/openapi.json', 'OpenAPI description'), 'for code generators and other tools'),
    hasSandbox(sandbox) &&
      listItem(link('/sandbox', 'Sandbox'), 'the simulated providers: messages, signatures'),
    listItem(link('/health/ready', 'Health'), 'whether the server can work'),
  ].filter(Boolean)
  return page('Kiraya runs here', [
    paragraph('The server of a rental management for landlords in India.', 'lead'),
    html`<section class="card">${itemList(items, '')}</section>`,
  ])
}

/** The reference: every operation, to be filtered and tried. */
export function referencePage(config: Config, assets: Assets) {
  const otp = findOtp(config)
  const tools = html`<div class="tools">
    <input
      id="filter"
      type="search"
      placeholder="Filter calls"
      aria-label="Filter calls"
      autocomplete="off"
    />
    ${variantSelect(config)}
    ${otp && html`<button id="sign-in" class="main" type="button">Sign in against the sandbox</button>`}
    <span id="session" role="status"></span>
  </div>`
  const scripts = html`<script src="${assets.getUrl('swagger-ui-bundle.js')}" defer></script>
    <script type="module" src="${assets.getUrl('reference.js')}"></script>`
  const body = html`<h1>API reference</h1>
    ${tools}
    <div id="api" ${otp && html`data-otp="${otp}"`}></div>`
  return docsPage('API reference', '/docs', body, assets, scripts)
}

const FORM_LABELS = { a: 'Variant A: camelCase', b: 'Variant B: snake_case' }

function variantSelect(config: Config) {
  const variants = listVariants(config)
  const options = variants.map(
    variant => html`<option value="/openapi/${variant}.json">${FORM_LABELS[variant]}</option>`,
  )
  return html`<select id="variant" aria-label="Variant">
    ${options.toReversed()}
  </select>`
}

export function guidePage(title: string, slug: string, markup: string, assets: Assets) {
  const body = html`<article>
    <h1>${title}</h1>
    ${new Html(markup)}
  </article>`
  const scripts = html`<script type="module" src="${assets.getUrl('copy.js')}"></script>`
  return docsPage(title, `/docs/${slug}`, body, assets, scripts)
}

function docsPage(title: string, current: string, body: Content, assets: Assets, scripts?: Content) {
  const document = html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – Kiraya</title>
        <link rel="icon" href="/favicon.svg" />
        <script src="${assets.getUrl('theme.js')}"></script>
        <link rel="stylesheet" href="${assets.getUrl('swagger-ui.css')}" />
        <link rel="stylesheet" href="${assets.getUrl('style.css')}" />
        ${scripts}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/">${logo}Kiraya</a>
          <button id="theme" type="button">Use dark colours</button>
        </header>
        ${navigation(current)}
        <main id="main">${body}</main>
      </body>
    </html>`
  return new Response(document.text, { headers: HEADERS })
}

function navigation(current: string) {
  const pages = [
    { href: '/docs', title: 'API reference' },
    ...guides.map(({ slug, title }) => ({ href: `/docs/${slug}`, title })),
  ]
  const links = pages.map(({ href, title }) => {
    const isCurrent = href === current && html` aria-current="page"`
    return html`<a href="${href}" ${isCurrent}>${title}</a>`
  })
  return html`<nav aria-label="Documentation">${links}</nav>`
}
