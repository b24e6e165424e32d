import { afterEach, beforeEach } from 'bun:test'
import { serveUntilEnd } from '../../../support/provider-double'

type Reply = () => Response | Promise<Response>
type ProviderRequest = { method: string; path: string; headers: Headers; body: any }

/** What each of them means is a table beside the adapter. */
export const failures: Record<string, Reply> = {
  'does not know the request': () => Response.json({ errorCode: 'not_found' }, { status: 404 }),
  fails: () => Response.json({ errorCode: 'internal_server_error' }, { status: 500 }),
  'does not respond in time': () =>
    Bun.sleep(3000).then(() =>
      Response.json({ id: 'late', status: 'SUCCESS', kycURL: 'https://kyc.example.com/late', data: null }),
    ),
}

const open = { status: 'CREATED', data: null as unknown, more: {} as Record<string, unknown> }

/** A provider that speaks the documented wire format, records its requests, and fails on demand. */
export function createKycProvider() {
  const requests: ProviderRequest[] = []
  const check = { ...open }
  const replies: { start?: Reply; status?: Reply } = {}
  let created = 0

  const start = () => {
    const id = ++created
    return Response.json(
      { id: `request-${id}`, status: 'CREATED', kycURL: `https://kyc.example.com/${id}` },
      { status: 201 },
    )
  }
  const getStatus = (id?: string) => {
    const { status, data, more } = check
    return Response.json({ id, status, kycURL: 'https://kyc.example.com/', data, ...more })
  }

  const url = serveUntilEnd(async request => {
    const { method, headers } = request
    const path = new URL(request.url).pathname
    const body = method === 'POST' ? await request.json() : undefined
    requests.push({ method, path, headers, body })
    if (method === 'POST') return replies.start?.() ?? start()
    return replies.status?.() ?? getStatus(path.split('/').pop())
  })
  beforeEach(() => Object.assign(check, open))
  afterEach(() => {
    delete replies.start
    delete replies.status
  })

  return {
    env: {
      EKYC_API_URL: `${url}/`,
      EKYC_CLIENT_ID: 'client',
      EKYC_CLIENT_SECRET: 'hush',
      EKYC_PRODUCT_INSTANCE_ID: 'product',
      PUBLIC_URL: 'https://api.example.com',
    },
    requests,
    /** Replies that replace the usual ones until the end of the test. */
    replies,
    /** The number of requests that were started as usual. */
    countCreated: () => created,
    /** Changes the status that the provider returns until the end of the test. */
    setStatus: (status: string, data: unknown = null, more: Record<string, unknown> = {}) =>
      Object.assign(check, { status, data, more }),
  }
}
