import { Elysia } from 'elysia'
import { Message, NewUnit, Unit, UnitChange, UnitPage, UnitQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import type { Db } from '../../db/orm'
import { withActor, withReader, type UserIdExpression } from '../http/authentication'
import { createdStatus } from '../http/created'
import { withIdempotency } from '../http/idempotency'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { selectProperty } from '../properties/queries'
import { selectUnit, selectUnitPage } from './queries'
import { createUnit, deleteUnit, updateUnit } from './service'
import { parseRecordId, type RecordId } from '../domain/record-id'

type Place = { property: RecordId }
const property = (db: Db, me: UserIdExpression, { property }: Place) =>
  selectProperty(db, me, property).select('p.id')
const unit = (db: Db, me: UserIdExpression, { unit, ...place }: Place & { unit: RecordId }) =>
  selectUnit(db, me, property(db, me, place), unit)
const units = (db: Db, me: UserIdExpression, { property: at, ...query }: Place & UnitQuery) =>
  selectUnitPage(db, me, property(db, me, { property: at }), query)

export const unitRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Property units'] })
    .use(
      new Elysia()
        .use(withReader(deps))
        .get(
          '/properties/:id/units',
          ({ asker, params, query }) =>
            asker.page(
              UnitPage,
              units,
              { ...query, property: parseRecordId(params.id, 'Property') },
              { sort: 'id', ...query },
              { what: 'Property', rows: property },
            ),
          {
            ...coerceQuery(UnitQuery),
            response: { 200: toRawJsonSchema(UnitPage) },
            detail: { summary: 'Units that the caller owns or manages' },
          },
        )
        .get(
          '/properties/:id/units/:unitId',
          ({ asker, params }) =>
            asker.one('Property unit', Unit, unit, {
              property: parseRecordId(params.id, 'Property'),
              unit: parseRecordId(params.unitId, 'Property unit'),
            }),
          { response: { 200: toRawJsonSchema(Unit) }, detail: { summary: 'One unit' } },
        ),
    )
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '/properties/:id/units',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createUnit(deps, actor, params.id, body)),
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
