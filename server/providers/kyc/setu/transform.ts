import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { redactAadhaar } from '../../../domain/redact-aadhaar'
import type { KycResult } from '../port'

const id = Type.String({ minLength: 1, maxLength: 255 })

/** The provider spells the field in two ways. */
export const StartResponse = Type.Union([
  Type.Object({ id, kycURL: Type.String(), kycUrl: Type.Optional(Type.String()) }),
  Type.Object({ id, kycURL: Type.Optional(Type.String()), kycUrl: Type.String() }),
])

const Nullish = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

export const StatusResponse = Type.Object({
  status: Type.Union([
    Type.Literal('CREATED'),
    Type.Literal('KYC_REQUESTED'),
    Type.Literal('SUCCESS'),
    Type.Literal('ERROR'),
  ]),
  data: Nullish(
    Type.Object({
      aadhaar: Nullish(Type.Object({ name: Nullish(Type.String()), aadhaarNumber: Nullish(Type.String()) })),
    }),
  ),
  errorCode: Nullish(Type.String()),
  errorMsg: Nullish(Type.String()),
})

export const toStartedCheck = (response: Static<typeof StartResponse>) => ({
  requestId: response.id,
  verificationUrl: (response.kycURL ?? response.kycUrl)!,
})

/** Keeps four digits of the Aadhaar number at most, however the provider masks it. */
export function toKycResult(response: Static<typeof StatusResponse>): KycResult {
  const aadhaar = response.data?.aadhaar
  const lastDigits = aadhaar?.aadhaarNumber?.replace(/\D/g, '').slice(-4)
  return {
    status: response.status,
    name: toStorableText(aadhaar?.name, 255),
    maskedAadhaar: lastDigits?.length === 4 ? lastDigits : undefined,
    errorCode: toStorableText(response.errorCode, 100),
    errorMessage: toStorableText(response.errorMsg, 5000),
  }
}

function toStorableText(text: string | null | undefined, maxLength: number): string | undefined {
  if (typeof text !== 'string') return undefined
  return redactAadhaar(text.replaceAll('\0', '')).slice(0, maxLength)
}
