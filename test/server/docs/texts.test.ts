import { describe, expect, test } from 'bun:test'
import { readConfig, type Config } from '../../../server/config'
import type { Assets } from '../../../server/docs/assets'
import { guides, renderGuide } from '../../../server/docs/guides'
import { guidePage, homePage, referencePage } from '../../../server/docs/pages'

const assets: Assets = { getUrl: name => `/assets/${name}`, find: () => undefined }
const config = readConfig({ NODE_ENV: 'development', JWT_SECRET: 'x', ESIGN_WEBHOOK_SECRET: 'x' })
const real = { messages: false, signing: false, kyc: false }

const readReference = (changes: Partial<Config> = {}) =>
  referencePage({ ...config, ...changes }, assets).text()
const readHome = (sandbox: Config['sandbox']) => homePage({ ...config, sandbox }).text()

test('the first page names the sandbox if it replaces anything', async () => {
  for (const part of ['messages', 'signing', 'kyc'] as const)
    expect(await readHome({ ...real, [part]: true })).toContain(
      'the simulated providers: messages, signatures',
    )
  expect(await readHome(real)).not.toContain('/sandbox')
})

describe('the reference', () => {
  test('offers both variants, B first, or the one that is served', async () => {
    const list = async (API_VARIANT: Config['API_VARIANT']) =>
      [...(await readReference({ API_VARIANT })).matchAll(/<option value="([^"]*)">([^<]*)/g)].map(
        ([, ...parts]) => parts,
      )
    const [a, b] = [
      ['/openapi/a.json', 'Variant A: camelCase'],
      ['/openapi/b.json', 'Variant B: snake_case'],
    ]
    expect(await list('both')).toEqual([b, a])
    expect(await list('a')).toEqual([a])
    expect(await list('b')).toEqual([b])
  })

  test.each<[what: string, changes: Partial<Config>]>([
    ['in production', { NODE_ENV: 'production' }],
    ['with a SANDBOX_TOKEN', { SANDBOX_TOKEN: 'x' }],
    ['with real messages', { sandbox: { ...config.sandbox, messages: false } }],
  ])('has no sign-in by one click %s', async (_, changes) => {
    expect(await readReference()).toContain('data-otp="123456"')
    expect(await readReference(changes)).not.toMatch(/data-otp|id="sign-in"/)
  })

  test('lets the page load nothing from elsewhere', () => {
    const { headers } = referencePage(config, assets)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })
})

describe('a guide', () => {
  test('is the current page of the navigation, which lists all in their order', async () => {
    const text = await guidePage('Errors', 'errors', '<p>markup</p>', assets).text()
    const links = [...text.matchAll(/<a href="(\/docs[^"]*)"\s*([^>]*)>([^<]*)/g)].map(
      ([, ...parts]) => parts,
    )
    const all = [['/docs', 'API reference'], ...guides.map(({ slug, title }) => [`/docs/${slug}`, title])]
    expect(links.map(([href, , title]) => [href, title])).toEqual(all)
    expect(
      links.filter(([, state]) => state!.trim() === 'aria-current="page"').map(([href]) => href),
    ).toEqual(['/docs/errors'])
    expect(text).toContain('<p>markup</p>')
    expect(text).toContain('<title>Errors – Kiraya</title>')
  })

  test('has tables that scroll', () => {
    const markup = guides.map(guide => renderGuide(guide)).join('')
    const tables = markup.match(/<table>/g)!.length
    expect(markup.match(/<div class="table"><table>/g)).toHaveLength(tables)
    expect(markup.match(/<\/table><\/div>/g)).toHaveLength(tables)
  })
})
