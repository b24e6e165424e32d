import { wideLimits } from '../../support/wide-limits'
import { aadhaar, canaries, everything } from './canaries'

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
  '500 as HTML': sent =>
    new Response(`<h1>${sent} ${everything}</h1>`, {
      status: 500,
      headers: { 'content-type': 'text/html', 'x-why': everything },
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
  'no response': () => Bun.sleep(1200).then(() => new Response()),
}

/** Serves all provider APIs; every response contains canaries. */
export function startLeakyProvider(tls?: Bun.TLSOptions) {
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
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${server.port}`,
    behaviours: Object.keys(behaviours),
    setBehaviour: (name: string) => void (behaviour = name),
    getLastOtp: () => lastOtp,
    stop: () => server.stop(true),
  }
}
export type LeakyProvider = ReturnType<typeof startLeakyProvider>

/** Credentials of all providers. */
export const toProviderSettings = (url: string) => ({
  MESSAGE_CHANNELS: 'whatsapp,sms',
  WHATSAPP_API_URL: `${url}/v23.0`,
  WHATSAPP_PHONE_NUMBER_ID: '1060123',
  WHATSAPP_ACCESS_TOKEN: canaries['WhatsApp token'],
  MSG91_AUTH_KEY: canaries['MSG91 key'],
  MSG91_TEMPLATE_ID: 't',
  ESIGN_API_URL: url,
  ESIGN_CLIENT_ID: 'i',
  ESIGN_CLIENT_SECRET: canaries['e-sign secret'],
  ESIGN_PRODUCT_INSTANCE_ID: 'p',
  ESIGN_WEBHOOK_SECRET: canaries['webhook secret'],
  EKYC_API_URL: url,
  EKYC_CLIENT_ID: 'i',
  EKYC_CLIENT_SECRET: canaries['eKYC secret'],
  EKYC_PRODUCT_INSTANCE_ID: 'p',
})

/** No limit but those of time, and the address of MSG91. */
export const toProviderConstants = (url: string) => ({
  MSG91_API_URL: url,
  DOCUMENT_CHECK: false,
  PROVIDER_RETRIES: 0,
  PROVIDER_TIMEOUT_MS: 500,
  PROVIDER_TOTAL_TIMEOUT_MS: 1000,
  PROVIDER_BREAKER_FAILURES: 1000,
  ...wideLimits,
})
