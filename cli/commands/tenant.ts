import type { Command } from 'commander'
import type { TenantQuery } from '@kiraya/sdk'
import { showPage, UsageError, type Act } from '../context'
import { bodyOf, paging, withFields, type Fields } from '../flags'

const fields: Fields = {
  phone_number: { kind: 'text', as: 'phone', about: '10-digit Indian mobile number' },
  first_name: { kind: 'text' },
  last_name: { kind: 'text' },
  role: { kind: 'text', about: 'tenant or manager' },
}

export const tenant = (program: Command, act: Act) => {
  const noun = program.command('tenant').description('People whom your agreements name')
  act(
    withFields(
      noun
        .command('add')
        .description('Name a tenant or manager by phone number; their id goes into agreements'),
      fields,
    ),
    async (context, options: object) => {
      const { role, ...body } = bodyOf<{ phone_number: string; role?: string }>(fields, { ...options }, [
        'phone_number',
      ])
      if (role !== undefined && role !== 'tenant' && role !== 'manager')
        throw new UsageError('--role must be tenant or manager')
      context.show(await (await context.client()).tenants.create({ ...body, role }))
    },
  )
  act(
    withFields(noun.command('list').description('Tenants of your agreements'), paging),
    async (context, options: object) =>
      showPage(
        context,
        await (await context.client()).tenants.list(bodyOf<TenantQuery>(paging, { ...options })),
        ['id', 'user_id', 'phone', 'first_name', 'last_name'],
      ),
  )
}
