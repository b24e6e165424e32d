import { createHash } from 'node:crypto'

const YEAR_S = 31_536_000
/** For an address that has the hash of the content. */
export const IMMUTABLE = `public, max-age=${YEAR_S}, immutable`
/** For an address whose content may change with the next release: asked again, answered 304. */
const REVALIDATED = 'no-cache'

export type StaticFile = { respond: (request: Request, cacheControl?: string) => Promise<Response> }

/** A file that is the same for every client; it is read with the first request. */
export function createStaticFile(type: string, read: () => Promise<string> | string): StaticFile {
  let loaded: ReturnType<typeof load> | undefined

  async function load() {
    const content = await read()
    // Weak, since a proxy may compress the content.
    return { content, etag: `W/"${toHash(content)}"` }
  }

  return {
    async respond({ headers }, cacheControl = REVALIDATED) {
      loaded ??= load()
      const { content, etag } = await loaded
      const common = { 'cache-control': cacheControl, etag }
      if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: common })
      return new Response(content, { headers: { ...common, 'content-type': type } })
    },
  }
}

export const toHash = (content: string) => createHash('sha256').update(content).digest('hex').slice(0, 16)
