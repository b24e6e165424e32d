import { createCertificate } from '../../support/certificate'
import { aadhaar, canaries, everything } from './production-server'

const { phone, 'first name': first_name } = canaries
type Respond = (sent: string, path: string) => Response | Promise<Response>

function respondWell(_: string, path: string) {
  if (path.includes('messages')) return Response.json({ messages: [{ id: phone }] })
  if (path.startsWith('/api/ekyc')) return respondToKyc(path.endsWith('/'))
  const signer = {
    id: crypto.randomUUID(),
    identifier: phone,
    displayName: first_name,
    url: `https://sign.example.com/${phone}`,
    status: 'pending',
    errCode: null,
  }
  const id = path.split('/')[3] || `${phone}-${crypto.randomUUID()}`
  return Response.json({ id, status: 'sign_pending', signers: [signer] })
}
function respondToKyc(isStart: boolean) {
  const request = {
    id: `check-${phone}`,
    status: isStart ? 'CREATED' : 'SUCCESS',
    kycURL: `https://kyc.example.com/${phone}`,
    data: { aadhaar, xml: canaries.XML },
  }
  return Response.json(request, { status: isStart ? 201 : 200 })
}

/** Responses that quote the request and all canaries. */
const behaviours: Record<string, Respond> = {
  normal: respondWell,
  '400 with details': sent =>
    Response.json(
      { error: { message: `${sent} ${everything}`, code: 100, errCode: everything }, errorMsg: everything },
      { status: 400 },
    ),
  '401 as text': sent => new Response(`${sent} ${everything}`, { status: 401 }),
  '500 as HTML': sent =>
    new Response(`<h1>${sent} ${everything}</h1>`, {
      status: 500,
      headers: { 'content-type': 'text/html', 'x-why': everything },
    }),
  'malformed JSON': sent =>
    new Response(`${everything}{"${sent}`, { headers: { 'content-type': 'application/json' } }),
  'unexpected fields': sent =>
    Response.json({
      [everything]: sent,
      id: { [everything]: everything },
      messages: everything,
      status: everything,
      signers: [everything],
    }),
  'an unknown status': () =>
    Response.json({
      id: everything.slice(0, 200),
      status: everything,
      kycURL: everything,
      messages: [],
      signers: [{ status: everything, errCode: everything }],
    }),
  'a redirect to itself': (_, path) => Response.redirect(`${path}?${encodeURIComponent(everything)}`, 302),
  'no response': () => Bun.sleep(1500).then(() => new Response()),
}

/** Serves all provider APIs; every response contains canaries. */
export async function startLeakyProvider() {
  const { tls, authorityFile, remove } = await createCertificate()
  let behaviour = 'normal'
  let lastOtp = ''
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls,
    fetch: async request => {
      const body = await request.text()
      const { pathname } = new URL(request.url)
      if (pathname.includes('messages')) lastOtp = /"text":"(\d{6})"/.exec(body)?.[1] ?? lastOtp
      return behaviours[behaviour]!(`${body} ${JSON.stringify([...request.headers])}`, pathname)
    },
  })
  return {
    url: `https://127.0.0.1:${server.port}`,
    authorityFile,
    behaviours: Object.keys(behaviours),
    setBehaviour: (name: string) => void (behaviour = name),
    getLastOtp: () => lastOtp,
    stop: async () => {
      await server.stop(true)
      await remove()
    },
  }
}
