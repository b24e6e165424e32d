import { Type, type Static } from '@sinclair/typebox'
import { described, field, nullable } from './common.ts'

// What a screen shows beside the ids of a record.

export const NamedPerson = described('A person, by the name that the reader knows.', {
  id: field(Type.Integer(), "The user's number"),
  name: field(
    nullable(Type.String()),
    'Their own, once they have signed or accepted the lease; before that the landlord and the manager read the one ' +
      'that the landlord gave them. Null without one, and once their account is erased',
  ),
})
export type NamedPerson = Static<typeof NamedPerson>

export const NamedUnit = described('Where a unit is.', {
  unit_name: field(Type.String(), 'The name of the unit'),
  property_name: field(
    Type.String(),
    "The landlord's name of the building if they gave it one, else its own, or its locality",
  ),
  address: field(Type.String(), 'The address of the building in one line, without the PIN code'),
  pin_code: field(Type.Integer(), 'The PIN code, 6 digits'),
})
export type NamedUnit = Static<typeof NamedUnit>
