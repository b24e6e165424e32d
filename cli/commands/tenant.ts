import type { Command } from 'commander'
import type { TenantQuery } from '@kiraya/sdk'
import { showPage, UsageError, type AddAction } from '../context'
import { toRequestBody, pagingFields, addFieldFlags, type Fields } from '../field-flags'

const fields: Fields = {
  phone_number: { kind: 'text', as: 'phone', about: '10-digit Indian mobile number' },
  first_name: { kind: 'text' },
  last_name: { kind: 'text' },
  role: { kind: 'text', about: 'tenant or manager' },
}

export const addTenantCommands = (program: Command, act: AddAction) => {
  const noun = program.command('tenant').description('People whom your agreements name')
  act(
    addFieldFlags(
      noun
        .command('add')
        .description('Name a tenant or manager by phone number; their id goes into agreements'),
      fields,
    ),
    async (context, options: object) => {
      const { role, ...body } = toRequestBody<{ phone_number: string; role?: string }>(
        fields,
        { ...options },
        ['phone_number'],
      )
      if (role !== undefined && role !== 'tenant' && role !== 'manager')
        throw new UsageError('--role must be tenant or manager')
      context.show(await (await context.client()).tenants.create({ ...body, role }))
    },
  )
  act(
    addFieldFlags(noun.command('list').description('Tenants of your agreements'), pagingFields),
    async (context, options: object) =>
      showPage(
        context,
        await (await context.client()).tenants.list(toRequestBody<TenantQuery>(pagingFields, { ...options })),
        ['id', 'user_id', 'phone', 'first_name', 'last_name'],
      ),
  )
}
