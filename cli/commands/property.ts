import type { Command } from 'commander'
import type { NewProperty, PropertyChange, PropertyQuery, PropertySearch } from '@kiraya/sdk'
import { showPage, type AddAction } from '../context'
import { toRequestBody, pagingFields, addFieldFlags, type Fields } from '../field-flags'

const fields: Fields = {
  pin_code: { kind: 'integer', about: 'six digits' },
  property_type: {
    kind: 'text',
    about: 'apartment, gated_community_villa, independent_house, commercial or pg',
  },
  society_building: { kind: 'text', about: 'name of the building or society' },
  alias_name: { kind: 'text', about: 'what you call it' },
  survey_number: { kind: 'text' },
  road_name: { kind: 'text' },
  locality: { kind: 'text' },
  landmark: { kind: 'text' },
  city: { kind: 'text', about: 'read for an unknown PIN code only' },
  district: { kind: 'text', about: 'read for an unknown PIN code only' },
  state: { kind: 'text', about: 'read for an unknown PIN code only' },
  country: { kind: 'text' },
  common_amenities: { kind: 'texts' },
}
const listing: Fields = { ...pagingFields, property_type: fields.property_type!, pin_code: fields.pin_code! }
const searching: Fields = {
  name: { kind: 'text', about: 'name of the building or society' },
  pin_code: fields.pin_code!,
  locality: { kind: 'text' },
}
const columns = ['id', 'property_id', 'alias_name', 'property_type', 'city', 'pin_code']

export const addPropertyCommands = (program: Command, act: AddAction) => {
  const noun = program.command('property').description('Buildings, societies and plots')
  act(
    addFieldFlags(noun.command('list').description('Your properties'), listing),
    async (context, options: object) =>
      showPage(
        context,
        await (await context.client()).properties.list(toRequestBody<PropertyQuery>(listing, { ...options })),
        columns,
      ),
  )
  act(
    noun.command('get').description('One property with its units').argument('<property>', 'number or UUID'),
    async (context, id: string) => context.show(await (await context.client()).properties.get(id)),
  )
  act(
    addFieldFlags(noun.command('create').description('List a property'), fields)
      .option('--unit <name>', 'a first unit (repeatable)', (name: string, before: string[] = []) => [
        ...before,
        name,
      ])
      .addHelpText(
        'after',
        '\nExample:\n  kiraya property create --pin-code 560048 --property-type apartment --alias-name "White House" --unit A-101',
      ),
    async (context, options: { unit?: string[] }) => {
      const body = toRequestBody<NewProperty>(fields, options, ['pin_code', 'property_type'])
      context.show(
        await (
          await context.client()
        ).properties.create({
          ...body,
          ...(options.unit && { property_units: options.unit.map(unit_name => ({ unit_name })) }),
        }),
      )
    },
  )
  act(
    addFieldFlags(
      noun.command('update').description('Change a property').argument('<property>', 'number or UUID'),
      fields,
      true,
    ),
    async (context, id: string, options: object) =>
      context.show(
        await (
          await context.client()
        ).properties.update(id, toRequestBody<PropertyChange>(fields, { ...options })),
      ),
  )
  act(
    noun
      .command('delete')
      .description('Delete a property')
      .argument('<property>', 'number or UUID')
      .option('--yes', 'do not ask'),
    async (context, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Delete the property ${id} and your units in it`, options.yes)
      context.show(await (await context.client()).properties.delete(id))
    },
  )
  act(
    addFieldFlags(
      noun.command('search').description('Buildings that somebody has listed already'),
      searching,
    ),
    async (context, options: object) =>
      context.show(
        await (
          await context.client()
        ).properties.search(toRequestBody<PropertySearch>(searching, { ...options }, ['name', 'pin_code'])),
        ['score', 'property_id', 'society_building', 'locality', 'city', 'pin_code'],
      ),
  )
}
