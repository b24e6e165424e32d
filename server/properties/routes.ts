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
import type { Deps } from '../deps'
import { withActor, withReader } from '../http/authentication'
import { createdStatus } from '../http/created'
import { idempotencyParameters, withIdempotency } from '../http/idempotency'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import {
  MAX_CANDIDATES,
  selectSimilarBuildings,
  selectPropertyPage,
  selectPropertyWithUnits,
} from './queries'
import { createProperty, deleteProperty, updateProperty } from './service'
import { parseRecordId } from '../domain/record-id'

export const propertyRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/properties', tags: ['Properties'] })
    .use(propertyReads(deps))
    .use(propertyChanges(deps))

const propertyReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get('', ({ reader, query }) => reader.page(PropertyPage, selectPropertyPage, query, query), {
      ...coerceQuery(PropertyQuery),
      response: { 200: toRawJsonSchema(PropertyPage) },
      detail: { summary: 'List properties that the caller listed or has an active unit in' },
    })
    .get(
      '/search',
      async ({ reader, query }) => {
        const { data, total } = await reader.inTurn(() =>
          reader.all(PropertyCandidates, selectSimilarBuildings, query),
        )
        const total_pages = Math.ceil(total / MAX_CANDIDATES)
        return { data, metadata: { page: 1, limit: MAX_CANDIDATES, total, total_pages } }
      },
      {
        ...coerceQuery(PropertySearch),
        response: { 200: toRawJsonSchema(PropertyCandidates) },
        detail: { summary: 'Search for buildings that are already listed' },
      },
    )
    .get(
      '/:id',
      ({ reader, params }) =>
        reader.inTurn(() =>
          reader.one(
            'property_not_found',
            PropertyWithUnits,
            selectPropertyWithUnits,
            parseRecordId(params.id, 'property_not_found'),
          ),
        ),
      { response: { 200: toRawJsonSchema(PropertyWithUnits) }, detail: { summary: 'Get a property' } },
    )

const propertyChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '',
      ({ request, actor, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createProperty(deps, actor, body)),
      {
        created: true,
        body: NewProperty,
        response: { 201: PropertyWithUnits },
        detail: { summary: 'List a property, with its first units', ...idempotencyParameters },
      },
    )
    .patch('/:id', ({ body, actor, params }) => updateProperty(deps, actor, params.id, body), {
      body: PropertyChange,
      response: { 200: PropertyWithUnits },
      detail: { summary: 'Change a property' },
    })
    .delete('/:id', ({ actor, params }) => deleteProperty(deps, actor, params.id), {
      response: { 200: Message },
      detail: { summary: 'Delete a property' },
    })
