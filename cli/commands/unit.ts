import type { NewUnit, UnitChange, UnitQuery } from '@kiraya/sdk'
import { RECORD_ID, type CliCommand } from '../command'
import { searchFields, toChangeBody, toRequestBody, type FieldFlags } from '../field-flags'

const unitFields: FieldFlags<NewUnit> = {
  unit_name: { kind: 'text', description: 'such as A-101', isRequired: true },
  room_type: { kind: 'text', description: '1rk, 1bhk, 2bhk, 3bhk, 4bhk, 5bhk or other' },
  furnishing_type: { kind: 'text', description: 'fully_furnished, semi_furnished or unfurnished' },
  furniture_included: { kind: 'text' },
  area_sqft: { kind: 'number', description: 'square feet' },
  floor_number: { kind: 'integer' },
  is_available: { kind: 'boolean', description: 'whether it is for rent' },
  unit_notes: { kind: 'text' },
  unit_amenities: { kind: 'texts' },
  managed_by_id: { kind: 'integer', description: 'user id of the manager' },
}

const queryFields: FieldFlags<UnitQuery> = {
  ...searchFields,
  is_available: unitFields.is_available,
}

const listColumns = ['id', 'property_unit_id', 'unit_name', 'room_type', 'furnishing_type', 'is_available']

export function addUnitCommands(program: CliCommand) {
  const unit = program.command('unit').description('Rentable units of a property')
  addReadCommands(unit)
  addChangeCommands(unit)
  addEndCommands(unit)
}

function addReadCommands(unit: CliCommand) {
  unit
    .command('list')
    .description('List the units that you own or manage')
    .argument('<property>', RECORD_ID)
    .addFieldFlags(queryFields)
    .run(async (context, propertyId: string, options: object) => {
      const query = toRequestBody<UnitQuery>(queryFields, options)
      const client = await context.client()
      const page = await client.units.list(propertyId, query)
      context.showPage(page, listColumns)
    })

  unit
    .command('get')
    .description('Show a unit')
    .argument('<property>', RECORD_ID)
    .argument('<unit>', RECORD_ID)
    .run(async (context, propertyId: string, id: string) => {
      const client = await context.client()
      const found = await client.units.get(propertyId, id)
      context.show(found)
    })
}

function addChangeCommands(unit: CliCommand) {
  unit
    .command('create')
    .description('Create a unit')
    .argument('<property>', RECORD_ID)
    .addFieldFlags(unitFields)
    .addExamples('kiraya unit create 1 --unit-name A-101 --room-type 2bhk')
    .run(async (context, propertyId: string, options: object) => {
      const input = toRequestBody<NewUnit>(unitFields, options)
      const client = await context.client()
      const created = await client.units.create(propertyId, input)
      context.show(created)
    })

  unit
    .command('update')
    .description('Change a unit')
    .argument('<property>', RECORD_ID)
    .argument('<unit>', RECORD_ID)
    .addFieldFlags(unitFields)
    .addClearFlag()
    .run(async (context, propertyId: string, id: string, options: object) => {
      const change = toChangeBody<UnitChange>(unitFields, options)
      const client = await context.client()
      const updated = await client.units.update(propertyId, id, change)
      context.show(updated)
    })
}

function addEndCommands(unit: CliCommand) {
  unit
    .command('delete')
    .description('Delete a unit')
    .argument('<property>', RECORD_ID)
    .argument('<unit>', RECORD_ID)
    .addConfirmFlag()
    .run(async (context, propertyId: string, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Delete the unit ${id}`, options.yes)
      const client = await context.client()
      const response = await client.units.delete(propertyId, id)
      context.show(response)
    })

  unit
    .command('resign')
    .description('Give a unit that you manage back to its landlord')
    .argument('<property>', RECORD_ID)
    .argument('<unit>', RECORD_ID)
    .addConfirmFlag()
    .run(async (context, propertyId: string, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Resign as the manager of the unit ${id}`, options.yes)
      const client = await context.client()
      const response = await client.units.resign(propertyId, id)
      context.show(response)
    })
}
