import type { NewTenant, TenantQuery } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import { UsageError } from '../exit-codes'
import { searchFields, toRequestBody, type FieldFlags } from '../field-flags'
import { say } from '../messages'

const tenantFields: FieldFlags<NewTenant> = {
  phone_number: {
    kind: 'text',
    alias: 'phone',
    description: '10-digit Indian mobile number',
    isRequired: true,
  },
  first_name: { kind: 'text' },
  last_name: { kind: 'text' },
  role: { kind: 'text', description: 'tenant or manager' },
}

const queryFields: FieldFlags<TenantQuery> = searchFields

export function addTenantCommands(program: CliCommand) {
  const tenant = program.command('tenant').description('People that your agreements name')

  tenant
    .command('create')
    .description('Create a tenant or manager by phone number; agreements use the id')
    .addFieldFlags(tenantFields)
    .addExamples('kiraya tenant create --phone 9123456789 --first-name Tara')
    .run(async (context, options: object) => {
      const input = toRequestBody<NewTenant>(tenantFields, options)
      requireKnownRole(input.role)
      const client = await context.client()
      const created = await client.tenants.create(input)
      context.show(created)
    })

  tenant
    .command('list')
    .description('List the tenants of your agreements')
    .addFieldFlags(queryFields)
    .run(async (context, options: object) => {
      const query = toRequestBody<TenantQuery>(queryFields, options)
      const client = await context.client()
      const page = await client.tenants.list(query)
      context.showPage(page, ['id', 'user_id', 'phone', 'first_name', 'last_name'])
    })
}

function requireKnownRole(role: string | null | undefined) {
  if (role === undefined || role === 'tenant' || role === 'manager') return
  throw new UsageError(say('role_invalid'))
}
