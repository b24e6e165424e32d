import { NewUnit, Unit, UnitChange, UnitQuery } from '@kiraya/sdk/contract/units'
import { change, create, list, read, remove, type Verb } from '../runtime/verbs'

const words = { managed_by_id: { description: 'phone number, name or user id of the manager' } }

export const verbs: Record<string, Verb> = {
  list: list({
    summary: 'List the units that you own or manage',
    records: ['property'],
    input: UnitQuery,
    columns: ['id', 'unit_name', 'room_type', 'is_available', 'furnishing_type', 'property_unit_id'],
    call: client => client.units.list,
  }),
  get: read({
    summary: 'Show a unit',
    records: ['property', 'unit'],
    call: client => client.units.get,
  }),
  create: create({
    summary: 'Create a unit',
    records: ['property'],
    input: NewUnit,
    words,
    example: 'kiraya unit create "White House" --unit-name A-101 --room-type 2bhk',
    result: Unit,
    call: client => client.units.create,
  }),
  update: change({
    summary: 'Change a unit',
    records: ['property', 'unit'],
    input: UnitChange,
    words,
    result: Unit,
    call: client => client.units.update,
  }),
  delete: remove({
    summary: 'Delete a unit',
    records: ['property', 'unit'],
    confirm: unit => `Delete the unit ${unit}`,
    call: client => client.units.delete,
  }),
  resign: remove({
    summary: 'Give a unit that you manage back to its landlord',
    records: ['property', 'unit'],
    confirm: unit => `Resign as the manager of the unit ${unit}`,
    call: client => client.units.resign,
  }),
}
