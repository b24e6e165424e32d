import { appendEvent, saveAgreement } from './activities'
import { pool, refuse, selectAll, selectOne, type Db, type Row } from './http'
import * as statements from './sql/agreements'
import { shareUser } from './sql/properties'

export const createAgreement = (actorId: number, body: Row) =>
  pool.begin(async tx => {
    const unit = await selectOne(tx, statements.shareOwnUnit, body.property_unit_id, actorId)
    const now = new Date()
    const tenantId = body.tenant_ids[0]
    await selectOne(tx, shareUser, tenantId)
    const agreement_number = await getNextNumber(tx, unit.landlord_id, now.getFullYear())
    const inserted = await insertAgreement(tx, unit, agreement_number, body, now)
    await selectAll(tx, statements.insertTenant, inserted.id, tenantId)
    const agreement: Row = { ...inserted, agreement_number, timeline_length: 0, timeline_hash: null }
    const recordCreation = await appendEvent(tx, agreement, {
      type: 'created',
      activity: 'agreement_created',
      message: 'was drawn up',
      users: [unit.landlord_id, unit.managed_by_id],
      actorId,
    })
    await saveAgreement(tx, agreement, 'DRAFT', null)
    await recordCreation()
    const { row } = await selectOne(tx, statements.selectAgreementView, actorId, agreement.id)
    return { message: 'The agreement was created', data: row }
  })

async function getNextNumber(tx: Db, landlordId: number, year: number) {
  const { last_number } = await selectOne(tx, statements.incrementAgreementNumber, landlordId, year)
  const number = `AGR-${year}-${String(last_number).padStart(6, '0')}`
  const { n } = await selectOne(tx, statements.countAgreementNumber, landlordId, number)
  return n ? refuse(400) : number
}

function insertAgreement(tx: Db, unit: Row, number: string, body: Row, now: Date) {
  const start = body.agreement_start_date
  const end = new Date(`${start}T00:00:00Z`)
  end.setUTCMonth(end.getUTCMonth() + body.tenure_in_months, end.getUTCDate() - 1)
  const lease = [number, body.document_url, unit.id, unit.landlord_id]
  const period = [start, end.toISOString().slice(0, 10), body.tenure_in_months]
  const terms = [body.rent_amount, body.deposit_amount, body.rent_due_day, body.notice_period_days]
  return selectOne(tx, statements.insertAgreement, ...lease, ...period, ...terms, now.toISOString())
}
