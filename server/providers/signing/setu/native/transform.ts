import type { Signer, SigningRequest, SigningStatus } from '../../port'
import { parseSetuWebhook, toSignatureStatus, type SignatureResponse } from '../schemas'

/** How many signers the provider takes for one request. */
const MOST_SIGNERS = 6

/**
 * What is said of each signer, in the answer's order. Of several signers one does not sign, decline or look at
 * the document because the request says so, unless it says that all have signed or that its time is over.
 * The provider's documentId is the uploaded document's, not ours.
 */
export function toSignerStatuses(
  { documentId: _, ...request }: SignatureResponse,
  event?: string,
): SigningStatus[] {
  const { signers, status } = request
  const isAlone = signers.length === 1
  return signers.map(signer =>
    toSignatureStatus(
      { ...request, signers: [signer], status: isAlone || status === 'sign_complete' ? status : undefined },
      event === 'ESIGN_EXPIRED' || (isAlone && event !== 'ESIGN_COMPLETE') ? event : undefined,
    ),
  )
}

export function parseWebhook(payload: string): SigningStatus[] {
  const news = parseSetuWebhook(payload)
  if (!news) return []
  const { documentId: _, ...about } = news.about
  return about.signers.length ? toSignerStatuses(about, news.event) : [toSignatureStatus(about, news.event)]
}

/** A phone number as the provider may repeat it: with its country code, blanks or none. */
const isOf =
  ({ identifier }: Signer) =>
  (signer: SignatureResponse['signers'][number]) =>
    signer.identifier?.replace(/\D/g, '').slice(-10) === identifier

/** What is said of the person among the signers; undefined where the request does not ask them. */
export const findSignerStatus = (person: Signer, answer: SignatureResponse): SigningStatus | undefined =>
  toSignerStatuses(answer)[answer.signers.findIndex(isOf(person))]

/** The others whom the same request asks, with an address to sign at. */
export const toOtherSigners = ({ parties, signer }: SigningRequest, answer: SignatureResponse) =>
  parties
    .filter(({ identifier }) => identifier !== signer.identifier)
    .flatMap(party => {
      const status = findSignerStatus(party, answer)
      return status?.signingUrl ? { identifier: party.identifier, status } : []
    })

export const hasSignerSigned = (answer: SignatureResponse) =>
  toSignerStatuses(answer).some(({ status }) => status === 'SIGNED')

const CORNERS = ['bottom-left', 'bottom-right', 'top-left', 'top-right'] as const
/** The provider knows corners and sizes in pixels; without a page it is every one. */
const STAMP = { height: 60, width: 180 }
/** An A4 page in points, whose origin is its lower left. */
const A4 = { width: 595, height: 842 }

/** The body that asks the parties, or as many as one request takes. The stamps are counted from the last signer, who keeps the corner when those before have signed and are not asked any more. */
export function signatureRequest(
  { parties, signer, redirectUrl, flexiOptions }: SigningRequest,
  documentId: string,
) {
  const at = parties.findIndex(({ identifier }) => identifier === signer.identifier)
  const first = at - (at % MOST_SIGNERS)
  return {
    documentId,
    redirectUrl,
    signers: parties
      .slice(first, first + MOST_SIGNERS)
      .map(({ identifier, displayName }, index, { length }) => {
        const place = identifier === signer.identifier ? flexiOptions?.signaturePosition : undefined
        return {
          identifier,
          displayName,
          signature: place
            ? stampAt(place)
            : { onPages: ['all'], position: CORNERS[(length - 1 - index) % CORNERS.length], ...STAMP },
        }
      }),
  }
}

const stampAt = ({
  pageNumber,
  x,
  y,
  height,
  width,
}: NonNullable<NonNullable<SigningRequest['flexiOptions']>['signaturePosition']>) => ({
  onPages: [String(pageNumber)],
  position: `${y + height / 2 < A4.height / 2 ? 'bottom' : 'top'}-${x + width / 2 < A4.width / 2 ? 'left' : 'right'}`,
  height,
  width,
})
