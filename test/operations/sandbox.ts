import { operation, to, withoutFields, type OperationRows } from './row'

export const sandbox: OperationRows = {
  'GET /sandbox/control': operation(to.everyone(200), 'none sandbox.state', {
    whole: ['held_webhooks', 'offset_ms'],
  }),
  'GET /sandbox/messages': operation(to.everyone(200), 'query sandbox.messages', {
    example: { query: { phone: '$phone' } },
  }),
  'POST /sandbox/control/signatures/:id': operation(to.everyone(404), 'other sandbox.sign', {
    takes: ['sign'],
    body: { outcome: 'sign' },
    example: { id: '$signing' },
  }),
  'POST /sandbox/control/checks/:id': operation(to.everyone(404), 'other sandbox.check', {
    takes: ['approve'],
    body: { outcome: 'approve' },
    example: { id: '$check' },
  }),
  'POST /sandbox/control/failures': operation(withoutFields(to.everyone(400)), 'body sandbox.addFailure', {
    whole: ['delay_ms', 'status', 'times'],
    example: {
      body: { provider: 'esign', behaviour: 'late', on: 'webhook', delay_ms: 60000, match: '$tenantPhone' },
    },
  }),
  'DELETE /sandbox/control/failures/:id': operation(to.everyone(404), 'none sandbox.removeFailure', {
    example: { id: '$failure' },
  }),
  'DELETE /sandbox/control/failures': operation(to.everyone(200), 'none sandbox.clearFailures'),
  'POST /sandbox/control/clock': operation(withoutFields(to.everyone(400)), 'body sandbox.moveClock', {
    whole: ['advance_ms'],
    example: { body: { advance_ms: 3600000 } },
  }),
  'POST /sandbox/control/ekyc': operation(withoutFields(to.everyone(400)), 'body sandbox.setEkyc', {
    example: { body: { mode: 'auto' } },
  }),
}

/** Pages, and providers' wire formats: no description has them. */
export const pages: OperationRows = {
  'GET /': operation(to.everyone(200)),
  'GET /docs': operation(to.everyone(200)),
  'GET /docs/:guide': operation(to.everyone(404)),
  'GET /assets/:file': operation(to.everyone(404)),
  'GET /favicon.svg': operation(to.everyone(200)),
  'GET /favicon.ico': operation(to.everyone(200)),
  'GET /openapi.json': operation(to.everyone(200)),
  'GET /openapi/a.json': operation(to.everyone(200)),
  'GET /openapi/b.json': operation(to.everyone(200)),
  'GET /signed': operation(to.everyone(200)),
  'GET /verified': operation(to.everyone(200)),
  'GET /sandbox': operation(to.everyone(200)),
  'GET /sandbox/files/:id': operation(to.everyone(404)),
  'GET /sandbox/files/sample-lease.pdf': operation(to.everyone(200)),
  'POST /sandbox/whatsapp/:phoneNumberId/messages': operation(to.everyone(401)),
  'POST /sandbox/esign/api/esign': operation(to.everyone(401)),
  'GET /sandbox/esign/api/esign/:id': operation(to.everyone(401)),
  'GET /sandbox/esign/api/esign/:id/pdf': operation(to.everyone(401)),
  'POST /sandbox/esign/api/esign/:id/delete/': operation(to.everyone(401)),
  'POST /sandbox/esign/api/documents': operation(to.everyone(401)),
  'POST /sandbox/esign/api/signature': operation(to.everyone(401)),
  'GET /sandbox/esign/api/signature/:id': operation(to.everyone(401)),
  'GET /sandbox/esign/api/signature/:id/download/': operation(to.everyone(401)),
  'POST /sandbox/esign/api/signature/:id/delete/': operation(to.everyone(401)),
  'GET /sandbox/sign/:id': operation(to.everyone(404)),
  'GET /sandbox/sign/:id/document.pdf': operation(to.everyone(404)),
  'GET /sandbox/sign/:id/signed.pdf': operation(to.everyone(404)),
  'POST /sandbox/sign/:id/:outcome': operation(to.everyone(404)),
  'POST /sandbox/ekyc/api/ekyc/': operation(to.everyone(401)),
  'GET /sandbox/ekyc/api/ekyc/:id': operation(to.everyone(401)),
  'GET /sandbox/verify/:id': operation(to.everyone(404)),
  'POST /sandbox/verify/:id/:outcome': operation(to.everyone(404)),
}
