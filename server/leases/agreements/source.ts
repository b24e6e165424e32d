import type { AgreementChange, LeaseDocument } from '@kiraya/sdk/contract'
import type { Agreement } from '../../../db/entities'
import { refuseFields } from '../../errors'

// Where the lease of a draft comes from: an address, a template, or an uploaded file. The one that is set last replaces
// the others.

type Source = Pick<AgreementChange, 'document' | 'document_url'>

/** @throws VALIDATION_ERROR */
export function requireOneSource({ document, document_url }: Source) {
  if (document && document_url) throw refuseFields('document_twice', 'document')
}

/** The columns of a new draft, which keeps an uploaded file of the agreement that it follows. */
export function toSource({ document, document_url }: Source, followed?: Agreement) {
  const isKept = followed && !followed.document_template && !document && !document_url
  return {
    document_sha256: (isKept && followed.document_sha256) || null,
    document_template: document?.template ?? null,
    document_language: document?.language ?? null,
    document_version: null,
  }
}

/** Sets another source, or takes one away, and returns the other changes; a worded lease is made again after each. */
export function changeSource<T>(agreement: Agreement, { document, document_url, ...others }: Source & T) {
  if (document || document_url) Object.assign(agreement, { document_url }, toSource({ document }))
  else if (document_url === null) agreement.document_url = null
  if (agreement.document_template)
    Object.assign(
      agreement,
      { document_sha256: null, document_version: null },
      document === null && toSource({}),
    )
  return others
}

export function getDocument({ document_template, document_language }: Agreement): LeaseDocument | null {
  if (!document_template) return null
  return { template: document_template, language: document_language! }
}
