import { Elysia } from 'elysia'
import { Message, NewUnit, Unit, UnitChange, UnitPage, UnitQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { acting, asking, idOf, type Asker } from '../http/actor'
import { created } from '../http/created'
import { once } from '../http/once'
import { inQuery } from '../http/query'
import { propertyById } from '../properties/queries'
import { unitById, unitPage } from './queries'
import { createUnit, deleteUnit, updateUnit } from './service'

const propertyRow = ({ db, me }: Asker, id: string) => propertyById(db, me, idOf(id, 'Property')).select('p.id')

export const unitRoutes = (deps: Deps) => new Elysia({ tags: ['Property units'] })
  .use(new Elysia().use(asking(deps))
    .get('/properties/:id/units', ({ asker, params, query }) => listUnits(asker, params.id, query), { ...inQuery(UnitQuery), response: { 200: UnitPage }, detail: { summary: 'Units that the caller owns or manages' } })
    .get('/properties/:id/units/:unitId', ({ asker, params }) => asker.one('Property unit', unitById(asker.db, asker.me, propertyRow(asker, params.id), idOf(params.unitId, 'Property unit'))), { response: { 200: Unit }, detail: { summary: 'One unit' } }))
  .use(created).use(acting(deps))
  .post('/properties/:id/units', asked => once(deps, asked, () => createUnit(deps, asked.actor, asked.params.id, asked.body)), { created: true, body: NewUnit, response: { 201: Unit }, detail: { summary: 'Add a unit' } })
  .patch('/properties/:id/units/:unitId', ({ body, actor, params }) => updateUnit(deps, actor, params.id, params.unitId, body), { body: UnitChange, response: { 200: Unit }, detail: { summary: 'Change a unit' } })
  .delete('/properties/:id/units/:unitId', ({ actor, params }) => deleteUnit(deps, actor, params.id, params.unitId), { response: { 200: Message }, detail: { summary: 'Delete a unit' } })

function listUnits(asker: Asker, propertyId: string, query: UnitQuery) {
  const property = propertyRow(asker, propertyId)
  return asker.page(unitPage(asker.db, asker.me, property, query), { sort: 'id', ...query }, { what: 'Property', rows: property })
}
