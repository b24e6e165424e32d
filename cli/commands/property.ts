import type {
  NewProperty,
  PropertyCandidate,
  PropertyChange,
  PropertyQuery,
  PropertySearch,
  PropertyWithUnits,
} from '@kiraya/sdk'
import type { CliCommand } from '../command'
import { appendValue, searchFields, type FieldFlags } from '../field-flags'
import { readQuery, submit, submitChange } from '../inputs'
import { messageResultFields, propertyResultFields } from '../result-fields'

const propertyTypes = ['apartment', 'gated_community_villa', 'independent_house', 'commercial', 'pg'] as const

/** `--unit` creates the first units. */
type PropertyInput = Omit<NewProperty, 'property_units'>

const propertyFields: FieldFlags<PropertyInput> = {
  pin_code: { kind: 'integer', description: 'six digits', isRequired: true },
  property_type: {
    kind: 'choice',
    choices: propertyTypes,
    isRequired: true,
  },
  society_building: { kind: 'text', description: 'name of the building or society' },
  alias_name: { kind: 'text', description: 'your own name for it' },
  survey_number: { kind: 'text' },
  road_name: { kind: 'text' },
  locality: { kind: 'text' },
  landmark: { kind: 'text' },
  city: { kind: 'text', description: 'only for an unknown PIN code' },
  district: { kind: 'text', description: 'only for an unknown PIN code' },
  state: { kind: 'text', description: 'only for an unknown PIN code' },
  country: { kind: 'text' },
  common_amenities: { kind: 'texts' },
}

const queryFields: FieldFlags<PropertyQuery> = {
  ...searchFields,
  property_type: { kind: 'choice', choices: propertyTypes },
  pin_code: { kind: 'integer', description: 'six digits' },
}

const buildingFields: FieldFlags<PropertySearch> = {
  name: { kind: 'text', description: 'name of the building or society', isRequired: true },
  pin_code: { kind: 'integer', description: 'six digits', isRequired: true },
  locality: { kind: 'text' },
}

const listColumns = ['id', 'alias_name', 'property_type', 'city', 'pin_code', 'locality', 'property_id']
const searchColumns = ['score', 'property_id', 'society_building', 'locality', 'city', 'pin_code']

export function addPropertyCommands(program: CliCommand) {
  const property = program.command('property').description('Buildings, societies and plots')
  addReadCommands(property)
  addChangeCommands(property)
}

function addReadCommands(property: CliCommand) {
  property
    .command('list')
    .description('List your properties')
    .addFieldFlags(queryFields)
    .run(async (context, options: object) => {
      const query = await readQuery<PropertyQuery>(context, queryFields, options)
      const client = await context.client()
      const page = await client.properties.list(query)
      context.showPage(page, listColumns)
    })

  property
    .command('get')
    .description('Show a property with its units')
    .addRecord('property')
    .run(async (context, id: string) => {
      const client = await context.client()
      const found = await client.properties.get(id)
      context.show(found)
    })

  property
    .command('search')
    .description('Find buildings that are already registered')
    .addFieldFlags(buildingFields)
    .run(async (context, options: object) => {
      const client = await context.client()
      const candidates = await submit<PropertySearch, PropertyCandidate[]>(
        context,
        buildingFields,
        options,
        client.properties.search,
      )
      context.show(candidates, searchColumns)
    })
}

function addChangeCommands(property: CliCommand) {
  property
    .command('create')
    .description('Create a property')
    .addFieldFlags(propertyFields)
    .option('--unit <name>', 'name of a first unit (repeatable)', appendValue<string>)
    .addExamples('kiraya property create --pin-code 560048 --property-type apartment --unit A-101')
    .addResult(propertyResultFields)
    .run(async (context, options: { unit?: string[] }) => {
      const property_units = options.unit?.map(unit_name => ({ unit_name }))
      const client = await context.client()
      const created = await submit<PropertyInput, PropertyWithUnits>(
        context,
        propertyFields,
        options,
        input => client.properties.create({ ...input, property_units }),
      )
      context.show(created)
    })

  property
    .command('update')
    .description('Change a property')
    .addRecord('property')
    .addFieldFlags(propertyFields)
    .addClearFlag()
    .addResult(propertyResultFields)
    .run(async (context, id: string, options: object) => {
      const client = await context.client()
      const updated = await submitChange<PropertyChange, PropertyWithUnits>(
        context,
        propertyFields,
        options,
        change => client.properties.update(id, change),
      )
      context.show(updated)
    })

  property
    .command('delete')
    .description('Delete a property')
    .addRecord('property')
    .addConfirmFlag()
    .addResult(messageResultFields)
    .run(async (context, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Delete the property ${context.named} and your units in it`, options.yes)
      const client = await context.client()
      const response = await client.properties.delete(id)
      context.show(response)
    })
}
