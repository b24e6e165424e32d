import type {
  Agreement,
  Kiraya,
  MaintenanceChange,
  MaintenanceStatus,
  NewMaintenanceRequest,
} from '@kiraya/sdk'
import { createOnce, toKey } from '../sheets/repeatable'

const inThreeDays = new Date(Date.now() + 3 * 86_400_000)
const VISIT = `${inThreeDays.toISOString().slice(0, 10)}T10:00:00+05:30`

type Plan = Omit<NewMaintenanceRequest, 'property_unit_id'> & {
  work?: MaintenanceChange
  /** What it becomes after it is open. */
  statuses: MaintenanceStatus[]
  internalComment?: string
}

/** What is to be repaired, by the number of an ACTIVE lease. */
const plans: Record<string, Plan> = {
  'LEASE/0002': {
    category: 'plumbing',
    priority: 'high',
    title: 'The kitchen tap drips',
    description: 'It drips day and night, and the cupboard below is wet.',
    work: { vendor_name: 'Shree Plumbing Works', cost: 850, borne_by: 'tenant' },
    statuses: ['acknowledged', 'in_progress', 'resolved'],
  },
  'LEASE/0005': {
    category: 'electrical',
    priority: 'urgent',
    title: 'The main switch trips',
    description: 'The power goes off when the geyser is on.',
    work: { vendor_name: 'Bharat Electricals', scheduled_at: VISIT },
    statuses: ['acknowledged', 'in_progress'],
    internalComment: 'Ask for a quote for new wiring before the next lease.',
  },
  'LEASE/0006': {
    category: 'pest',
    title: 'Ants in the kitchen',
    statuses: [],
  },
  'LEASE/0007': {
    category: 'security',
    priority: 'low',
    title: 'The shutter is hard to close',
    statuses: ['acknowledged', 'on_hold'],
  },
}

type Landlord = { seed: string; client: Kiraya }

/** Raises the maintenance request of a lease, if one is planned, and does what has not been done yet. */
export async function completeMaintenance(landlord: Landlord, lease: Agreement) {
  const plan = plans[lease.agreement_number]
  if (!plan) return
  const { maintenance } = landlord.client
  const { work, statuses, internalComment, ...matter } = plan
  const { data } = await maintenance.list({ agreement_id: lease.id, q: matter.title })
  const input = { property_unit_id: lease.property_unit_id, ...matter }
  const raise = () => createOnce(maintenance, input, toKey('seed', landlord.seed, input))
  const { id, vendor_name } = data[0] ?? (await raise())
  if (work && vendor_name === null) await maintenance.update(id, work)
  const { entries } = await maintenance.get(id)
  for (const status of statuses)
    if (!entries.some(entry => entry.status === status)) await maintenance.status(id, { status })
  if (!internalComment) return
  const comments = await maintenance.comments(id)
  if (comments.data.length === 0) await maintenance.comment(id, { text: internalComment, is_internal: true })
}
