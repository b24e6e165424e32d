import { afterAll, describe, expect, test } from 'bun:test'
import { downloadPdf, isPublicAddress, MAX_DOCUMENT_BYTES } from '../../../server/providers/download'

const rules = { DOCUMENT_HOSTS: 'any', PROVIDER_TIMEOUT_MS: 1000, PROVIDER_TOTAL_TIMEOUT_MS: 2000 } as const
const strict = { ...rules, DOCUMENT_HOSTS: 'public' } as const
const pdf = '%PDF-1.7 a lease'
const asked: { path: string; headers: Headers }[] = []
const full = new Uint8Array(MAX_DOCUMENT_BYTES)
full.set(Buffer.from('%PDF-'))
const answers: Record<string, () => Response | Promise<Response>> = {
  '/lease.pdf': () => new Response(pdf),
  '/full': () => new Response(full),
  '/over': () => new Response(new Blob([full, 'x'])),
  '/endless': () => new Response(new ReadableStream({ pull: stream => stream.enqueue(full) })),
  '/html': () => new Response('<html>', { headers: { 'content-type': 'application/pdf' } }),
  '/empty': () => new Response(''),
  '/late': () => new Response(`x${pdf}`),
  '/packed': () => new Response(Bun.gzipSync(Buffer.from(pdf)), { headers: { 'content-encoding': 'gzip' } }),
  '/gone': () => new Response('x', { status: 404 }),
  '/silent': () => new Promise(() => {}),
  '/stalled': () =>
    new Response(new ReadableStream({ start: stream => stream.enqueue(Buffer.from('%PDF-')) })),
  '/once': () => Response.redirect('/lease.pdf', 302),
  '/for-ever': () => Response.redirect('/for-ever', 302),
  '/to-metadata': () => Response.redirect('http://169.254.169.254/latest', 307),
  '/to-file': () => Response.redirect('file:///etc/passwd', 302),
  '/nowhere': () => new Response(null, { status: 302 }),
  '/askew': () => new Response(null, { status: 302, headers: { location: 'http://[' } }),
}
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: request => {
    const path = new URL(request.url).pathname
    asked.push({ path, headers: request.headers })
    return answers[path]?.() ?? new Response('x', { status: 404 })
  },
})
afterAll(() => server.stop(true))
const at = (path: string, host = '127.0.0.1') => `http://${host}:${server.port}${path}`
const said = (
  url: string,
  given: Parameters<typeof downloadPdf>[1] = rules,
  resolve?: Parameters<typeof downloadPdf>[2],
) =>
  downloadPdf(url, given, resolve).then(
    bytes => Buffer.from(bytes).toString('latin1', 0, 40),
    error => `${error.constructor.name}: ${error.message}`,
  )

describe('a document', () => {
  test('is taken as it is, up to 10 MiB, and asked for without credentials', async () => {
    expect(await said(at('/lease.pdf'))).toBe(pdf)
    expect((await downloadPdf(at('/full'), rules)).length).toBe(MAX_DOCUMENT_BYTES)
    const { headers } = asked.find(({ path }) => path === '/lease.pdf')!
    expect([headers.get('authorization'), headers.get('cookie'), headers.get('x-client-secret')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('is looked for through a redirect', async () => {
    expect(await said(at('/once'))).toBe(pdf)
  })

  test.each([
    ['/over', 'A document must have at most 10 MiB'],
    ['/endless', 'A document must have at most 10 MiB'],
    ['/html', 'A document must be a PDF'],
    ['/empty', 'A document must be a PDF'],
    ['/late', 'A document must be a PDF'],
    ['/gone', "The document's address answered 404"],
    ['/nowhere', "The document's address answered 302"],
    ['/askew', "The document's address leads to none"],
    ['/for-ever', "The document's address leads through more than 3 redirects"],
    ['/to-file', 'A document must have an https address'],
    ['/silent', "The document's address cannot be reached: no whole answer in time"],
    ['/stalled', "The document's address cannot be reached: no whole answer in time"],
  ])('%s is refused: %s', async (path, why) => {
    expect(await said(at(path))).toBe(`DocumentError: ${why}`)
  })

  test('that is packed all the same is the document or refused, never a bomb', async () => {
    expect([pdf, 'DocumentError: A document must be a PDF']).toContain(await said(at('/packed')))
  })

  test('is refused where nobody listens, or no such host is', async () => {
    expect(await said('http://127.0.0.1:1/x')).toStartWith(
      "DocumentError: The document's address cannot be reached",
    )
    expect(
      await said('http://none.invalid/x?secret=1', rules, () => Promise.reject(new Error('secret'))),
    ).not.toContain('secret')
  })
})

describe('with DOCUMENT_HOSTS=public', () => {
  const wrong = [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '::808:808',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    '2001::1',
    '2001:db8::1',
  ]

  test.each(wrong)('%s is not public', address => {
    expect(isPublicAddress(address)).toBe(false)
  })
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '192.169.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
  ])('%s is public', address => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test('http is refused, and a private host however it is written', async () => {
    expect(await said('http://8.8.8.8/x', strict)).toBe(
      'DocumentError: A document must have an https address',
    )
    for (const host of [
      ...wrong.map(address => (address.includes(':') ? `[${address}]` : address)),
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
    ])
      expect([host, await said(`https://${host}/x`, strict)]).toEqual([
        host,
        'DocumentError: A document must lie at a public host',
      ])
  })

  test('a name is refused that DNS leads to a private host, alone or among others', async () => {
    for (const addresses of [['10.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::1'], []])
      expect(
        await said('https://lease.example.com/x', strict, async () =>
          addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
      ).toBe('DocumentError: A document must lie at a public host')
  })

  test('a redirect to a private host is refused', async () => {
    expect(await said(at('/to-metadata'), rules, undefined)).not.toBe(pdf)
    expect(await said('https://169.254.169.254/latest', strict)).toBe(
      'DocumentError: A document must lie at a public host',
    )
  })
})

test('the connection goes to the address that was checked, whatever DNS says afterwards', async () => {
  let looked = 0
  expect(
    await said(
      at('/lease.pdf', 'moving.example.com'),
      rules,
      async () => (looked++, [{ address: '127.0.0.1', family: 4 }]),
    ),
  ).toBe(pdf)
  expect([looked, asked.at(-1)!.headers.get('host')]).toEqual([1, `moving.example.com:${server.port}`])
})
