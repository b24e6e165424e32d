import type { Command } from 'commander'
import type { NewUnit, UnitChange, UnitQuery } from '@kiraya/sdk'
import { showPage, type AddAction } from '../context'
import { toRequestBody, pagingFields, addFieldFlags, type Fields } from '../field-flags'

const fields: Fields = {
  unit_name: { kind: 'text', about: 'such as A-101' },
  room_type: { kind: 'text', about: '1rk, 1bhk, 2bhk, 3bhk, 4bhk, 5bhk or other' },
  furnishing_type: { kind: 'text', about: 'fully_furnished, semi_furnished or unfurnished' },
  furniture_included: { kind: 'text' },
  area_sqft: { kind: 'number' },
  floor_number: { kind: 'integer' },
  is_available: { kind: 'boolean', about: 'for rent' },
  unit_notes: { kind: 'text' },
  unit_amenities: { kind: 'texts' },
  managed_by_id: { kind: 'integer', about: 'user id of the manager' },
}
const listing: Fields = { ...pagingFields, is_available: fields.is_available! }
const columns = ['id', 'property_unit_id', 'unit_name', 'room_type', 'furnishing_type', 'is_available']
const of = (command: Command) => command.argument('<property>', 'number or UUID')
const one = (command: Command) => of(command).argument('<unit>', 'number or UUID')

export const addUnitCommands = (program: Command, act: AddAction) => {
  const noun = program.command('unit').description('Rentable units of a property')
  act(
    addFieldFlags(of(noun.command('list').description('Units that you own or manage')), listing),
    async (context, property: string, options: object) =>
      showPage(
        context,
        await (
          await context.client()
        ).units.list(property, toRequestBody<UnitQuery>(listing, { ...options })),
        columns,
      ),
  )
  act(one(noun.command('get').description('One unit')), async (context, property: string, id: string) =>
    context.show(await (await context.client()).units.get(property, id)),
  )
  act(
    addFieldFlags(of(noun.command('create').description('Add a unit')), fields).addHelpText(
      'after',
      '\nExample:\n  kiraya unit create 1 --unit-name A-101 --room-type 2bhk',
    ),
    async (context, property: string, options: object) =>
      context.show(
        await (
          await context.client()
        ).units.create(property, toRequestBody<NewUnit>(fields, { ...options }, ['unit_name'])),
      ),
  )
  act(
    addFieldFlags(one(noun.command('update').description('Change a unit')), fields, true),
    async (context, property: string, id: string, options: object) =>
      context.show(
        await (
          await context.client()
        ).units.update(property, id, toRequestBody<UnitChange>(fields, { ...options })),
      ),
  )
  act(
    one(noun.command('delete').description('Delete a unit')).option('--yes', 'do not ask'),
    async (context, property: string, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Delete the unit ${id}`, options.yes)
      context.show(await (await context.client()).units.delete(property, id))
    },
  )
}
