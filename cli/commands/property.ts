import { Message } from '@kiraya/sdk/contract/common'
import {
  NewProperty,
  PropertyChange,
  PropertyQuery,
  PropertySearch,
  PropertyWithUnits,
} from '@kiraya/sdk/contract/properties'
import { change, list, read, send, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  list: list({
    summary: 'List your properties',
    input: PropertyQuery,
    columns: ['id', 'alias_name', 'property_type', 'city', 'pin_code', 'locality', 'property_id'],
    call: client => client.properties.list,
  }),
  get: read({
    summary: 'Show a property with its units',
    records: ['property'],
    call: client => client.properties.get,
  }),
  search: read({
    summary: 'Find buildings that are already registered',
    input: PropertySearch,
    examples: ['kiraya property search --name "White House" --pin-code 560048'],
    call: client => client.properties.search,
    show: (context, found) =>
      context.show(found, ['score', 'property_id', 'society_building', 'locality', 'city', 'pin_code']),
  }),
  create: send({
    summary: 'Create a property',
    input: NewProperty,
    words: { property_units: { kind: 'newUnits', alias: 'unit', description: 'name of a first unit' } },
    examples: ['kiraya property create --pin-code 560048 --property-type apartment --unit A-101'],
    result: PropertyWithUnits,
    call: client => client.properties.create,
  }),
  update: change({
    summary: 'Change a property',
    records: ['property'],
    input: PropertyChange,
    examples: ['kiraya property update "White House" --landmark "Opposite the lake"'],
    result: PropertyWithUnits,
    call: client => client.properties.update,
  }),
  delete: send({
    summary: 'Delete a property',
    records: ['property'],
    confirm: property => `Delete the property ${property} and your units in it`,
    result: Message,
    call: client => client.properties.delete,
  }),
}
