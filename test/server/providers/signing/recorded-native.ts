import { createRecordedProvider, type Recorded } from '../../../support/recorded-provider'
import { toTinyPdf } from '../../../support/pdf'

export const provider = createRecordedProvider({ ESIGN_PROTOCOL: 'native' })
export const ID = '460b4de8-a240-4803-9a5a-51a0cb37a865'
export const EARLIER = 'cb80bfb4-d163-426e-ad57-1fd8889e62d4'
export const ASHA = 'cb504cc9-3c10-4847-9282-19cf23b49c40'
export const RAVI = '7899d1b2-79c3-4878-907f-44136bf44298'
export const PAGE = 'https://dg-sandbox.example.com/signature/preview?requestId=460b4de8&signerId='
export const [asha, ravi] = [
  { identifier: '9876543210', displayName: 'Asha Rao' },
  { identifier: '9123456789', displayName: 'Ravi Nair' },
]
export const REQUEST = {
  documentId: '3f0c2b1e-5f3f-4d0b-8a55-6b8f1d9b0a11',
  documentUrl: `${provider.url}/leases/lease.pdf`,
  signer: ravi,
  parties: [asha, ravi],
  earlier: [] as string[],
  redirectUrl: 'https://api.example.com/signed',
}

// Recorded responses.
type Signer = Record<string, unknown>
const pendingAsha: Signer = {
  displayName: 'Asha Rao',
  id: ASHA,
  identifier: '9876543210',
  errCode: '',
  status: 'pending',
  url: `${PAGE}cb504cc9`,
}
const pendingRavi: Signer = {
  displayName: 'Ravi Nair',
  id: RAVI,
  identifier: '9123456789',
  errCode: '',
  status: 'pending',
  url: `${PAGE}7899d1b2`,
}
const signedAsha = { ...pendingAsha, status: 'signed' }
const toRequest = (status: string, signers: Signer[]) => ({
  documentId: '67e0ca30-49e4-4883-86f9-3762f0e6798c',
  id: ID,
  signers,
  status,
})
const redirectUrl = 'https://api.example.com/signed'
const unsigned = { birthYear: 'None', signatureDetails: null, errCode: null }
const signatureDetails = {
  aadhaarName: 'Asha Rao',
  aadhaarSuffix: '1234',
  birthYear: '1990',
  gender: 'F',
  postalCode: '560048',
}

export const document: Recorded = { body: toTinyPdf('the lease'), type: 'application/pdf' }
export const uploaded: Recorded = {
  status: 201,
  body: { id: '67e0ca30-49e4-4883-86f9-3762f0e6798c', name: '3f0c2b1e-5f3f-4d0b-8a55-6b8f1d9b0a11.pdf' },
}
export const created: Recorded = {
  status: 201,
  body: {
    ...toRequest('sign_initiated', [
      { ...pendingAsha, ...unsigned },
      { ...pendingRavi, ...unsigned },
    ]),
    redirectUrl,
    traceId: '38067411-fd02-408f-9e87-ea626702dc5a',
  },
}
export const initiated: Recorded = { ...created, status: 200 }
export const partly: Recorded = {
  body: {
    ...toRequest('sign_pending', [
      { ...signedAsha, signatureDetails },
      { ...pendingRavi, signatureDetails: {} },
    ]),
    redirectUrl,
  },
}
export const opened: Recorded = {
  body: toRequest('sign_in_progress', [pendingAsha, { ...pendingRavi, status: 'in_progress' }]),
}
export const complete: Recorded = {
  body: toRequest('sign_complete', [signedAsha, { ...pendingRavi, status: 'signed' }]),
}
export const failed = (errCode: string): Recorded => ({
  body: toRequest('sign_pending', [signedAsha, { ...pendingRavi, errCode }]),
})
export const download: Recorded = {
  body: { downloadUrl: `${provider.url}/bucket/signed.pdf`, id: ID, validUpto: '2026-03-01T14:09:14+05:30' },
}
export const pdf: Recorded = { body: '%PDF-1.7 signed by Asha Rao', type: 'application/pdf' }
export const deleted: Recorded = { status: 204 }

export const gone: Recorded = {
  status: 404,
  body: {
    error: { code: 'signature_request_not_found', detail: 'Signature Request Not Found.', traceId: '' },
  },
}
export const notSigned: Recorded = {
  status: 400,
  body: {
    error: { code: 'document_not_signed', detail: 'Only signed documents can be downloaded.', traceId: '' },
  },
}
export const noDocument: Recorded = {
  status: 404,
  body: { error: { code: 'document_not_found', detail: 'Document not found.', traceId: '' } },
}
