import { describe, expect, test } from 'bun:test'
import { findGuide, getSection, guides, renderGuide } from '../../../server/docs/guides'
import { recordedExamples } from '../../support/examples'
import { listOperations } from '../../support/operations'
import { testServer } from '../../support/server'

const server = testServer({ env: { NODE_ENV: 'development' } })

const load = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, decompress: false } as RequestInit)

const listAssets = async (path: string) =>
  [...(await (await load(path)).text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, url]) => url!)

describe('the first page', () => {
  test('says what runs here, and leads on to the documentation and the sandbox', async () => {
    const response = await load('/')
    const text = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('Kiraya runs here')
    for (const path of ['/docs', '/openapi.json', '/sandbox', '/health/ready']) {
      expect(text).toContain(`href="${path}"`)
      expect([path, (await load(path)).status]).toEqual([path, 200])
    }
  })

  test('has an icon, also at the address that browsers ask for', async () => {
    for (const path of ['/favicon.svg', '/favicon.ico']) {
      const { status, headers } = await load(path)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(headers.get('cache-control')).toBe('public, max-age=86400')
    }
  })
})

describe('static files', () => {
  test('are immutable, under an address that has their hash', async () => {
    const assets = await listAssets('/docs')
    expect(assets.map(path => path.replace(/\.[\da-f]{16}\./, '.'))).toEqual([
      '/assets/theme.js',
      '/assets/swagger-ui.css',
      '/assets/style.css',
      '/assets/swagger-ui-bundle.js',
      '/assets/reference.js',
    ])
    for (const path of assets) {
      const { headers, status } = await load(path)
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const content = await (await load(path)).text()
      expect(path).toContain(`.${new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 16)}.`)
    }
  })

  test('304: the description is not sent again to a client that has it', async () => {
    for (const path of ['/openapi.json', '/openapi/a.json', '/openapi/b.json']) {
      const { headers } = await load(path)
      expect(headers.get('cache-control')).toBe('no-cache')
      const again = await load(path, { 'if-none-match': headers.get('etag')! })
      expect([again.status, await again.text()]).toEqual([304, ''])
      for (const name of ['etag', 'cache-control'])
        expect([name, again.headers.get(name)]).toEqual([name, headers.get(name)])
    }
  })
})

test('every operation has an example', async () => {
  const documented = (await listOperations(server.url)).map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(recordedExamples).toSorted()).toEqual(documented.toSorted())
})

describe('the guides', () => {
  test.each(guides.map(({ slug, title }) => [slug, title]))('/docs/%s is “%s”', async (slug, title) => {
    const response = await load(`/docs/${slug}`)
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(text).toContain(renderGuide(findGuide(slug)!, server.url))
  })

  test.each(['/docs/none', '/assets/none.js'])('404: %s is no page', async path => {
    const response = await load(path)
    const { error } = (await response.json()) as { error: { reason: string } }
    expect([response.status, error.reason]).toEqual([404, 'page_not_found'])
  })

  test('name the address of this server in their examples', async () => {
    const text = await (await load('/docs/getting-started')).text()
    expect(text).toContain(`baseUrl: '${server.url}'`)
    expect(text).not.toContain('localhost:3000')
  })

  test('are the sections of the READMEs, from a heading to the next one', () => {
    const readme = '# A\n\n## B\n\ntext\n\n```sh\n# a comment\n```\n\n### C\n\n## D\n'
    expect(getSection(readme, 'B')).toBe('## B\n\ntext\n\n```sh\n# a comment\n```\n\n### C\n')
    expect(() => getSection(readme, 'E')).toThrow('No README has the section E')
  })

  test('link to nothing that the server does not have', async () => {
    for (const guide of guides)
      for (const [, href] of renderGuide(guide).matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:/)
  })
})
