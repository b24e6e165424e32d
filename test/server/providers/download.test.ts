import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { createPdf } from '../../support/pdf'
import {
  downloadDocument,
  downloadPdf,
  isPublicAddress,
  MAX_DOCUMENT_BYTES,
  type Network,
} from '../../../server/providers/download'

const settings = {
  DOCUMENT_HOSTS: 'any',
  PROVIDER_TIMEOUT_MS: 40_000,
  PROVIDER_TOTAL_TIMEOUT_MS: 50_000,
} as const
/** For hosts that never end their response. */
const hurriedSettings = { ...settings, PROVIDER_TIMEOUT_MS: 200 } as const
const strictSettings = { ...settings, DOCUMENT_HOSTS: 'public' } as const

const PDF = '%PDF-1.7 a lease'
const largestPdf = new Uint8Array(MAX_DOCUMENT_BYTES)
largestPdf.set(Buffer.from('%PDF-'))

const endless = () => new ReadableStream({ pull: stream => stream.enqueue(largestPdf) })
const stalled = () => new ReadableStream({ start: stream => stream.enqueue(Buffer.from('%PDF-')) })
const responses: Record<string, () => Response | Promise<Response>> = {
  '/lease.pdf': () => new Response(PDF),
  '/locked': async () => new Response(await createPdf(['a lease'], { userPassword: 'secret' })),
  '/owner': async () => new Response(await createPdf(['a lease'], { ownerPassword: 'secret' })),
  '/largest': () => new Response(largestPdf),
  '/too-large': () => new Response(new Blob([largestPdf, 'x'])),
  '/endless': () => new Response(endless()),
  '/html': () => new Response('<html>', { headers: { 'content-type': 'application/pdf' } }),
  '/empty': () => new Response(''),
  '/not-at-start': () => new Response(`${'x'.repeat(1020)}${PDF}`),
  '/gzip': () => new Response(Bun.gzipSync(Buffer.from(PDF)), { headers: { 'content-encoding': 'gzip' } }),
  '/missing': () => new Response('x', { status: 404 }),
  '/silent': () => new Promise(() => {}),
  '/stalled': () => new Response(stalled()),
  '/redirect/301': () => Response.redirect('/lease.pdf', 301),
  '/redirect/303': () => Response.redirect('/lease.pdf', 303),
  '/redirect/307': () => Response.redirect('/lease.pdf', 307),
  '/redirect/308': () => Response.redirect('/lease.pdf', 308),
  '/hops/1': () => Response.redirect('/lease.pdf', 302),
  '/hops/2': () => Response.redirect('/hops/1', 302),
  '/hops/3': () => Response.redirect('/hops/2', 302),
  '/hops/4': () => Response.redirect('/hops/3', 302),
  '/redirect-to-file': () => Response.redirect('file:///etc/passwd', 302),
  '/redirect-without-location': () => new Response(null, { status: 302 }),
  '/redirect-to-invalid': () => new Response(null, { status: 302, headers: { location: 'http://[' } }),
}

const requests: { path: string; headers: Headers }[] = []
const host = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: request => {
    const path = new URL(request.url).pathname
    requests.push({ path, headers: request.headers })
    return responses[path]?.() ?? new Response('x', { status: 404 })
  },
})
afterAll(() => host.stop(true))

const tooLate = 'DownloadError: The address of the document cannot be reached: no complete response in time'
const mustBePublic = 'DownloadError: A document must lie at a public host'
const toUrl = (path: string, hostname = '127.0.0.1') => `http://${hostname}:${host.port}${path}`

type Settings = Parameters<typeof downloadPdf>[1]
type ResolveHost = Network['resolveHost']

/** The first bytes of the document, or the error. */
async function tryDownload(url: string, given: Settings = settings, network?: Partial<Network>) {
  try {
    const bytes = await downloadPdf(url, given, network)
    return Buffer.from(bytes).toString('latin1', 0, 40)
  } catch (error) {
    return `${(error as Error).constructor.name}: ${(error as Error).message}`
  }
}

