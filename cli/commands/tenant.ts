import type { NamedTenant, NewTenant, TenantQuery } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import { searchFields, type FieldFlags } from '../input/flags'
import { readQuery, submit } from '../input/values'
import { namedTenantFields } from '../output/result-fields'

const tenantFields: FieldFlags<NewTenant> = {
  phone_number: {
    kind: 'phone',
    alias: 'phone',
    description: 'Indian mobile number, such as +91 98765 43210',
    isRequired: true,
  },
  first_name: { kind: 'text' },
  last_name: { kind: 'text' },
  role: { kind: 'choice', choices: ['tenant', 'manager'] },
}

const queryFields: FieldFlags<TenantQuery> = searchFields

export function addTenantCommands(program: CliCommand) {
  const tenant = program.command('tenant').description('Tenants and managers, by phone number')

  tenant
    .command('create')
    .description('Create a tenant or manager by phone number')
    .addFieldFlags(tenantFields)
    .addExamples('kiraya tenant create --phone 9123456789 --first-name Tara')
    .addResult(namedTenantFields)
    .run(async (context, options: object) => {
      const client = await context.client()
      const created = await submit<NewTenant, NamedTenant>(
        context,
        tenantFields,
        options,
        client.tenants.create,
      )
      context.show(created)
    })

  tenant
    .command('list')
    .description('List the tenants of your agreements and the people whom you created')
    .addFieldFlags(queryFields)
    .run(async (context, options: object) => {
      const query = await readQuery<TenantQuery>(context, queryFields, options)
      const client = await context.client()
      const page = await client.tenants.list(query)
      context.showPage(page, ['id', 'phone', 'first_name', 'last_name', 'user_id'])
    })
}
