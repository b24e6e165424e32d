import { randomUUID } from 'node:crypto'
import { getWriterPropertyId } from './layout'
import type { World } from './world'

export type Write = { method: string; path: string; body: unknown }

export const newProperty = (_world: World, _writerId: number, index: number): Write => ({
  method: 'POST',
  path: '/properties',
  body: {
    pin_code: 560_048,
    property_type: 'apartment',
    society_building: `White House ${index}`,
    locality: 'Whitefield',
    property_units: ['A', 'B', 'C'].map(name => ({ unit_name: name, room_type: '2bhk' })),
  },
})

export function unitNotes({ layout }: World, writerId: number, index: number): Write {
  const propertyId = getWriterPropertyId(layout, writerId, index)
  const unitId = 3 * propertyId - (index % 3)
  return {
    method: 'PATCH',
    path: `/properties/${propertyId}/units/${unitId}`,
    body: { unit_notes: `Painted ${randomUUID()}` },
  }
}

export const newAgreement = ({ layout }: World, writerId: number, index: number): Write => ({
  method: 'POST',
  path: '/agreements',
  body: {
    property_unit_id: 3 * getWriterPropertyId(layout, writerId, index),
    tenant_ids: [layout.firstTenant + 1 + (index % layout.owned)],
    document_url: 'https://example.com/lease.pdf',
    agreement_start_date: '2026-12-01',
    tenure_in_months: 11,
    rent_amount: 25_000,
    deposit_amount: 50_000,
    rent_due_day: 5,
    notice_period_days: 30,
  },
})
