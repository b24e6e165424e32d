import { Elysia } from 'elysia'
import { Message, NewUnit, Unit, UnitChange, UnitPage, UnitQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import type { Db } from '../../db/orm'
import { acting, asking, idOf, type Id, type Me } from '../http/actor'
import { created } from '../http/created'
import { once } from '../http/once'
import { inQuery } from '../http/query'
import { written } from '../http/written'
import { propertyById } from '../properties/queries'
import { unitById, unitPage } from './queries'
import { createUnit, deleteUnit, updateUnit } from './service'

type Place = { property: Id }
const property = (db: Db, me: Me, { property }: Place) => propertyById(db, me, property).select('p.id')
const unit = (db: Db, me: Me, { unit, ...place }: Place & { unit: Id }) =>
  unitById(db, me, property(db, me, place), unit)
const units = (db: Db, me: Me, { property: at, ...query }: Place & UnitQuery) =>
  unitPage(db, me, property(db, me, { property: at }), query)

export const unitRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Property units'] })
    .use(
      new Elysia()
        .use(asking(deps))
        .get(
          '/properties/:id/units',
          ({ asker, params, query }) =>
            asker.page(
              UnitPage,
              units,
              { ...query, property: idOf(params.id, 'Property') },
              { sort: 'id', ...query },
              { what: 'Property', rows: property },
            ),
          {
            ...inQuery(UnitQuery),
            response: { 200: written(UnitPage) },
            detail: { summary: 'Units that the caller owns or manages' },
          },
        )
        .get(
          '/properties/:id/units/:unitId',
          ({ asker, params }) =>
            asker.one('Property unit', Unit, unit, {
              property: idOf(params.id, 'Property'),
              unit: idOf(params.unitId, 'Property unit'),
            }),
          { response: { 200: written(Unit) }, detail: { summary: 'One unit' } },
        ),
    )
    .use(created)
    .use(acting(deps))
    .post(
      '/properties/:id/units',
      ({ request, actor, params, body }) =>
        once(deps, { request, actor, body }, () => createUnit(deps, actor, params.id, body)),
      { created: true, body: NewUnit, response: { 201: Unit }, detail: { summary: 'Add a unit' } },
    )
    .patch(
      '/properties/:id/units/:unitId',
      ({ body, actor, params }) => updateUnit(deps, actor, params.id, params.unitId, body),
      { body: UnitChange, response: { 200: Unit }, detail: { summary: 'Change a unit' } },
    )
    .delete(
      '/properties/:id/units/:unitId',
      ({ actor, params }) => deleteUnit(deps, actor, params.id, params.unitId),
      { response: { 200: Message }, detail: { summary: 'Delete a unit' } },
    )
