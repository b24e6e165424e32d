import type { PropertyCandidate } from '@kiraya/sdk'
import {
  NewProperty,
  PropertyChange,
  PropertyQuery,
  PropertySearch,
  PropertyWithUnits,
} from '@kiraya/sdk/contract/properties'
import { submit } from '../input/values'
import { toFieldFlags } from '../input/contract-flags'
import { change, create, createVerb, list, read, remove, type Verb } from '../runtime/verbs'

const searchFields = toFieldFlags(PropertySearch)
const searchColumns = ['score', 'property_id', 'society_building', 'locality', 'city', 'pin_code']

export const verbs: Record<string, Verb> = {
  list: list({
    summary: 'List your properties',
    records: [],
    input: PropertyQuery,
    columns: ['id', 'alias_name', 'property_type', 'city', 'pin_code', 'locality', 'property_id'],
    call: client => client.properties.list,
  }),
  get: read({
    summary: 'Show a property with its units',
    records: ['property'],
    call: client => client.properties.get,
  }),
  search: createVerb(
    { summary: 'Find buildings that are already registered', records: [], fields: searchFields },
    async (context, _, options) => {
      const { search } = (await context.client()).properties
      const found = await submit<PropertySearch, PropertyCandidate[]>(context, searchFields, options, search)
      context.show(found, searchColumns)
    },
  ),
  create: create({
    summary: 'Create a property',
    records: [],
    input: NewProperty,
    words: { property_units: { kind: 'newUnits', alias: 'unit', description: 'name of a first unit' } },
    example: 'kiraya property create --pin-code 560048 --property-type apartment --unit A-101',
    result: PropertyWithUnits,
    call: client => client.properties.create,
  }),
  update: change({
    summary: 'Change a property',
    records: ['property'],
    input: PropertyChange,
    result: PropertyWithUnits,
    call: client => client.properties.update,
  }),
  delete: remove({
    summary: 'Delete a property',
    records: ['property'],
    confirm: property => `Delete the property ${property} and your units in it`,
    call: client => client.properties.delete,
  }),
}
