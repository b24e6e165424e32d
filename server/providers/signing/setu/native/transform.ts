import type { SignaturePosition, Signer, SigningRequest, SigningStatus } from '../../port'
import { parseSetuWebhook, toSignatureStatus, type SignatureResponse } from '../schemas'

const MAX_SIGNERS = 6

/**
 * Maps each signer, in the response's order. If a request has several signers, its status and events say
 * nothing about one of them, unless all have signed or the request has expired.
 */
export function toSignerStatuses(response: SignatureResponse, event?: string): SigningStatus[] {
  const { signers, status } = response
  const isAlone = signers.length === 1
  const countsForAll = isAlone || status === 'sign_complete'
  const isEventForAll = event === 'ESIGN_EXPIRED' || (isAlone && event !== 'ESIGN_COMPLETE')
  return signers.map(signer =>
    toSignatureStatus(
      {
        ...withoutDocumentId(response),
        signers: [signer],
        status: countsForAll ? status : undefined,
      },
      isEventForAll ? event : undefined,
    ),
  )
}

/** The provider's documentId is that of the upload, not ours. */
const withoutDocumentId = (response: SignatureResponse) => ({ ...response, documentId: undefined })

export function parseWebhook(payload: string): SigningStatus[] {
  const webhook = parseSetuWebhook(payload)
  if (!webhook) return []
  const { event, request } = webhook
  if (request.signers.length > 0) return toSignerStatuses(request, event)
  return [toSignatureStatus(withoutDocumentId(request), event)]
}

/** Finds the status of one signer; undefined if the request does not include the signer. */
export function findSignerStatus(signer: Signer, response: SignatureResponse): SigningStatus | undefined {
  const index = response.signers.findIndex(each => toTenDigits(each.identifier) === signer.identifier)
  return toSignerStatuses(response)[index]
}

/** The provider may return a phone number with its country code or with spaces. */
const toTenDigits = (phone: string | null | undefined) => phone?.replace(/\D/g, '').slice(-10)

/** The other parties who can sign on the same request. */
export function toOtherSigners({ parties, signer }: SigningRequest, response: SignatureResponse) {
  const others = parties.filter(({ identifier }) => identifier !== signer.identifier)
  return others.flatMap(({ identifier, displayName }) => {
    const status = findSignerStatus({ identifier, displayName }, response)
    return status?.signingUrl ? [{ identifier, status }] : []
  })
}

export const hasSignature = (response: SignatureResponse) =>
  toSignerStatuses(response).some(({ status }) => status === 'SIGNED')

const CORNERS = ['bottom-left', 'bottom-right', 'top-left', 'top-right'] as const
const STAMP_PX = { height: 60, width: 180 }
/** An A4 page in points. */
const A4 = { width: 595, height: 842 }

/** The body of a request for the signer and the next parties, as many as one request takes. */
export function toCreateBody(request: SigningRequest, documentId: string) {
  const signers = toRequestSigners(request)
  return {
    documentId,
    redirectUrl: request.redirectUrl,
    signers: signers.map(({ identifier, displayName }, index) => {
      const isSigner = identifier === request.signer.identifier
      const position = isSigner ? request.flexiOptions?.signaturePosition : undefined
      // Corners count from the last signer, who keeps the same one after the others have signed.
      const corner = CORNERS[(signers.length - 1 - index) % CORNERS.length]!
      return { identifier, displayName, signature: position ? toStampAt(position) : toStampIn(corner) }
    }),
  }
}

function toRequestSigners({ parties, signer }: SigningRequest): Signer[] {
  const index = parties.findIndex(({ identifier }) => identifier === signer.identifier)
  const start = index - (index % MAX_SIGNERS)
  return parties.slice(start, start + MAX_SIGNERS)
}

const toStampIn = (corner: (typeof CORNERS)[number]) => ({ onPages: ['all'], position: corner, ...STAMP_PX })

/** The provider knows only corners, so the nearest one is taken. */
function toStampAt({ pageNumber, x, y, height, width }: SignaturePosition) {
  const vertical = y + height / 2 < A4.height / 2 ? 'bottom' : 'top'
  const horizontal = x + width / 2 < A4.width / 2 ? 'left' : 'right'
  return { onPages: [String(pageNumber)], position: `${vertical}-${horizontal}`, height, width }
}
