import { afterAll, beforeAll } from 'bun:test'
import { startSecondInstance, type TestServer } from '../../../support/server'

type Instance = Awaited<ReturnType<typeof startSecondInstance>>

/** Another instance of a server, which waits for its provider for at most 600 ms. */
export function hurriedInstance(server: TestServer, env: Record<string, string>) {
  const hurried = {} as Instance
  beforeAll(async () => {
    const instance = await startSecondInstance(server, {
      ...env,
      PROVIDER_TIMEOUT_MS: '200',
      PROVIDER_TOTAL_TIMEOUT_MS: '600',
      PROVIDER_RETRIES: '0',
    })
    Object.assign(hurried, instance)
  })
  afterAll(() => hurried.stop())
  return hurried
}

/** Ways in which the provider fails a request to create a signing; some of them fail any request. */
export const providerFailures = {
  'refuses the credentials': () => problem(401, 'unauthorized', 'hush'),
  'refuses the document': () => problem(400, 'invalid_request', 'no such document'),
  'does not know': () => problem(404, 'not_found'),
  fails: () => problem(500, 'internal_server_error'),
  'is overloaded': () => new Response(null, { status: 429, headers: { 'retry-after': '0' } }),
  'is down': () => new Response(null, { status: 503 }),
  'answers with HTML': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  'answers with other JSON': () => Response.json({ ok: true }),
  'answers null': () => Response.json(null),
  'answers 204': () => new Response(null, { status: 204 }),
  'names no signer': () => created({ id: 'x', signers: [] }),
  'gives no address': () => created({}, { url: undefined }),
  'gives an empty address': () => created({}, { url: '' }),
  'gives an address outside the web': () => created({}, { url: 'javascript:alert(1)' }),
  'gives ids that no column holds': () => created({ id: 'x'.repeat(300) }),
  "gives a signer's id that no column holds": () => created({}, { id: 's'.repeat(300) }),
  'sends a NUL': () => created({ id: 'x\0' }, { url: 'https://sign.example.com/\0' }),
  'gives an end that no calendar has': () => created({ validUpto: '+275760-01-01T00:00:00Z' }),
  'gives the id of another request': () => created({ id: TAKEN_ID }),
} satisfies Record<string, () => Response>

/** Failures that only a time limit ends. 900 ms is longer than the limit of the hurried instance. */
export const slowFailures = {
  'does not answer in time': () => Bun.sleep(900).then(() => created({}, { url: undefined })),
  'stops in the middle of its answer': () =>
    new Response(new ReadableStream({ start: controller => controller.enqueue('{"id":') })),
} satisfies Record<string, () => Response | Promise<Response>>

/** The id of a request that is stored already. */
export const TAKEN_ID = 'taken'

export const problem = (status: number, code: string, detail = '') =>
  Response.json({ error: { code, detail, traceId: 'x' } }, { status })

function created(request: Record<string, unknown>, signer: Record<string, unknown> = {}) {
  return Response.json({
    id: crypto.randomUUID(),
    status: 'sign_initiated',
    signers: [{ id: 's', status: 'pending', url: 'https://sign.example.com/x', ...signer }],
    ...request,
  })
}
