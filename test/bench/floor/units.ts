import { recordActivity } from './activities'
import { getNow, pool, selectAll, selectOne, type Row } from './http'
import { jsonObject, sql, unitColumns, visibleUnits } from './queries'

const lockOwnUnit = sql`
  select *
  from property_units
  where is_active and id = $1 and property_id = $2 and (landlord_id = $3 or managed_by_id = $3)
  for update`

const updateUnitNotes = sql`
  update property_units set unit_notes = $2, updated_at = $3::timestamptz where id = $1`

const ownUnit = sql`select ${unitColumns} from ${visibleUnits('$1::int')} and u.id = $2::int`
const selectUnitView = sql`select ${jsonObject(ownUnit)} as row`

export const changeUnit = (actorId: number, propertyId: number, id: number, { unit_notes }: Row) =>
  pool.begin(async tx => {
    const unit = await selectOne(tx, lockOwnUnit, id, propertyId, actorId)
    await selectAll(tx, updateUnitNotes, id, unit_notes, getNow())
    const message = `The unit ${unit.unit_name} was changed`
    const users = [unit.landlord_id, unit.managed_by_id]
    await recordActivity(tx, users, 'unit_updated', message, 'property_unit', id, actorId)
    const { row } = await selectOne(tx, selectUnitView, actorId, id)
    return { data: row }
  })
