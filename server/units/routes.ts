import { Elysia } from 'elysia'
import { Message, NewUnit, Unit, UnitChange, UnitPage, UnitQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import type { Db } from '../../db/database'
import { withActor, withReader, type UserIdExpression } from '../http/authentication'
import { createdStatus } from '../http/created'
import { idempotencyParameters, withIdempotency } from '../http/idempotency'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { selectProperty } from '../properties/queries'
import { selectUnit, selectUnitPage } from './queries'
import { createUnit, deleteUnit, resignFromUnit, updateUnit } from './service'
import { parseRecordId, type RecordId } from '../domain/record-id'

const UNITS = '/properties/:id/units'
const UNIT = '/properties/:id/units/:unitId'

export const unitRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Property units'] }).use(unitReads(deps)).use(unitChanges(deps))

type PropertyPath = { property: RecordId }
type UnitPath = PropertyPath & { unit: RecordId }

function selectParent(db: Db, userId: UserIdExpression, { property }: PropertyPath) {
  return selectProperty(db, userId, property).select('p.id')
}

function selectUnitsOfProperty(db: Db, userId: UserIdExpression, given: PropertyPath & UnitQuery) {
  return selectUnitPage(db, userId, selectParent(db, userId, given), given)
}

function selectUnitOfProperty(db: Db, userId: UserIdExpression, given: UnitPath) {
  return selectUnit(db, userId, selectParent(db, userId, given), given.unit)
}

const unitReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      UNITS,
      ({ reader, params, query }) =>
        reader.page(
          UnitPage,
          selectUnitsOfProperty,
          { ...query, property: parseRecordId(params.id, 'property_not_found') },
          { sort: 'id', ...query },
          { missing: 'property_not_found', rows: selectParent },
        ),
      {
        ...coerceQuery(UnitQuery),
        response: { 200: toRawJsonSchema(UnitPage) },
        detail: { summary: 'List the units of a property that the caller owns or manages' },
      },
    )
    .get(
      UNIT,
      ({ reader, params }) =>
        reader.one('unit_not_found', Unit, selectUnitOfProperty, {
          property: parseRecordId(params.id, 'property_not_found'),
          unit: parseRecordId(params.unitId, 'unit_not_found'),
        }),
      { response: { 200: toRawJsonSchema(Unit) }, detail: { summary: 'Get a unit' } },
    )

const unitChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      UNITS,
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createUnit(deps, actor, params.id, body)),
      {
        created: true,
        body: NewUnit,
        response: { 201: Unit },
        detail: { summary: 'Add a unit to a property', ...idempotencyParameters },
      },
    )
    .patch(UNIT, ({ body, actor, params }) => updateUnit(deps, actor, params.id, params.unitId, body), {
      body: UnitChange,
      response: { 200: Unit },
      detail: { summary: 'Change a unit' },
    })
    .delete(UNIT, ({ actor, params }) => deleteUnit(deps, actor, params.id, params.unitId), {
      response: { 200: Message },
      detail: { summary: 'Delete a unit' },
    })
    .post(
      `${UNIT}/resign`,
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          resignFromUnit(deps, actor, params.id, params.unitId),
        ),
      {
        response: { 200: Message },
        detail: { summary: 'Give a unit back to its landlord, as its manager', ...idempotencyParameters },
      },
    )
