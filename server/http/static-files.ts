import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const YEAR_S = 31_536_000
/** For an address that has the hash of the content. */
export const IMMUTABLE = `public, max-age=${YEAR_S}, immutable`
/** For an address whose content may change with the next release: asked again, answered 304. */
const REVALIDATED = 'no-cache'

const compress = promisify(gzip)

export type StaticFile = { respond: (request: Request, cacheControl?: string) => Promise<Response> }

/** A file that is the same for every client. It is read and compressed with the first request. */
export function createStaticFile(
  type: string,
  read: () => Promise<string | Uint8Array<ArrayBuffer>> | string,
): StaticFile {
  let loaded: ReturnType<typeof load> | undefined

  async function load() {
    const content = await read()
    return { content, compressed: await compress(content, { level: 9 }), etag: toEtag(content) }
  }

  return {
    async respond({ headers }, cacheControl = REVALIDATED) {
      loaded ??= load()
      const { content, compressed, etag } = await loaded
      const common = { 'cache-control': cacheControl, vary: 'accept-encoding', etag }
      if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: common })

      const typed = { ...common, 'content-type': type }
      if (!acceptsGzip(headers)) return new Response(content, { headers: typed })
      return new Response(compressed, { headers: { ...typed, 'content-encoding': 'gzip' } })
    },
  }
}

const acceptsGzip = (headers: Headers) =>
  /\bgzip\b(?!;\s*q=0(\.0+)?\b)/.test(headers.get('accept-encoding') ?? '')

/** Weak, since the compressed content has the same one. */
const toEtag = (content: string | Uint8Array) => `W/"${toHash(content)}"`

export const toHash = (content: string | Uint8Array) =>
  createHash('sha256').update(content).digest('hex').slice(0, 16)
