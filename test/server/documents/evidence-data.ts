import type { CertificateData, SignaturesData } from '../../../server/documents/data'
import { toSha256 } from '../../../server/domain/sha256'

const signer = {
  id: 'signature-1',
  name: 'Asha Rao',
  role: 'Landlord',
  phone: '******3210',
  signed_at: '2026-11-20T10:00:00.000Z',
  has_declined: false,
}
export const signature: SignaturesData = {
  request_id: 'request-1',
  changed_at: '2026-11-20T10:00:00.000Z',
  is_complete: true,
  problem: null,
  document: {
    id: 'document-1',
    name: 'https://example.com/lease.pdf',
    size: 123_456,
    sha256: 'a'.repeat(64),
  },
  signers: [signer],
}

/** Of several signers, after a page that says why the document is missing. */
export const signatures: SignaturesData = {
  ...signature,
  is_complete: false,
  problem: 'It is broken.',
  signers: [
    signer,
    { ...signer, id: 'signature-2', name: 'Tara Iyer', role: 'Tenant' },
    { ...signer, id: 'signature-3', name: 'Ravi', role: 'Signer', phone: null, signed_at: null },
    {
      ...signer,
      id: 'signature-4',
      name: 'Vik',
      role: 'Signer',
      phone: null,
      signed_at: null,
      has_declined: true,
    },
  ],
}

const uuid = (n: number) => `5f0c9a3e-7d1b-4c68-9a52-${String(n).padStart(12, '0')}`
const hash = (n: number) => toSha256(String(n))
const minute = (n: number) => new Date(Date.UTC(2026, 10, 21, 9, 34, 5) + n * 60_000).toISOString()

/** Of an active lease of a landlord with a Devanagari name and a tenant with a Latin one. */
export const certificate: CertificateData = {
  agreement: {
    agreement_id: uuid(1),
    agreement_number: 'AGR-2026-000042',
    status: 'ACTIVE',
    status_date: '2026-11-21',
    unit_name: 'A-101',
    address: 'Prestige श्री Residency, Survey No. 45/2B, 12th Main Road, Bengaluru, Karnataka 560038, India',
    term: '1 Dec 2026 to 31 Oct 2027 (11 months)',
    extended_to: null,
    rent_amount: 123456.5,
    deposit_amount: 1e7,
    recorded: null,
    document: { sha256: 'b'.repeat(64), template: 'leave_and_licence', version: 1 },
  },
  parties: [
    {
      name: 'ज्ञानेश्वर क्षत्रिय',
      phone: '******3210',
      role: 'Landlord',
      signature_id: uuid(2),
      provider: 'setu',
      provider_request_id: 'request-2',
      provider_signature_id: 'signer-2',
      asked_at: minute(0),
      viewed_at: minute(12),
      signed_at: minute(15),
      accepted_at: null,
    },
    {
      name: 'Zoë D’Souza',
      phone: '******6789',
      role: 'Tenant',
      signature_id: uuid(3),
      provider: 'setu',
      provider_request_id: 'request-3',
      provider_signature_id: null,
      asked_at: minute(1),
      viewed_at: null,
      signed_at: minute(55),
      accepted_at: null,
    },
  ],
  documents: [
    {
      signed_by: 'ज्ञानेश्वर क्षत्रिय',
      signature_id: uuid(2),
      stored: { sha256: hash(2), size: 248113, created_at: minute(16) },
    },
    { signed_by: 'Zoë D’Souza', signature_id: uuid(3), stored: null },
  ],
  entries: ['Agreement drawn up', 'Sent for signature', 'Signed', 'Agreement became active'].map(
    (label, index) => ({
      position: index + 5,
      label,
      occurred_at: minute(index),
      actor: label === 'Agreement became active' ? 'Kiraya' : 'Zoë D’Souza',
      hash: hash(100 + index),
    }),
  ),
  generated_at: minute(60),
}

/** Of a lease that has ended, had no deposit and no request to sign that is known. */
export const endedCertificate: CertificateData = {
  ...certificate,
  agreement: {
    ...certificate.agreement,
    status: 'TERMINATED',
    extended_to: '2028-09-30',
    deposit_amount: null,
  },
  entries: [],
}
