import { formatDateTime } from './date-time'
import { html, type Content } from './html'

export type Tone = 'plain' | 'good' | 'bad' | 'busy'

export const paragraph = (text: Content, kind?: 'lead' | 'note') =>
  html`<p${kind && html` class="${kind}"`}>${text}</p>`

export const section = (heading: string, body: Content, kind?: 'card') =>
  html`<section${kind && html` class="${kind}"`}>
    <h2>${heading}</h2>
    ${body}
  </section>`

export const card = (heading: string, body: Content) => section(heading, body, 'card')

export const descriptionList = (rows: Record<string, Content>) =>
  html`<dl>
    ${Object.entries(rows).map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`

export const itemList = (items: Content[], emptyText: string) =>
  items.length
    ? html`<ul class="rows">
        ${items.map(item => html`<li>${item}</li>`)}
      </ul>`
    : paragraph(emptyText, 'note')

/** A list item's title with small details below it. */
export const listItem = (title: Content, ...details: Content[]) =>
  html`<span class="what"
    >${title}<small>${details.map(detail => html`<span>${detail}</span>`)}</small></span
  >`

export const badge = (text: string, tone: Tone = 'plain') => html`<span class="badge ${tone}">${text}</span>`

export const notice = (text: Content, tone: Tone = 'good') =>
  html`<p class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${text}</p>`

export const time = (at: string) =>
  html`<time datetime="${new Date(at).toISOString()}">${formatDateTime(new Date(at))}</time>`

export const isHttpUrl = (address: string) =>
  /^https?:$/.test(URL.parse(address)?.protocol ?? '') || /^\/(?!\/)/.test(address)

/** Links to the web or this server only; shows any other address as text. */
export const link = (address: string, label: string = address) =>
  isHttpUrl(address) ? html`<a href="${address}" rel="noreferrer">${label}</a>` : html`${address}`

/** Links the web addresses of a text. */
export const linkAddresses = (text: string) =>
  text.split(/(https?:\/\/[^\s,]+)/).map((part, index) => (index % 2 ? link(part) : part))
