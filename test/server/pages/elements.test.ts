import { expect, test } from 'bun:test'
import { link, linkAddresses } from '../../../server/pages/elements'
import { html } from '../../../server/pages/html'

test.each(['https://a.example/x', 'http://a.example', '/docs'])('%p is a link', address => {
  expect(link(address).text).toBe(`<a href="${address}" rel="noreferrer">${address}</a>`)
})

test.each(['javascript:alert(1)', 'data:text/html,x', '//a.example', 'ftp://a.example', 'docs', ''])(
  '%p is a text',
  address => {
    expect(link(address).text).toBe(address)
  },
)

test('the web addresses of a text are links, and nothing else of it', () => {
  const content = linkAddresses('/docs or https://a.example/x, or <b>')
  expect(html`${content}`.text).toBe(
    '/docs or <a href="https://a.example/x" rel="noreferrer">https://a.example/x</a>, or &lt;b&gt;',
  )
})
