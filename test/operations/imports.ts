import { leaseTerms } from './agreements'
import { operation, row, to, type OperationRows } from './row'

const lease = {
  external_ref: 'Lakshmi 101',
  property: { alias_name: 'Lakshmi Nilaya', pin_code: 560076, property_type: 'apartment' },
  unit: { unit_name: '101' },
  tenants: [{ phone_number: '9123456789', first_name: 'Anil' }],
  terms: { ...leaseTerms, deposit_amount: null },
  internal_notes: 'The watchman has a key',
}
const payment = { amount: 500, method: 'cash', paid_on: '$monthStart' }

export const imports: OperationRows = {
  'POST /imports/leases': operation(to.signedIn(200), 'once imports.leases', {
    whole: ['created', 'kept', 'changed', 'row'],
    body: { rows: [{ ...lease, tenants: [{ phone_number: '$newPhone' }] }] },
    example: { body: { rows: [{ ...lease, paper: { signed_on: '$monthStart' } }], notify: false } },
  }),
  'POST /imports/payments': operation([row([401, 400, 200, 400, 400, 400])], 'once imports.payments', {
    payment: 'posted',
    body: { rows: [{ lease: '$agreementNumber', ...payment }] },
    example: { body: { rows: [{ lease: 'Lakshmi 101', ...payment }] } },
  }),
}
