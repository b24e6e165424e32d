import { Elysia } from 'elysia'
import {
  Message,
  NewProperty,
  PropertyCandidates,
  PropertyChange,
  PropertyPage,
  PropertyQuery,
  PropertySearch,
  PropertyWithUnits,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { rawJson } from '../../http/reads/raw-json'
import { actorRoutes, created, readerRoutes } from '../../http/routes'
import { PropertyPath } from '../visibility'
import { selectPropertyPage, selectPropertyWithUnits } from './queries'
import { searchBuildings } from './search'
import { createProperty, deleteProperty, updateProperty } from './service'
import examples from './examples.json'

export const propertyRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/properties', tags: ['Properties'], detail: { examples } })
    .use(propertyReads(deps))
    .use(propertyChanges(deps))

const propertyReads = (deps: Deps) =>
  readerRoutes(deps)
    .get('', ({ reader, query }) => reader.page(selectPropertyPage, query), {
      query: PropertyQuery,
      response: { 200: rawJson(PropertyPage) },
      detail: {
        operationId: 'listProperties',
        summary: 'List properties that the caller listed or has an active unit in',
        description: 'Page by page, without units.',
      },
    })
    .get('/search', ({ reader, query }) => searchBuildings(reader, query), {
      query: PropertySearch,
      response: { 200: rawJson(PropertyCandidates) },
      detail: {
        operationId: 'searchProperties',
        summary: 'Search for buildings that are already listed',
        description:
          'Finds buildings that other landlords have listed, by name, PIN code and locality, so that one building is ' +
          'not listed twice. Add your unit to one of them by its UUID. No owner is shown.',
      },
    })
    .get('/:id', ({ reader, params }) => reader.one(selectPropertyWithUnits, params, 'property_not_found'), {
      params: PropertyPath,
      response: { 200: rawJson(PropertyWithUnits) },
      detail: {
        operationId: 'getProperty',
        summary: 'Get a property',
        description: 'With those of its units that the caller owns or manages.',
      },
    })

const propertyChanges = (deps: Deps) =>
  actorRoutes(deps)
    .post('', ({ change, body }) => change(createProperty, body), {
      body: NewProperty,
      response: created(PropertyWithUnits),
      detail: {
        operationId: 'createProperty',
        summary: 'List a property, with its first units',
        description:
          'All or nothing. City, district and state come from the PIN code; send them only for a PIN code that is ' +
          'unknown.',
        reasons: ['manager_not_nameable', 'pin_code_unknown'],
      },
    })
    .guard({ params: PropertyPath })
    .patch('/:id', ({ change, params, body }) => change(updateProperty, params, body), {
      body: PropertyChange,
      response: { 200: PropertyWithUnits },
      detail: {
        operationId: 'updateProperty',
        summary: 'Change a property',
        description:
          'Changes the fields that are sent; null clears an optional one. City and district can be corrected; a changed ' +
          'PIN code looks up what of them is not sent, and the state follows it. For its creator only. The address of ' +
          'a building in which other landlords have units cannot be changed.',
        reasons: ['address_in_use', 'not_property_creator', 'pin_code_unknown'],
      },
    })
    .delete('/:id', ({ change, params }) => change(deleteProperty, params), {
      response: { 200: Message },
      detail: {
        operationId: 'deleteProperty',
        summary: 'Delete a property',
        description:
          "Deletes the property and the caller's units in it. 400 while one of them has a PENDING or ACTIVE agreement. " +
          'For its creator only.',
        reasons: ['not_property_creator', 'units_in_use'],
      },
    })
