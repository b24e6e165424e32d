import type { NewUnit, Unit, UnitChange, UnitQuery } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import { searchFields, type FieldFlags } from '../field-flags'
import { readQuery, submit, submitChange } from '../inputs'
import { messageResultFields, unitResultFields } from '../result-fields'

const unitFields: FieldFlags<NewUnit> = {
  unit_name: { kind: 'text', description: 'such as A-101', isRequired: true },
  room_type: { kind: 'choice', choices: ['1rk', '1bhk', '2bhk', '3bhk', '4bhk', '5bhk', 'other'] },
  furnishing_type: { kind: 'choice', choices: ['fully_furnished', 'semi_furnished', 'unfurnished'] },
  furniture_included: { kind: 'text' },
  area_sqft: { kind: 'number', description: 'square feet' },
  floor_number: { kind: 'integer' },
  is_available: { kind: 'boolean', description: 'whether it is for rent' },
  unit_notes: { kind: 'text' },
  unit_amenities: { kind: 'texts' },
  managed_by_id: { kind: 'person', description: 'phone number, name or user id of the manager' },
}

const queryFields: FieldFlags<UnitQuery> = {
  ...searchFields,
  is_available: unitFields.is_available,
}

const listColumns = ['id', 'unit_name', 'room_type', 'is_available', 'furnishing_type', 'property_unit_id']

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
    .addRecord('property')
    .addFieldFlags(queryFields)
    .run(async (context, propertyId: string, options: object) => {
      const query = await readQuery<UnitQuery>(context, queryFields, options)
      const client = await context.client()
      const page = await client.units.list(propertyId, query)
      context.showPage(page, listColumns)
    })

  unit
    .command('get')
    .description('Show a unit')
    .addRecord('property')
    .addRecord('unit')
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
    .addRecord('property')
    .addFieldFlags(unitFields)
    .addExamples('kiraya unit create "White House" --unit-name A-101 --room-type 2bhk')
    .addResult(unitResultFields)
    .run(async (context, propertyId: string, options: object) => {
      const client = await context.client()
      const created = await submit<NewUnit, Unit>(context, unitFields, options, input =>
        client.units.create(propertyId, input),
      )
      context.show(created)
    })

  unit
    .command('update')
    .description('Change a unit')
    .addRecord('property')
    .addRecord('unit')
    .addFieldFlags(unitFields)
    .addClearFlag()
    .addResult(unitResultFields)
    .run(async (context, propertyId: string, id: string, options: object) => {
      const client = await context.client()
      const updated = await submitChange<UnitChange, Unit>(context, unitFields, options, change =>
        client.units.update(propertyId, id, change),
      )
      context.show(updated)
    })
}

function addEndCommands(unit: CliCommand) {
  unit
    .command('delete')
    .description('Delete a unit')
    .addRecord('property')
    .addRecord('unit')
    .addConfirmFlag()
    .addResult(messageResultFields)
    .run(async (context, propertyId: string, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Delete the unit ${context.named}`, options.yes)
      const client = await context.client()
      const response = await client.units.delete(propertyId, id)
      context.show(response)
    })

  unit
    .command('resign')
    .description('Give a unit that you manage back to its landlord')
    .addRecord('property')
    .addRecord('unit')
    .addConfirmFlag()
    .addResult(messageResultFields)
    .run(async (context, propertyId: string, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Resign as the manager of the unit ${context.named}`, options.yes)
      const client = await context.client()
      const response = await client.units.resign(propertyId, id)
      context.show(response)
    })
}
