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
import { acting, asking, idOf } from '../http/actor'
import { created } from '../http/created'
import { once } from '../http/once'
import { inQuery } from '../http/query'
import { written } from '../http/written'
import { CANDIDATES, candidates, propertyPage, propertyWithUnits } from './queries'
import { createProperty, deleteProperty, updateProperty } from './service'

export const propertyRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/properties', tags: ['Properties'] })
    .use(
      new Elysia()
        .use(asking(deps))
        .get('', ({ asker, query }) => asker.page(PropertyPage, propertyPage, query, query), {
          ...inQuery(PropertyQuery),
          response: { 200: written(PropertyPage) },
          detail: { summary: 'Properties that the caller created or has an active unit in' },
        })
        .get(
          '/search',
          async ({ asker, query }) => {
            const { data, total } = await asker.all(PropertyCandidates, candidates, query)
            return {
              data,
              metadata: { page: 1, limit: CANDIDATES, total, total_pages: Math.ceil(total / CANDIDATES) },
            }
          },
          {
            ...inQuery(PropertySearch),
            response: { 200: written(PropertyCandidates) },
            detail: { summary: 'Buildings that somebody has listed already' },
          },
        )
        .get(
          '/:id',
          ({ asker, params }) =>
            asker.one('Property', PropertyWithUnits, propertyWithUnits, idOf(params.id, 'Property')),
          { response: { 200: written(PropertyWithUnits) }, detail: { summary: 'One property' } },
        ),
    )
    .use(created)
    .use(acting(deps))
    .post(
      '',
      ({ request, actor, body }) =>
        once(deps, { request, actor, body }, () => createProperty(deps, actor, body)),
      {
        created: true,
        body: NewProperty,
        response: { 201: PropertyWithUnits },
        detail: { summary: 'List a property, with its units if wanted' },
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
