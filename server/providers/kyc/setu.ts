import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { redactAadhaar } from '../../domain/redact-aadhaar'
import type { ProviderClient } from '../http-client'
import type { KycProvider, KycResult } from './port'

type Account = { name: string; url: () => string; credentials: Record<string, string> }

/** eKYC over the provider's HTTP interface; the sandbox speaks the same. */
export const createSetuKyc = (call: ProviderClient, { name, url, credentials }: Account): KycProvider => ({
  name,
  start: async ({ redirectUrl, webhookUrl }) => {
    const { id, kycURL, kycUrl } = await call.json('post', `${url()}/api/ekyc/`, Started, {
      headers: credentials,
      json: { redirection_url: redirectUrl, webhook_url: webhookUrl },
    })
    return { requestId: id, verificationUrl: (kycURL ?? kycUrl)! }
  },
  status: async requestId =>
    toKycResult(
      await call.json('get', `${url()}/api/ekyc/${encodeURIComponent(requestId)}`, Status, {
        headers: credentials,
      }),
    ),
})

const started = { id: Type.String({ minLength: 1, maxLength: 255 }) }
const Started = Type.Union([
  Type.Object({ ...started, kycURL: Type.String(), kycUrl: Type.Optional(Type.String()) }),
  Type.Object({ ...started, kycURL: Type.Optional(Type.String()), kycUrl: Type.String() }),
])

const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const Status = Type.Object({
  status: Type.Union([
    Type.Literal('CREATED'),
    Type.Literal('KYC_REQUESTED'),
    Type.Literal('SUCCESS'),
    Type.Literal('ERROR'),
  ]),
  data: Maybe(
    Type.Object({
      aadhaar: Maybe(Type.Object({ name: Maybe(Type.String()), aadhaarNumber: Maybe(Type.String()) })),
    }),
  ),
  errorCode: Maybe(Type.String()),
  errorMsg: Maybe(Type.String()),
})

/** Whatever the provider masks, four digits are kept at most. */
export function toKycResult({ status, data, errorCode, errorMsg }: Static<typeof Status>): KycResult {
  const digits = data?.aadhaar?.aadhaarNumber?.replace(/\D/g, '').slice(-4)
  return {
    status,
    name: storable(data?.aadhaar?.name, 255),
    maskedAadhaar: digits?.length === 4 ? digits : undefined,
    errorCode: storable(errorCode, 100),
    errorMessage: storable(errorMsg, 5000),
  }
}

const storable = (text: string | null | undefined, most: number) =>
  typeof text === 'string' ? redactAadhaar(text.replaceAll('\0', '')).slice(0, most) : undefined
