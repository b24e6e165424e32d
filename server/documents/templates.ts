import annual from './annual.typ' with { type: 'text' }
import certificate from './certificate.typ' with { type: 'text' }
import look from './look.typ' with { type: 'text' }
import receipt from './receipt.typ' with { type: 'text' }
import rentProof from './rent-proof.typ' with { type: 'text' }
import sampleLease from './sample-lease.typ' with { type: 'text' }
import settlement from './settlement.typ' with { type: 'text' }
import signatures from './signatures.typ' with { type: 'text' }
import statement from './statement.typ' with { type: 'text' }
import type { DocumentName } from './data'

/** What all templates import. */
export { look }

export const templates: Record<DocumentName, string> = {
  annual,
  certificate,
  receipt,
  rentProof,
  sampleLease,
  settlement,
  signatures,
  statement,
}
