import { operation, page, to, type OperationRows } from './row'

export const tenants: OperationRows = {
  'POST /tenants': operation(to.signedIn(201), 'key tenants.create', {
    takes: [{ phone_number: '9876543210' }],
    body: { phone_number: '$newPhone', first_name: 'Vikram', last_name: 'Nair' },
  }),
  'GET /tenants': operation(to.signedIn(200), 'query tenants.list', {
    example: { query: page },
    shows: ({ tenant }) => tenant.user_id,
    visibleTo: ['the landlord', 'the manager'],
    reads: ['', '?limit=1', '?q=9', '?sort=first_name'],
  }),
}
