import { drawPng } from '../../../support/pictures'
import type { Call } from './records'

const picture = drawPng(16, 12)

/** A request of the tenant of a lease, with a comment and a picture of theirs, and a file of the landlord. */
export async function createMaintenanceRecords(
  { call, otherCall }: { call: Call; otherCall: Call },
  lease: number,
) {
  const { property_unit_id } = await call('GET', `/agreements/${lease}`)
  const { id } = await otherCall('POST', '/maintenance-requests', {
    property_unit_id,
    category: 'plumbing',
    priority: 'high',
    title: 'The kitchen tap leaks',
    description: 'Since Monday, a bucket a day',
  })
  const path = `/maintenance-requests/${id}`
  await otherCall('POST', `${path}/comments`, { text: 'Somebody is at home after six' })
  const attach = async (as: Call) =>
    (await as('POST', `${path}/attachments`, picture)).attachment_id as string
  return { request: id as number, attachment: await attach(otherCall), spareAttachment: await attach(call) }
}
