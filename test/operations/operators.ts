import { operation, page, to, withoutFields, type OperationRows } from './row'

export const operators: OperationRows = {
  'GET /health': operation(to.everyone(200)),
  'GET /health/live': operation(to.everyone(200)),
  'GET /health/ready': operation(to.everyone(200)),
  'POST /webhooks/esign': operation(withoutFields(to.everyone(401)), [], {
    example: { headers: { 'x-setu-signature': '$webhookSignature' }, body: '$webhook' },
  }),
  'POST /webhooks/ekyc': operation(withoutFields(to.everyone(400)), [], {
    example: { body: { data: { id: '$check' } } },
  }),
  'GET /metrics': operation(to.everyone(404)),
  'GET /operations/webhooks': operation(to.everyone(404), 'query operations.webhooks', {
    example: { query: { ...page, state: 'done' } },
  }),
  'POST /operations/webhooks/:id/replay': operation(to.everyone(404), 'other operations.replay', {
    takes: [],
    example: { id: '$receivedWebhook' },
  }),
  'GET /operations/jobs': operation(to.everyone(404), 'none operations.jobs', {
    whole: ['cancellations', 'documents', 'open_signatures', 'runs', 'stuck_signatures', 'webhooks'],
  }),
  'POST /operations/invitations': operation(to.everyone(404), 'body operations.invite', {
    body: {
      phone_number: '9812345670',
      first_name: 'Meera',
      last_name: 'Pillai',
      email: 'meera.pillai@example.com',
    },
  }),
  'GET /operations/invitations': operation(to.everyone(404), 'query operations.invitations', {
    example: { query: { ...page, status: 'open' } },
  }),
  'DELETE /operations/invitations/:id': operation(to.everyone(404), 'none operations.cancelInvitation', {
    example: { id: '$invitation' },
  }),
}
