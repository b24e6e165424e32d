import { NamedTenant, NewTenant, TenantQuery } from '@kiraya/sdk/contract/tenants'
import { phoneWords } from '../input/flags'
import { list, send, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  create: send({
    summary: 'Create a tenant or manager by phone number',
    input: NewTenant,
    words: { phone_number: phoneWords },
    examples: ['kiraya tenant create --phone 9123456789 --first-name Tara'],
    result: NamedTenant,
    call: client => client.tenants.create,
  }),
  list: list({
    summary: 'List the tenants of your agreements and the people whom you created',
    input: TenantQuery,
    columns: ['id', 'phone', 'first_name', 'last_name', 'user_id'],
    call: client => client.tenants.list,
  }),
}
