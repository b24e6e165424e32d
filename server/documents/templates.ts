import annual from './annual.typ' with { type: 'text' }
import certificate from './certificate.typ' with { type: 'text' }
import commercial from './commercial.typ' with { type: 'text' }
import lease from './lease.typ' with { type: 'text' }
import leaveAndLicence from './leave-and-licence.typ' with { type: 'text' }
import look from './look.typ' with { type: 'text' }
import pg from './pg.typ' with { type: 'text' }
import receipt from './receipt.typ' with { type: 'text' }
import rentProof from './rent-proof.typ' with { type: 'text' }
import residential from './residential.typ' with { type: 'text' }
import sampleLease from './sample-lease.typ' with { type: 'text' }
import settlement from './settlement.typ' with { type: 'text' }
import signatures from './signatures.typ' with { type: 'text' }
import statement from './statement.typ' with { type: 'text' }
import type { DocumentName } from './data'

/** What all templates import, and what those of leases do. */
export const shared = { look, lease }

export const templates: Record<DocumentName, string> = {
  annual,
  certificate,
  commercial,
  leave_and_licence: leaveAndLicence,
  pg,
  receipt,
  rentProof,
  residential,
  sampleLease,
  settlement,
  signatures,
  statement,
}
