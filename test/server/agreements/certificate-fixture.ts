import { renderCertificate, type CertificateData } from '../../../server/leases/evidence/certificate-pdf'
import { readPdfText } from '../../support/pdf'

export const uuid = (n: number) => `5f0c9a3e-7d1b-4c68-9a52-${String(n).padStart(12, '0')}`
export const sha256 = (n: number) => new Bun.CryptoHasher('sha256').update(String(n)).digest('hex')
export const minute = (n: number) => new Date(Date.UTC(2026, 10, 21, 9, 34, 5) + n * 60_000)

export const landlord = {
  name: 'ज्ञानेश्वर क्षत्रिय',
  phone: '9876543210',
  role: 'LANDLORD' as const,
  signature_id: uuid(2),
  provider: 'setu',
  provider_request_id: 'request-2',
  provider_signature_id: 'signer-2',
  asked_at: minute(0),
  viewed_at: minute(12),
  signed_at: minute(15),
}
export const tenant = {
  name: 'Zoë D’Souza',
  phone: '9123456789',
  role: 'TENANT' as const,
  signature_id: uuid(3),
  provider: 'setu',
  provider_request_id: 'request-3',
  provider_signature_id: 'signer-3',
  asked_at: minute(1),
  viewed_at: null,
  signed_at: minute(55),
}
const eventTypes = ['created', 'sent', 'signed', 'activated'] as const

/** An active lease of a landlord with a Devanagari name and a tenant with a Latin one. */
export const createCertificateData = (): CertificateData => ({
  agreement: {
    agreement_id: uuid(1),
    agreement_number: 'AGR-2026-000042',
    status: 'ACTIVE',
    status_date: '2026-11-21',
    agreement_start_date: '2026-12-01',
    agreement_end_date: '2027-10-31',
    tenure_in_months: 11,
    rent_amount: 123456.5,
    deposit_amount: 1e7,
  },
  premises: {
    unit_name: 'A-101',
    alias_name: 'Home',
    society_building: 'Prestige श्री Residency',
    survey_number: '45/2B',
    road_name: '12th Main Road',
    locality: 'Indiranagar',
    landmark: 'opp. Ganesh Mandir',
    city: 'Bengaluru',
    district: 'Bengaluru Urban',
    state: 'Karnataka',
    pin_code: 560038,
    country: 'India',
  },
  parties: [landlord, tenant],
  documents: [
    { signature_id: uuid(2), stored: { sha256: sha256(2), size: 248113, created_at: minute(16) } },
    { signature_id: uuid(3), stored: { sha256: sha256(3), size: 251204, created_at: minute(56) } },
  ],
  events: eventTypes.map((type, index) => ({
    position: index + 1,
    type,
    occurred_at: minute(index),
    actor: type === 'activated' ? null : 'Zoë D’Souza',
    hash: sha256(100 + index),
  })),
  generated_at: minute(60),
})

/** Renders a certificate and reads it back: all of its text without spaces. */
export async function openCertificate(data: CertificateData) {
  return { text: removeSpaces(await readPdfText(await renderCertificate(data))) }
}

/** PDF readers guess spaces from distances, also within a word of an Indic script. */
export const removeSpaces = (text: string) => text.replaceAll(/[\s\u200B]/g, '')
