import { Message } from '@kiraya/sdk/contract/common'
import { NewUnit, Unit, UnitChange, UnitQuery } from '@kiraya/sdk/contract/units'
import { change, list, read, send, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
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
  create: send({
    summary: 'Create a unit',
    records: ['property'],
    input: NewUnit,
    examples: ['kiraya unit create "White House" --unit-name A-101 --room-type 2bhk'],
    result: Unit,
    call: client => client.units.create,
  }),
  update: change({
    summary: 'Change a unit',
    records: ['property', 'unit'],
    input: UnitChange,
    examples: [
      'kiraya unit update "White House/A-101" --furnishing-type semi_furnished --unit-notes "New kitchen"',
    ],
    result: Unit,
    call: client => client.units.update,
  }),
  delete: send({
    summary: 'Delete a unit',
    records: ['property', 'unit'],
    confirm: unit => `Delete the unit ${unit}`,
    result: Message,
    call: client => client.units.delete,
  }),
  resign: send({
    summary: 'Give a unit that you manage back to its landlord',
    records: ['property', 'unit'],
    confirm: unit => `Resign as the manager of the unit ${unit}`,
    result: Message,
    call: client => client.units.resign,
  }),
}
