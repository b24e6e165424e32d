import { Type, type Static } from '@sinclair/typebox'
import type { Outbound } from '../outbound'
import type { KycProvider, KycResult } from './port'

type Account = { name: string; url: () => string; credentials: Record<string, string> }

/** eKYC over the provider's HTTP interface; the sandbox speaks the same. */
export const createKyc = (call: Outbound, { name, url, credentials }: Account): KycProvider => ({
  name,
  start: async ({ redirectUrl, webhookUrl }) => {
    const { id, kycURL, kycUrl } = await call('post', `${url()}/api/ekyc/`, Started, { headers: credentials, json: { redirection_url: redirectUrl, webhook_url: webhookUrl } })
    return { requestId: id, verificationUrl: (kycURL ?? kycUrl)! }
  },
  status: async requestId => resultOf(await call('get', `${url()}/api/ekyc/${encodeURIComponent(requestId)}`, Status, { headers: credentials })),
})

const started = { id: Type.String({ minLength: 1, maxLength: 255 }) }
const Started = Type.Union([Type.Object({ ...started, kycURL: Type.String(), kycUrl: Type.Optional(Type.String()) }), Type.Object({ ...started, kycURL: Type.Optional(Type.String()), kycUrl: Type.String() })])

const Nothing = Type.Optional(Type.Null())
const Status = Type.Object({
  status: Type.Union([Type.Literal('CREATED'), Type.Literal('KYC_REQUESTED'), Type.Literal('SUCCESS'), Type.Literal('ERROR')]),
  data: Type.Union([Nothing, Type.Optional(Type.Object({ aadhaar: Type.Object({ name: Type.Optional(Type.String()), aadhaarNumber: Type.Optional(Type.String()) }) }))]),
  errorCode: Type.Optional(Type.String()),
  errorMsg: Type.Optional(Type.String()),
})

/** Whatever the provider masks, four digits are kept at most. */
export function resultOf({ status, data, errorCode, errorMsg }: Static<typeof Status>): KycResult {
  const digits = data?.aadhaar.aadhaarNumber?.replace(/\D/g, '').slice(-4)
  return {
    status,
    name: data?.aadhaar.name?.slice(0, 255),
    maskedAadhaar: digits?.length === 4 ? digits : undefined,
    errorCode: errorCode?.slice(0, 100),
    errorMessage: errorMsg,
  }
}