describe('a download', () => {
  test('returns the document and sends no credentials', async () => {
    expect(await tryDownload(toUrl('/lease.pdf'))).toBe(PDF)
    const { headers } = requests.find(({ path }) => path === '/lease.pdf')!
    const credentials = ['authorization', 'cookie', 'x-client-secret'].map(name => headers.get(name))
    expect(credentials).toEqual([null, null, null])
    expect([headers.get('accept'), headers.get('accept-encoding')]).toEqual(['application/pdf', 'identity'])
  })

  test('sends no credentials of the URL', async () => {
    const url = toUrl('/lease.pdf').replace('//', '//user:password@')
    expect(await tryDownload(url)).toBe(PDF)
    expect(requests.at(-1)!.headers.get('authorization')).toBeNull()
  })

  test('takes up to 10 MiB', async () => {
    expect((await downloadPdf(toUrl('/largest'), settings)).length).toBe(MAX_DOCUMENT_BYTES)
  })
})

describe('an address of a document', () => {
  test.each([301, 303, 307, 308])('follows a redirect with %d', async status => {
    expect(await tryDownload(toUrl(`/redirect/${status}`))).toBe(PDF)
  })

  test.each([
    ['/too-large', 'A document must have at most 10 MiB'],
    ['/endless', 'A document must have at most 10 MiB'],
    ['/html', 'A document must be a PDF'],
    ['/empty', 'A document must be a PDF'],
    ['/not-at-start', 'A document must be a PDF'],
    ['/missing', 'The address of the document answered 404'],
    ['/redirect-without-location', 'The address of the document answered 302'],
    ['/redirect-to-invalid', 'The address of the document redirects to an invalid address'],
    ['/redirect-to-file', 'A document must have an https address'],
  ])('rejects %s: %s', async (path, message) => {
    expect(await tryDownload(toUrl(path))).toBe(`DownloadError: ${message}`)
  })

  test.each([
    ['/owner', undefined],
    ['/locked', 'Correct document_url: A document must open without a password'],
    ['/lease.pdf', 'Correct document_url: A document must be a whole PDF: this one is broken or cut off'],
  ])('of a document to sign at %s says %p', async (path, message) => {
    const download = downloadDocument(toUrl(path), settings)
    expect(
      await download.then(
        () => undefined,
        (error: Error) => error.message,
      ),
    ).toBe(message)
  })

  test.each(['/silent', '/stalled'])('rejects %s after the time limit', async path => {
    expect(await tryDownload(toUrl(path), hurriedSettings)).toBe(tooLate)
  })

  test('rejects or ignores compression, so that no small response becomes a large one', async () => {
    const allowed = [PDF, 'DownloadError: A document must be a PDF']
    expect(allowed).toContain(await tryDownload(toUrl('/gzip')))
  })

  test('rejects a host that does not listen', async () => {
    const unreachable = 'DownloadError: The address of the document cannot be reached'
    expect(await tryDownload('http://127.0.0.1:1/x')).toBe(unreachable)
  })

  test('repeats neither the address nor the resolver’s message', async () => {
    const failingDns = () => Promise.reject(new Error('secret'))
    const result = await tryDownload('http://none.invalid/x?secret=1', settings, { resolveHost: failingDns })
    expect(result).not.toContain('secret')
  })

  test('connects to the checked address, even if DNS changes afterwards', async () => {
    let lookups = 0
    const resolveOnce = async () => {
      lookups += 1
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const url = toUrl('/lease.pdf', 'moving.example.com')
    expect(await tryDownload(url, settings, { resolveHost: resolveOnce })).toBe(PDF)
    expect(lookups).toBe(1)
    expect(requests.at(-1)!.headers.get('host')).toBe(`moving.example.com:${host.port}`)
  })
})

describe('the limits of a download', () => {
  test('follows three redirects and no more', async () => {
    expect(await tryDownload(toUrl('/hops/3'))).toBe(PDF)
    expect(await tryDownload(toUrl('/hops/4'))).toBe(
      'DownloadError: The address of the document leads through more than 3 redirects',
    )
  })

  test('waits for a name server no longer than for the rest', async () => {
    const silent = () => new Promise<never>(() => {})
    expect(await tryDownload('http://silent.example.com/x', hurriedSettings, { resolveHost: silent })).toBe(
      mustBePublic,
    )
  })

  const limits: [timeoutMs: number, totalTimeoutMs: number, downloadMs: number, documentMs: number][] = [
    [30_000, 45_000, 30_000, 10_000],
    [45_000, 30_000, 30_000, 10_000],
    [10_001, 45_000, 10_001, 10_000],
    [9_999, 45_000, 9_999, 9_999],
    [45_000, 9_999, 9_999, 9_999],
  ]
  test.each(limits)(
    '%d and %d ms: a download ends after %d ms, a user’s document after %d',
    async (...row) => {
      const [PROVIDER_TIMEOUT_MS, PROVIDER_TOTAL_TIMEOUT_MS, downloadMs, documentMs] = row
      const given = { ...settings, PROVIDER_TIMEOUT_MS, PROVIDER_TOTAL_TIMEOUT_MS }
      using timeout = spyOn(AbortSignal, 'timeout')
      // The time is over at once.
      timeout.mockImplementation(() => AbortSignal.abort())

      for (const read of [downloadPdf, downloadDocument])
        await expect(read(toUrl('/lease.pdf'), given)).rejects.toThrow('no complete response in time')

      expect(timeout.mock.calls).toEqual([[downloadMs], [documentMs]])
    },
  )
})

const privateAddresses = `
  127.0.0.1 127.9.9.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254
  100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 ::
  ::1 fe80::1 fc00::1 fd12:3456::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1
  ::7f00:1 ::808:808 2002:7f00:1:: 64:ff9b::7f00:1 2001::1 2001:db8::1
`
  .trim()
  .split(/\s+/)
const publicAddresses = `
  8.8.8.8 1.1.1.1 172.32.0.1 192.169.0.1 100.128.0.1 2606:4700:4700::1111 ::ffff:8.8.8.8
`
  .trim()
  .split(/\s+/)

describe('isPublicAddress', () => {
  test.each(privateAddresses)('false: %s', address => expect(isPublicAddress(address)).toBe(false))
  test.each(publicAddresses)('true: %s', address => expect(isPublicAddress(address)).toBe(true))
})

describe('with DOCUMENT_HOSTS=public', () => {
  const mustBeHttps = 'DownloadError: A document must have an https address'

  test('rejects http', async () => {
    expect(await tryDownload('http://8.8.8.8/x', strictSettings)).toBe(mustBeHttps)
  })

  const forms = [
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
  ]
  test.each(forms)('rejects the private host %s', async hostname => {
    expect(await tryDownload(`https://${hostname}/x`, strictSettings)).toBe(mustBePublic)
  })

  const resolutions: [addresses: string[]][] = [[['10.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::1']], [[]]]
  test.each(resolutions)('rejects a name that resolves to %j', async addresses => {
    const resolveTo = async () =>
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    const url = 'https://lease.example.com/x'
    expect(await tryDownload(url, strictSettings, { resolveHost: resolveTo })).toBe(mustBePublic)
  })

  test('never asks a private host to which a redirect leads, by its address or its name', async () => {
    const asked: string[] = []
    using internal = Bun.serve({ port: 0, hostname: '127.0.0.2', fetch: ({ url }) => new Response(url) })
    const network: Network = {
      resolveHost: async () => [{ address: '127.0.0.2', family: 4 }],
      isPublic: address => address === '127.0.0.1' || asked.push(address) === 0,
      isHttpAllowed: true,
    }
    for (const name of ['127.0.0.2', 'private.example.com']) {
      responses['/to-private'] = () => Response.redirect(`http://${name}:${internal.port}/x`, 302)
      expect(await tryDownload(toUrl('/to-private'), strictSettings, network)).toBe(mustBePublic)
    }
    expect([asked, internal.pendingRequests]).toEqual([['127.0.0.2', '127.0.0.2'], 0])
  })

  const unresolved: [title: string, resolveHost: ResolveHost][] = [
    ['has no address', () => Promise.reject(Object.assign(new Error(), { name: 'DNSException' }))],
    ['no name server knows in time', () => new Promise(() => {})],
  ]
  test.each(unresolved)('rejects a name that %s like one with a private address', async (_, resolveHost) => {
    const given = { ...hurriedSettings, DOCUMENT_HOSTS: 'public' } as const
    expect(await tryDownload('https://lease.example.com/x', given, { resolveHost })).toBe(mustBePublic)
  })
})
